#pragma once

// Topologies by their kind and numbers, for tests that hold their paths against closed forms and
// against a search through the described links.

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "network/testing/network_under_test.hpp"
#include "network/zero_load.hpp"

namespace kumi::network {

using namespace literals;
using Lists = std::map<std::string, Numbers>;
using Names = std::vector<std::string>;

inline constexpr LinkParameters kHostLink{8'000'000'000, 100_ns};  // 1 ns a byte

inline std::unique_ptr<Topology> make(const std::string& kind, const Lists& numbers,
                                      const std::vector<LinkParameters>& switch_links = {}) {
    return make_topology({kind, numbers, kHostLink, switch_links});
}

inline Numbers list_of(const std::vector<std::uint32_t>& values) {
    return Numbers(std::vector<std::uint64_t>(values.begin(), values.end()));
}

inline std::vector<LinkId> path_of(const Topology& topology, HostId source, HostId target) {
    std::vector<LinkId> path;
    topology.route(source, target, path);
    return path;
}

inline void expect_size(const FabricDescription& fabric, std::uint32_t hosts,
                        std::uint32_t switches, std::size_t links) {
    EXPECT_EQ(fabric.hosts, hosts);
    EXPECT_EQ(fabric.switches, switches);
    EXPECT_EQ(fabric.links.size(), links);
}

inline Names names(const Topology& topology, HostId source, HostId target) {
    const FabricDescription fabric = topology.describe();
    Names result;
    for (const LinkId link : path_of(topology, source, target)) {
        result.push_back(link_name(fabric, fabric.links.at(link)));
    }
    return result;
}

/// Links from a host to every vertex on shortest walks; hosts do not forward.
inline std::vector<std::uint32_t> distances_from(const FabricDescription& fabric, HostId source) {
    std::vector<std::vector<std::uint32_t>> next(fabric.hosts + fabric.switches);
    for (const LinkDescription& link : fabric.links) {
        next[link.source_vertex].push_back(link.target_vertex);
    }
    std::vector<std::uint32_t> distance(next.size(), 0xFFFFFFFF);
    distance[source] = 0;
    std::deque<std::uint32_t> waiting{source};
    while (!waiting.empty()) {
        const std::uint32_t vertex = waiting.front();
        waiting.pop_front();
        if (vertex < fabric.hosts && vertex != source) continue;
        for (const std::uint32_t neighbour : next[vertex]) {
            if (distance[neighbour] != 0xFFFFFFFF) continue;
            distance[neighbour] = distance[vertex] + 1;
            waiting.push_back(neighbour);
        }
    }
    return distance;
}

/// All paths are walks from source to target; returns whether all are as short as can be.
inline bool is_sound_and_shortest(const Topology& topology) {
    FabricDescription fabric = topology.describe();
    check_fabric(fabric);
    std::set<std::string> link_names;
    for (const LinkDescription& link : fabric.links) link_names.insert(link_name(fabric, link));
    EXPECT_EQ(link_names.size(), fabric.links.size());
    ArenaForTests arena;
    const RouteTable table(*arena, fabric, topology);
    bool is_shortest = true;
    for (HostId source = 0; source < fabric.hosts; ++source) {
        const auto distance = distances_from(fabric, source);
        for (HostId target = 0; target < fabric.hosts; ++target) {
            if (source == target) continue;
            is_shortest &= table.path(source, target).length == distance[target];
        }
    }
    return is_shortest;
}

/// Sends one message through an idle network, and checks that the prediction agrees.
inline Duration time_of(const PlatformUnderTest& platform, HostId source, HostId target,
                        std::uint64_t size_bytes) {
    NetworkUnderTest network(platform);
    const Duration time = network.time_of(Instant{}, source, target, size_bytes);
    EXPECT_EQ(network->zero_load_time(source, target, size_bytes), time);
    std::vector<LinkId> path;
    if (source != target) network.topology().route(source, target, path);
    EXPECT_EQ(zero_load_time(network.fabric(), path, size_bytes), time);
    return time;
}

inline Duration time_of(const std::string& kind, const Lists& numbers,
                        const std::vector<LinkParameters>& switch_links, HostId source,
                        HostId target, std::uint64_t size_bytes) {
    return time_of({.kind = kind,
                    .numbers = numbers,
                    .link = kHostLink,
                    .switch_links = switch_links,
                    .switch_latency = 10_ns},
                   source, target, size_bytes);
}

inline std::string complaint(const std::string& kind, const Lists& numbers,
                             const std::vector<LinkParameters>& switch_links = {}) {
    return complaint_of([&] { make(kind, numbers, switch_links); });
}
}  // namespace kumi::network
