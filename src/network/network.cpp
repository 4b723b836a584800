#include "network/network.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace kumi::network {
Network* Network::create(Arena& arena, const FabricDescription& fabric, const Routing& routing,
                         std::span<const HostId> used) {
    check_fabric(fabric);
    const RouteTable routes(arena, fabric, routing, used);
    auto* network = arena.make<Network>(arena, fabric, routes, nullptr);
    network->find_minimum_latency();
    return network;
}

Network* Network::create(Arena& arena, const FabricDescription& fabric, PathFinder& paths) {
    check_fabric(fabric);
    auto* network = arena.make<Network>(arena, fabric, RouteTable(), &paths);
    network->bound_minimum_latency(fabric);
    return network;
}

Network::Network(Arena& arena, const FabricDescription& fabric, const RouteTable& routes,
                 PathFinder* finder)
    : Traffic(arena, fabric),
      x_waiting(&arena),
      x_routes(routes),
      x_finder(finder),
      x_packet_bytes(fabric.packet_bytes),
      x_header_bytes(fabric.header_bytes) {
    x_links = x_arena->make_array<Link>(x_links_count + x_hosts);
    x_injections = x_arena->make_array<InjectionQueue>(x_hosts);
    build_kinds(fabric);
    build_settings(fabric);
    build_noise(fabric);
}

void Network::build_settings(const FabricDescription& fabric) {
    if (fabric.buffering.buffer_bytes != 0) {
        x_credits = x_arena->make<CreditSwitching>(*x_arena, fabric);
    }
    if (fabric.route_policy != RoutePolicy::kMinimal) {
        x_non_minimal = x_arena->make<NonMinimalRoutes>(*x_arena, fabric);
    }
    if (fabric.power.mode_count == 0) return;
    x_power = x_arena->make<FabricPower>(*x_arena, fabric);
    if (x_power->policy().takes_wake_frames) {
        x_wake_frames = x_arena->make<WakeFrames>(*x_arena, x_links_count);
    }
}

void Network::build_noise(const FabricDescription& fabric) {
    if (fabric.noises.empty()) return;
    x_noises = x_arena->copy_of<LinkNoise>(fabric.noises);
    // Names lie in the memory of the process that builds the network.
    for (std::size_t index = 0; index < fabric.noises.size(); ++index) {
        x_noises[index].channel.modulation.name = {};
    }
    x_noise_of_links = x_arena->make_array<std::uint8_t>(x_links_count);
    for (LinkId id = 0; id < x_links_count; ++id) x_noise_of_links[id] = fabric.links[id].noise;
}

void Network::build_kinds(const FabricDescription& fabric) {
    using Key = std::tuple<std::uint64_t, std::int64_t, bool>;
    std::map<Key, std::uint32_t> numbers;
    std::vector<LinkKind> kinds;
    Key last{};
    std::uint32_t last_number = 0;
    const auto number_of = [&](const Key& key) {
        // Most links are of the kind of the one before.
        if (!kinds.empty() && key == last) return last_number;
        const auto next = static_cast<std::uint32_t>(kinds.size());
        const auto [place, is_new] = numbers.try_emplace(key, next);
        const auto [rate_bps, latency_ps, delivers] = key;
        if (is_new) kinds.push_back({Serialisation(rate_bps), {latency_ps}, delivers});
        last = key;
        return last_number = place->second;
    };
    for (std::uint32_t id = 0; id < x_links_count; ++id) {
        const LinkDescription& about = fabric.links[id];
        const bool delivers = about.target_vertex < fabric.hosts;
        const Duration latency = about.latency + (delivers ? Duration{} : fabric.switch_latency);
        x_links[id].kind = number_of({about.bandwidth_bps, latency.ps, delivers});
    }
    const std::uint32_t loopback =
        number_of({fabric.loopback_bandwidth_bps, fabric.loopback_latency.ps, true});
    for (std::uint32_t host = 0; host < x_hosts; ++host) {
        x_links[x_links_count + host].kind = loopback;
    }
    x_kinds = x_arena->copy_of<LinkKind>(kinds);
}

void Network::find_minimum_latency() {
    x_loopback_latency = zero_load_time(0, 0, 0);
    x_minimum_latency = Duration{kNever.ps};
    Duration shortest_link{kNever.ps};
    for (LinkId id = 0; id < x_links_count; ++id) {
        shortest_link = std::min(shortest_link, kind_of(x_links[id]).latency);
    }
    for (const HostId source : x_routes.used()) {
        for (const HostId target : x_routes.used()) {
            // There are many pairs, and of most the number of links says enough.
            const std::uint32_t length = find_path(source, target).length;
            const bool is_connected = source != target && length > 0;
            if (!is_connected || shortest_link * length >= x_minimum_latency) continue;
            x_minimum_latency = std::min(x_minimum_latency, zero_load_time(source, target, 0));
        }
    }
    if (x_minimum_latency.ps == kNever.ps) x_minimum_latency = x_loopback_latency;
}

void Network::bound_minimum_latency(const FabricDescription& fabric) {
    x_loopback_latency = zero_load_time(0, 0, 0);
    if (x_hosts == 1) {
        x_minimum_latency = x_loopback_latency;
        return;
    }
    Duration direct{kNever.ps};
    Duration first{kNever.ps};
    Duration last{kNever.ps};
    for (LinkId id = 0; id < x_links_count; ++id) {
        const LinkKind& link = kind_of(x_links[id]);
        const bool leaves_host = fabric.links[id].source_vertex < x_hosts;
        const Duration arrival = link.latency + link.serialisation(x_header_bytes);
        if (leaves_host && link.delivers) direct = std::min(direct, arrival);
        if (leaves_host && !link.delivers) first = std::min(first, link.latency);
        if (!leaves_host && link.delivers) last = std::min(last, arrival);
    }
    const bool has_both = first.ps != kNever.ps && last.ps != kNever.ps;
    x_minimum_latency = has_both ? std::min(direct, first + last) : direct;
    if (x_minimum_latency.ps == kNever.ps) x_minimum_latency = x_loopback_latency;
}

Duration Network::zero_load_time(HostId source, HostId target, std::uint64_t size_bytes) const {
    KUMI_ASSERT(source < x_hosts && target < x_hosts, "a path between hosts that are not there");
    const Path path = find_path(source, target);
    KUMI_ASSERT(path.length > 0, "the time between hosts that are not connected");
    return idle_time(cut(source, target, size_bytes), path.links, path.length);
}

Duration Network::injection_time(HostId source, HostId target, std::uint64_t size_bytes) const {
    const Packets packets = cut(source, target, size_bytes);
    const LinkKind& link = kind_of(x_links[find_path(source, target).links[0]]);
    return link.serialisation(packets.full_bytes) * (packets.count - 1) +
           link.serialisation(packets.last_bytes);
}

/// The time of packets on a path of idle links, which `path[hop]` gives.
Duration Network::idle_time(const Packets& packets, const auto& path, std::uint32_t length) const {
    ZeroLoadTime time(packets.count);
    for (std::uint32_t hop = 0; hop < length; ++hop) {
        const LinkKind& link = kind_of(x_links[path[hop]]);
        time.add({link.latency, link.serialisation(packets.full_bytes),
                  link.serialisation(packets.last_bytes)});
    }
    return time.total();
}

void Network::note_arrival(std::uint32_t index) {
    const Transit& transit = x_transits.at(index);
    const Packets packets{transit.packets,
                          transit.packets == 1 ? transit.last_packet_bytes : x_full_packet_bytes,
                          transit.last_packet_bytes};
    x_arrival.zero_load = idle_time(packets, transit.path, transit.path.length());
    const bool had_credit = x_credits == nullptr || kind_of(x_links[transit.path[0]]).delivers;
    x_arrival.credit_wait = had_credit ? Duration{} : x_credits->credit_wait_of(index);
}

bool Network::inject(Instant when, HostId source, HostId target, std::uint64_t size_bytes,
                     std::uint32_t order_source, std::uint64_t order_sequence,
                     std::uint64_t cookie) {
    KUMI_ASSERT(when >= x_now, "a message is injected in the past");
    KUMI_ASSERT(source < x_hosts && target < x_hosts, "a message between hosts that are not there");
    Path path = find_path(source, target);
    if (path.length == 0) return false;
    const std::uint32_t index = x_transits.acquire();
    Transit& transit = x_transits.at(index);
    transit.cookie = cookie;
    transit.size_bytes = size_bytes;
    const Packets packets = cut(source, target, size_bytes);
    if (x_non_minimal == nullptr) {
        transit.path =
            x_finder == nullptr ? TransitPath(path) : TransitPath::copy_of(path, *x_arena);
    } else {
        // The rest of the path is chosen when the message leaves.
        path.length = 1;
        transit.path = TransitPath(path);
        x_non_minimal->note(*x_arena, index, source, target);
    }
    transit.packets = packets.count;
    transit.last_packet_bytes = packets.last_bytes;
    ++x_counters.injected_messages;
    x_counters.injected_bytes += size_bytes;

    const auto key =
        engine::EventKey::of(when, engine::EventClass::kInjection, order_source, order_sequence);
    InjectionQueue& waiting = x_injections[source];
    // Senders that share a host need not inject in order: the few that do not go directly.
    const bool is_in_order = waiting.accepts(key);
    if (is_in_order && !waiting.push(x_waiting, {key, index})) return true;
    x_queue.push({key, (is_in_order ? kFirstOfQueue : 0) | injection_payload(index, source)});
    return true;
}

LinkUseTable Network::link_use() const {
    std::vector<LinkId> all(x_links_count);
    std::iota(all.begin(), all.end(), LinkId{0});
    return link_use(all);
}

LinkUseTable Network::link_use(std::span<const LinkId> links) const {
    std::uint32_t width_log2 = LinkUse::kFirstWidthLog2;
    for (LinkId id = 0; id < x_links_count; ++id) {
        width_log2 = std::max(width_log2, x_links[id].use.width_log2());
    }
    std::uint32_t bins = 0;
    for (LinkId id = 0; id < x_links_count; ++id) {
        bins = std::max(bins, x_links[id].use.used_bins(width_log2));
    }
    LinkUseTable table{std::int64_t{1} << width_log2, {}};
    for (const LinkId id : links) {
        table.busy_ps.emplace_back(bins);
        x_links[id].use.add_to(table.busy_ps.back().data(), width_log2, x_use_bins);
    }
    return table;
}

}  // namespace kumi::network
