#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/event_key.hpp"
#include "network/fabric.hpp"
#include "network/routing/routing.hpp"
#include "network/zero_load.hpp"

namespace kumi::network {

/// The network model once more, as plainly as it can be written: each packet is an event, all
/// events are in one sorted set. The network must agree with it in every instant.
class NaiveNetwork {
   public:
    struct Sent {
        Instant when;
        HostId source, target;
        std::uint64_t size_bytes;
        std::uint32_t order_source;
        std::uint64_t order_sequence;

        engine::EventKey key() const {
            return engine::EventKey::of(when, engine::EventClass::kInjection, order_source,
                                        order_sequence);
        }
    };

    NaiveNetwork(const FabricDescription& fabric, const Routing& routing)
        : x_fabric(fabric), x_routing(routing), x_links(fabric.links.size() + fabric.hosts) {}

    /// When each message's last byte arrives.
    std::vector<Instant> run(const std::vector<Sent>& messages) {
        x_arrived.assign(messages.size(), Instant{});
        for (std::size_t i = 0; i < messages.size(); ++i)
            x_events.insert({messages[i].key(), i, 0, 0, {}});
        while (!x_events.empty()) {
            const PacketEvent event = *x_events.begin();
            x_events.erase(x_events.begin());
            const Sent& sent = messages[event.message];
            if (event.key.event_class() == engine::EventClass::kInjection) {
                const Packets packets = cut(sent);
                for (std::uint32_t packet = 0; packet < packets.count; ++packet) {
                    cross(sent, {event.key, event.message, packet, 0, {}});
                }
            } else {
                cross(sent, event);
            }
        }
        return x_arrived;
    }

   private:
    struct PacketEvent {
        engine::EventKey key;
        std::size_t message;
        std::uint32_t packet;
        std::size_t hop;
        Duration serialisation_before;
        bool operator<(const PacketEvent& other) const { return key < other.key; }
    };
    struct PlainLink {
        Instant free_at{};
        std::uint64_t next_sequence = 0;
    };

    Packets cut(const Sent& sent) const {
        if (sent.source == sent.target) return cut_into_packets(sent.size_bytes, 0, 0);
        return cut_into_packets(sent.size_bytes, x_fabric.packet_bytes, x_fabric.header_bytes);
    }

    /// One packet crosses the link of its hop.
    void cross(const Sent& sent, const PacketEvent& event) {
        std::vector<LinkId> path;
        LinkDescription about{0, 0, x_fabric.loopback_bandwidth_bps, x_fabric.loopback_latency};
        auto id = static_cast<LinkId>(x_fabric.links.size() + sent.source);
        if (sent.source != sent.target) {
            x_routing.route(sent.source, sent.target, path);
            id = path[event.hop];
            about = x_fabric.links[id];
        }
        const Packets packets = cut(sent);
        const bool is_last = event.packet + 1 == packets.count;
        const Duration serialisation =
            transfer_time(is_last ? packets.last_bytes : packets.full_bytes, about.bandwidth_bps);
        Instant start = std::max(event.key.time, x_links[id].free_at);
        start = std::max(start, event.key.time + event.serialisation_before - serialisation);
        x_links[id].free_at = start + serialisation;
        const Instant head = start + about.latency;
        if (event.hop + 1 < path.size()) {
            x_events.insert(
                {engine::EventKey::of(head + x_fabric.switch_latency, engine::EventClass::kForward,
                                      id, x_links[id].next_sequence++),
                 event.message, event.packet, event.hop + 1, serialisation});
        } else if (is_last) {
            x_arrived[event.message] = head + serialisation;
        }
    }

    const FabricDescription& x_fabric;
    const Routing& x_routing;
    std::vector<PlainLink> x_links;
    std::set<PacketEvent> x_events;
    std::vector<Instant> x_arrived;
};

}  // namespace kumi::network
