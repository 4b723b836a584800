#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "network/testing/naive_network.hpp"

namespace kumi::network {

/// Finite buffers once more, as plainly as can be: at each instant at which anything happens, all
/// that happens is found by looking at everything. Every latency and every packet must take time.
class NaiveCreditNetwork {
   public:
    using Sent = NaiveNetwork::Sent;

    NaiveCreditNetwork(const FabricDescription& fabric, const Routing& routing)
        : x_fabric(fabric), x_routing(routing), x_links(fabric.links.size()) {}

    /// When each message's last byte arrives; none may stay on its host.
    std::vector<Instant> run(const std::vector<Sent>& messages) {
        x_arrived.assign(messages.size(), kNever);
        std::map<engine::EventKey, std::size_t> injections;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            injections[messages[i].key()] = i;
            x_instants.insert(messages[i].when);
        }
        while (!x_instants.empty()) {
            x_now = *x_instants.begin();
            x_instants.erase(x_instants.begin());
            while (!injections.empty() && injections.begin()->first.time == x_now) {
                const std::size_t message = injections.begin()->second;
                cut(message, messages[message]);
                injections.erase(injections.begin());
            }
            for (LinkId link = 0; link < x_links.size(); ++link) serve(link);
        }
        return x_arrived;
    }

   private:
    struct Packet {
        std::size_t message;
        std::vector<LinkId> path;
        std::size_t hop;  ///< Of the link that it wants.
        std::uint32_t channel;
        std::uint64_t size_bytes;
        bool is_last;
        Instant ready;
    };
    struct Buffer {
        std::deque<Packet> packets;  ///< Those on their way there as well.
        Instant read_until{};
        std::vector<std::pair<Instant, std::uint64_t>> freed;  ///< When its link knows, bytes.
        std::uint64_t sent_bytes = 0;
    };
    struct NaiveLink {
        Instant free_at{};
        std::deque<Packet> from_host;
        std::map<std::uint32_t, Buffer> buffers;  ///< By channel.
        LinkId last_port = 0;
        bool was_used = false;
    };

    bool delivers(LinkId link) const { return x_fabric.links[link].target_vertex < x_fabric.hosts; }
    Duration serialisation(LinkId link, std::uint64_t size_bytes) const {
        return transfer_time(size_bytes, x_fabric.links[link].bandwidth_bps);
    }

    void cut(std::size_t message, const Sent& sent) {
        std::vector<LinkId> path;
        x_routing.route(sent.source, sent.target, path);
        const Packets packets =
            cut_into_packets(sent.size_bytes, x_fabric.packet_bytes, x_fabric.header_bytes);
        for (std::uint32_t i = 0; i < packets.count; ++i) {
            const bool is_last = i + 1 == packets.count;
            const std::uint64_t size_bytes = is_last ? packets.last_bytes : packets.full_bytes;
            x_links[path[0]].from_host.push_back({message, path, 0, 0, size_bytes, is_last, x_now});
        }
    }

    std::uint32_t channel_on(LinkId link, const Packet& packet) const {
        if (packet.hop == 0) return 0;
        return next_channel(x_fabric.links[packet.path[packet.hop - 1]].channel, packet.channel,
                            x_fabric.links[link].channel, x_fabric.buffering.channels);
    }

    bool has_room(LinkId link, const Packet& packet) {
        if (delivers(link)) return true;
        const Buffer& buffer = x_links[link].buffers[channel_on(link, packet)];
        std::uint64_t taken = buffer.sent_bytes;
        for (const auto& [when, size_bytes] : buffer.freed) {
            if (when <= x_now) taken -= size_bytes;
        }
        return taken + packet.size_bytes <= x_fabric.buffering.buffer_bytes;
    }

    void serve(LinkId id) {
        NaiveLink& link = x_links[id];
        if (link.free_at > x_now) return;
        if (!link.from_host.empty()) {
            if (!has_room(id, link.from_host.front())) return;
            const Packet packet = link.from_host.front();
            link.from_host.pop_front();
            start(id, packet);
            return;
        }
        // The best by: in turn, ports after the last one first; then the longest wait.
        Buffer* best = nullptr;
        LinkId best_port = 0;
        std::tuple<bool, LinkId, Instant, std::uint32_t> best_rank;
        for (LinkId port = 0; port < x_links.size(); ++port) {
            for (auto& [channel, buffer] : x_links[port].buffers) {
                if (buffer.packets.empty() || buffer.read_until > x_now) continue;
                const Packet& front = buffer.packets.front();
                if (front.ready > x_now || front.path[front.hop] != id) continue;
                if (!has_room(id, front)) continue;
                const bool in_turn = x_fabric.buffering.arbitration == Arbitration::kRoundRobin;
                const bool is_behind = in_turn && link.was_used && port <= link.last_port;
                const auto rank =
                    in_turn ? std::tuple(is_behind, port, front.ready, channel)
                            : std::tuple(false, LinkId{0}, front.ready, port * 32 + channel);
                if (best != nullptr && rank >= best_rank) continue;
                best = &buffer;
                best_port = port;
                best_rank = rank;
            }
        }
        if (best == nullptr) return;
        link.last_port = best_port;
        link.was_used = true;
        const Packet packet = best->packets.front();
        best->packets.pop_front();
        start(id, packet);
        best->read_until = link.free_at;
        best->freed.push_back(
            {link.free_at + x_fabric.links[best_port].latency, packet.size_bytes});
        x_instants.insert(best->freed.back().first);
    }

    void start(LinkId id, Packet packet) {
        NaiveLink& link = x_links[id];
        const Duration span = serialisation(id, packet.size_bytes);
        link.free_at = x_now + span;
        x_instants.insert(link.free_at);
        const Instant head = x_now + x_fabric.links[id].latency;
        if (delivers(id)) {
            if (packet.is_last) x_arrived[packet.message] = head + span;
            return;
        }
        packet.channel = channel_on(id, packet);
        ++packet.hop;
        const Duration next_span = serialisation(packet.path[packet.hop], packet.size_bytes);
        packet.ready = head + x_fabric.switch_latency + std::max(Duration{}, span - next_span);
        x_instants.insert(packet.ready);
        Buffer& buffer = link.buffers[packet.channel];
        buffer.sent_bytes += packet.size_bytes;
        buffer.packets.push_back(packet);
    }

    const FabricDescription& x_fabric;
    const Routing& x_routing;
    std::vector<NaiveLink> x_links;
    std::set<Instant> x_instants;
    std::vector<Instant> x_arrived;
    Instant x_now{};
};

}  // namespace kumi::network
