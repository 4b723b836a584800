#include "network/traffic.hpp"

#include <algorithm>
#include <bit>

#include "network/event_payloads.hpp"

namespace kumi::network {
namespace {

constexpr std::uint32_t kMostUseBins = 256;
constexpr std::uint32_t kFewestUseBins = 16;
// 32 MiB if every link is used.
constexpr std::uint32_t kUseBinsOfAllLinks = 1U << 22;

std::uint32_t use_bins_per_link(std::uint32_t links) {
    const std::uint32_t share = std::bit_floor(kUseBinsOfAllLinks / std::max(links, 1U));
    return std::clamp(share, kFewestUseBins, kMostUseBins);
}

}  // namespace

Traffic::Traffic(Arena& arena, const FabricDescription& fabric)
    : x_arena(&arena),
      x_queue(&arena),
      x_transits(&arena),
      x_packets(&arena),
      x_hosts(fabric.hosts),
      x_links_count(static_cast<std::uint32_t>(fabric.links.size())),
      x_use_bins(&arena, x_links_count + x_hosts, use_bins_per_link(x_links_count + x_hosts)),
      x_full_packet_bytes(fabric.packet_bytes + fabric.header_bytes) {}

Instant Traffic::wake_with_power(LinkId id, const Link& link, Instant ready, bool ends_message,
                                 const Transit& transit, std::uint32_t hop) {
    const Cargo cargo = ends_message ? Cargo::kEndOfMessage : Cargo::kData;
    const Instant start = x_power->carry(id, x_now, ready, link.free_at, cargo);
    x_power->follow(id, hop == 0 ? WaitChains::kFromHost : transit.path[hop - 1U], x_now);
    return start;
}

void Traffic::schedule_first(Link& link, LinkId id) {
    const engine::EventClass event_class =
        kind_of(link).delivers ? engine::EventClass::kArrival : engine::EventClass::kForward;
    const PacketRun& first = link.in_flight.front();
    const std::uint64_t payload = step_payload(first.transit, first.next_link);
    push_event(first.ready, event_class, id, link.next_sequence++, payload);
}

}  // namespace kumi::network
