#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "base/time/time.hpp"
#include "engine/event_queue.hpp"
#include "network/fabric.hpp"
#include "network/link/link.hpp"
#include "network/power/fabric_power.hpp"
#include "network/routing/non_minimal_routes.hpp"
#include "network/routing/route_table.hpp"

namespace kumi::network {

/// A message on its way: one cache line.
struct alignas(64) Transit {
    std::uint64_t cookie = 0;
    std::uint64_t size_bytes = 0;
    std::uint64_t last_packet_bytes = 0;  ///< With its header.
    std::uint32_t packets = 0;
    std::uint32_t packets_delivered = 0;
    TransitPath path;
};
static_assert(sizeof(Transit) == 64);

/// Links, and what is on its way over them: what both ways to move packets share, with queues
/// without limit (Network) and between finite buffers (CreditSwitching). Plain data in an arena.
class Traffic {
   protected:
    friend class CreditSwitching;

    Traffic(Arena& arena, const FabricDescription& fabric);

    const LinkKind& kind_of(const Link& link) const { return x_kinds[link.kind]; }
    std::uint64_t packet_bytes(const PacketRun& packet) const {
        return packet.ends_message ? x_transits.at(packet.transit).last_packet_bytes
                                   : x_full_packet_bytes;
    }
    bool has_power(LinkId link) const { return x_power != nullptr && link < x_links_count; }
    /// When data that ask for the link now may start on it, which they do as soon as they are
    /// `ready` and it is active. The link is the one in place `hop` of their path.
    Instant wake_for(LinkId id, const Link& link, Instant ready, bool ends_message,
                     const Transit& transit, std::uint32_t hop) {
        if (!has_power(id)) return ready;
        return wake_with_power(id, link, ready, ends_message, transit, hop);
    }
    Instant wake_with_power(LinkId id, const Link& link, Instant ready, bool ends_message,
                            const Transit& transit, std::uint32_t hop);

    /// Chooses a non-minimal or minimal route if the description asks for it; `load(LinkId)` is how
    /// long packets would wait for a link.
    template <class Load>
    void choose_path(std::uint32_t index, Load&& load) {
        if (x_non_minimal == nullptr) return;
        const DragonflyPath path = x_non_minimal->choose(index, load);
        Transit& transit = x_transits.at(index);
        transit.path = TransitPath::copy_of({path.links, path.length}, *x_arena);
    }

    /// Within its callers, so that a run goes to its place from registers: to write it in parts and
    /// to read it as a whole at once would wait for the parts.
    [[gnu::always_inline]] void enqueue(Link& link, LinkId id, const PacketRun& run) {
        if (link.in_flight.push(x_packets, run)) schedule_first(link, id);
    }
    void schedule_first(Link& link, LinkId id);
    void push_event(Instant when, engine::EventClass event_class, std::uint32_t source_id,
                    std::uint64_t sequence, std::uint64_t payload = 0) {
        x_queue.push({engine::EventKey::of(when, event_class, source_id, sequence), payload});
    }

    Arena* x_arena;
    engine::EventQueue x_queue;
    Instant x_now{};
    Pool<Transit> x_transits;
    PacketPool x_packets;  ///< Of all links.
    LinkKind* x_kinds = nullptr;
    Link* x_links = nullptr;                    ///< The fabric's, then one loopback a host.
    NonMinimalRoutes* x_non_minimal = nullptr;  ///< Unless all paths are minimal.
    FabricPower* x_power = nullptr;             ///< If links save power.
    std::uint32_t x_hosts = 0;
    std::uint32_t x_links_count = 0;
    UseBins x_use_bins;
    std::uint64_t x_full_packet_bytes = 0;  ///< With its header.
};

}  // namespace kumi::network
