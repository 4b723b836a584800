// Grids, fat trees, flies and dragonflies: their size, and paths against closed forms and against a
// search through the described links.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>

#include "network/network_under_test.hpp"

namespace kumi {
namespace {

using namespace literals;
using Lists = std::map<std::string, Numbers>;

constexpr LinkParameters kHostLink{8'000'000'000, 100_ns};  // 1 ns a byte

std::unique_ptr<Topology> make(const std::string& kind, const Lists& numbers,
                               const std::vector<LinkParameters>& uplinks = {}) {
    return make_topology({kind, numbers, kHostLink, uplinks});
}

Numbers list_of(const std::vector<std::uint32_t>& values) {
    return Numbers(std::vector<std::uint64_t>(values.begin(), values.end()));
}

std::vector<LinkId> path_of(const Topology& topology, HostId source, HostId target) {
    std::vector<LinkId> path;
    topology.route(source, target, path);
    return path;
}

std::vector<std::string> names(const Topology& topology, HostId source, HostId target) {
    const FabricDescription fabric = topology.describe();
    std::vector<std::string> result;
    for (const LinkId link : path_of(topology, source, target)) {
        result.push_back(link_name(fabric, fabric.links.at(link)));
    }
    return result;
}

/// Links from a host to every vertex on shortest walks; hosts do not forward.
std::vector<std::uint32_t> distances_from(const FabricDescription& fabric, HostId source) {
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
bool is_sound_and_shortest(const Topology& topology) {
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

Duration time_of(const std::string& kind, const Lists& numbers,
                 const std::vector<LinkParameters>& uplinks, HostId source, HostId target,
                 std::uint64_t size_bytes) {
    NetworkUnderTest network({.kind = kind,
                              .numbers = numbers,
                              .link = kHostLink,
                              .uplinks = uplinks,
                              .switch_latency = 10_ns});
    const std::size_t message = network.send(Instant{}, source, target, size_bytes);
    network.run();
    EXPECT_EQ(network->zero_load_time(source, target, size_bytes),
              network.arrived(message) - Instant{});
    return network.arrived(message) - Instant{};
}

std::string complaint(const std::string& kind, const Lists& numbers,
                      const std::vector<LinkParameters>& uplinks = {}) {
    try {
        make(kind, numbers, uplinks);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

/// Hops around a ring or along a row.
std::uint32_t hops(std::uint32_t from, std::uint32_t to, std::uint32_t size, bool wraps) {
    const std::uint32_t straight = from < to ? to - from : from - to;
    return wraps ? std::min(straight, size - straight) : straight;
}

TEST(Torus, HasTheLinksOfItsRings) {
    const auto torus = make("torus", {{"sizes", {4, 3, 2, 1}}, {"hosts_per_switch", 2}});
    const FabricDescription fabric = torus->describe();
    EXPECT_EQ(fabric.switches, 24U);
    EXPECT_EQ(fabric.hosts, 48U);
    // Rings of 4 and 3 have a cable for each switch, pairs one for two switches.
    EXPECT_EQ(fabric.links.size(), 2U * (48 + 24 + 24 + 12));
    EXPECT_TRUE(is_sound_and_shortest(*torus));
}

TEST(Torus, GoesInDimensionOrderTheShorterWayRound) {
    const auto torus = make("torus", {{"sizes", {4, 4}}, {"hosts_per_switch", 1}});
    EXPECT_EQ(names(*torus, 0, 7),
              (std::vector<std::string>{"host0->switch0", "switch0->switch3", "switch3->switch7",
                                        "switch7->host7"}));
    // Two steps either way: upwards.
    EXPECT_EQ(names(*torus, 3, 1),
              (std::vector<std::string>{"host3->switch3", "switch3->switch0", "switch0->switch1",
                                        "switch1->host1"}));
    EXPECT_EQ(names(*torus, 4, 12),
              (std::vector<std::string>{"host4->switch4", "switch4->switch8", "switch8->switch12",
                                        "switch12->host12"}));
}

TEST(Mesh, DoesNotGoAround) {
    const auto mesh = make("mesh", {{"sizes", {4, 3}}, {"hosts_per_switch", 1}});
    EXPECT_EQ(mesh->describe().links.size(), 2U * (12 + 3 * 3 + 4 * 2));
    EXPECT_EQ(names(*mesh, 3, 1), (std::vector<std::string>{"host3->switch3", "switch3->switch2",
                                                            "switch2->switch1", "switch1->host1"}));
    EXPECT_TRUE(is_sound_and_shortest(*mesh));
}

TEST(Torus, ZeroLoadTimeIsTheClosedFormOfTheHopsInEachDimension) {
    // Latencies of a published machine of 16 x 16 x 16; here with shorter rings.
    const std::vector<LinkParameters> links = {
        {8'000'000'000, 21_ns}, {8'000'000'000, 25_ns}, {8'000'000'000, 70_ns}};
    const std::vector<std::uint32_t> sizes = {5, 4, 3};
    const Lists numbers = {{"sizes", list_of(sizes)}, {"hosts_per_switch", 1}};
    for (HostId target = 1; target < 60; ++target) {
        const std::uint32_t x = hops(0, target % 5, 5, true);
        const std::uint32_t y = hops(0, target / 5 % 4, 4, true);
        const std::uint32_t z = hops(0, target / 20, 3, true);
        const Duration expected =
            2 * 100_ns + x * 21_ns + y * 25_ns + z * 70_ns + (x + y + z + 1) * 10_ns + 500_ns;
        EXPECT_EQ(time_of("torus", numbers, links, 0, target, 500), expected) << target;
    }
}

RC_GTEST_PROP(Grid, PathsAreShortestWalksInDimensionOrder, ()) {
    const bool wraps = *rc::gen::arbitrary<bool>();
    const auto sizes =
        *rc::gen::resize(3, rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint32_t>>(
                                rc::gen::inRange<std::uint32_t>(1, 6))));
    std::uint32_t switches = 1;
    for (const std::uint32_t size : sizes) switches *= size;
    RC_PRE(switches <= 125U);
    const std::uint32_t per_switch = *rc::gen::inRange(1, 3);
    const auto grid = make(wraps ? "torus" : "mesh",
                           {{"sizes", list_of(sizes)}, {"hosts_per_switch", per_switch}});
    RC_ASSERT(is_sound_and_shortest(*grid));
    const std::uint32_t source = *rc::gen::inRange<std::uint32_t>(0, switches * per_switch);
    const std::uint32_t target = *rc::gen::inRange<std::uint32_t>(0, switches * per_switch);
    std::uint32_t expected = 2;
    std::uint32_t a = source / per_switch;
    std::uint32_t b = target / per_switch;
    for (const std::uint32_t size : sizes) {
        expected += hops(a % size, b % size, size, wraps);
        a /= size;
        b /= size;
    }
    RC_ASSERT(path_of(*grid, source, target).size() == expected);
}

TEST(FatTree, OfTwoLevelsIsATree) {
    const auto tree = make("fat_tree", {{"children", {4, 3}}, {"parents", {1, 2}}, {"cables", 1}});
    const FabricDescription fabric = tree->describe();
    EXPECT_EQ(fabric.hosts, 12U);
    EXPECT_EQ(fabric.switches, 3U + 2U);
    EXPECT_EQ(fabric.links.size(), 2U * (12 + 3 * 2));
    EXPECT_EQ(names(*tree, 0, 3), (std::vector<std::string>{"host0->switch0", "switch0->host3"}));
    EXPECT_EQ(names(*tree, 0, 11),
              (std::vector<std::string>{"host0->switch0", "switch0->switch4", "switch4->switch2",
                                        "switch2->host11"}));
    EXPECT_TRUE(is_sound_and_shortest(*tree));
}

TEST(FatTree, TargetsSpreadOverParentsAndCables) {
    const auto tree =
        make("fat_tree", {{"children", {8, 2}}, {"parents", {1, 2}}, {"cables", {1, 2}}});
    std::map<std::string, int> up;
    std::map<std::string, int> down;
    for (HostId target = 8; target < 16; ++target) {
        const auto path = names(*tree, 0, target);
        ++up[path.at(1)];
        ++down[path.at(2)];
    }
    EXPECT_EQ(up, (std::map<std::string, int>{{"switch0->switch2", 2},
                                              {"switch0->switch2#1", 2},
                                              {"switch0->switch3", 2},
                                              {"switch0->switch3#1", 2}}));
    EXPECT_EQ(down.size(), 4U);
}

TEST(FatTree, ZeroLoadTimeIsTheClosedFormOfTheLevels) {
    const std::vector<LinkParameters> links = {{8'000'000'000, 30_ns}, {8'000'000'000, 70_ns}};
    const Lists numbers = {{"children", {2, 2, 2}}, {"parents", {1, 2, 2}}, {"cables", 1}};
    EXPECT_EQ(time_of("fat_tree", numbers, links, 0, 1, 500), 2 * 100_ns + 10_ns + 500_ns);
    EXPECT_EQ(time_of("fat_tree", numbers, links, 0, 3, 500), 2 * 130_ns + 3 * 10_ns + 500_ns);
    EXPECT_EQ(time_of("fat_tree", numbers, links, 0, 7, 500), 2 * 200_ns + 5 * 10_ns + 500_ns);
}

RC_GTEST_PROP(FatTree, PathsAreShortestWalks, ()) {
    const auto levels = *rc::gen::inRange<std::size_t>(1, 4);
    const auto some = [&](std::uint32_t most) {
        return *rc::gen::container<std::vector<std::uint32_t>>(
            levels, rc::gen::inRange<std::uint32_t>(1, most + 1));
    };
    const auto tree = make("fat_tree", {{"children", list_of(some(4))},
                                        {"parents", list_of(some(3))},
                                        {"cables", list_of(some(2))}});
    RC_ASSERT(is_sound_and_shortest(*tree));
}

TEST(Fly, HasOnePathOverAllStages) {
    const auto fly = make("fly", {{"radix", 2}, {"stages", 3}});
    const FabricDescription fabric = fly->describe();
    EXPECT_EQ(fabric.hosts, 8U);
    EXPECT_EQ(fabric.switches, 12U);
    EXPECT_EQ(fabric.links.size(), 8U * 4);
    EXPECT_EQ(names(*fly, 0, 7),
              (std::vector<std::string>{"host0->switch0", "switch0->switch6", "switch6->switch11",
                                        "switch11->host7"}));
    EXPECT_TRUE(is_sound_and_shortest(*fly));
    const Lists numbers = {{"radix", 2}, {"stages", 3}};
    for (HostId target = 1; target < 8; ++target) {
        EXPECT_EQ(time_of("fly", numbers, {{8'000'000'000, 40_ns}}, 0, target, 500),
                  2 * 100_ns + 2 * 40_ns + 3 * 10_ns + 500_ns);
    }
}

RC_GTEST_PROP(Fly, PathsAreTheOnlyWalks, ()) {
    const auto radix = *rc::gen::inRange<std::uint32_t>(2, 5);
    const auto stages = *rc::gen::inRange<std::uint32_t>(1, 4);
    const auto fly = make("fly", {{"radix", radix}, {"stages", stages}});
    RC_ASSERT(is_sound_and_shortest(*fly));
    RC_ASSERT(path_of(*fly, 0, 1).size() == stages + 1);
}

Lists dragonfly(std::uint32_t groups, std::uint32_t switches, std::uint32_t ports,
                std::uint32_t hosts) {
    return {{"groups", groups},
            {"switches_per_group", switches},
            {"global_links_per_switch", ports},
            {"hosts_per_switch", hosts}};
}

/// Switches on a path, and how many of its links are global.
struct Crossing {
    std::size_t switches = 0;
    std::size_t globals = 0;
};

Crossing crossing_of(const FabricDescription& fabric, const std::vector<LinkId>& path,
                     std::uint32_t group_switches) {
    Crossing crossing{path.size() - 1, 0};
    for (std::size_t hop = 1; hop + 1 < path.size(); ++hop) {
        const LinkDescription& link = fabric.links[path[hop]];
        const std::uint32_t from = (link.source_vertex - fabric.hosts) / group_switches;
        const std::uint32_t to = (link.target_vertex - fabric.hosts) / group_switches;
        crossing.globals += from == to ? 0 : 1;
    }
    return crossing;
}

TEST(Dragonfly, OfAPaperHas256SwitchesAndPathsOfAtMostFour) {
    const auto topology = make("dragonfly", dragonfly(32, 8, 4, 1));
    const FabricDescription fabric = topology->describe();
    EXPECT_EQ(fabric.hosts, 256U);
    EXPECT_EQ(fabric.switches, 256U);
    EXPECT_EQ(fabric.links.size(), 2U * (256 + 32 * 28 + 32 * 31 / 2));
    std::size_t longest = 0;
    for (HostId target = 1; target < 256; ++target) {
        longest = std::max(longest, path_of(*topology, 0, target).size() - 1);
    }
    EXPECT_EQ(longest, 4U);
}

TEST(Dragonfly, GlobalLinksAreArrangedAbsolutely) {
    const auto topology = make("dragonfly", dragonfly(5, 2, 2, 1));
    // Group 2: ports 0, 1 at its first switch lead to groups 0, 1, the others to groups 3, 4.
    std::vector<std::string> global;
    const FabricDescription fabric = topology->describe();
    for (const LinkDescription& link : fabric.links) {
        const bool leaves = link.source_vertex == 5 * 2 + 4 || link.source_vertex == 5 * 2 + 5;
        if (leaves && link.target_vertex >= 10) global.push_back(link_name(fabric, link));
    }
    EXPECT_EQ(global, (std::vector<std::string>{"switch4->switch5", "switch5->switch4",
                                                "switch4->switch0", "switch4->switch2",
                                                "switch5->switch7", "switch5->switch9"}));
}

TEST(Dragonfly, ZeroLoadTimeIsTheClosedFormOfLocalAndGlobalLinks) {
    const std::vector<LinkParameters> links = {{8'000'000'000, 20_ns}, {8'000'000'000, 300_ns}};
    const Lists numbers = dragonfly(5, 2, 2, 2);
    const auto topology = make("dragonfly", numbers, links);
    const FabricDescription fabric = topology->describe();
    for (HostId target = 1; target < fabric.hosts; ++target) {
        const Crossing crossing = crossing_of(fabric, path_of(*topology, 0, target), 2);
        const auto globals = static_cast<std::int64_t>(crossing.globals);
        const auto switches = static_cast<std::int64_t>(crossing.switches);
        const std::int64_t locals = switches - 1 - globals;
        EXPECT_EQ(globals, target < 4 ? 0 : 1);
        EXPECT_EQ(time_of("dragonfly", numbers, links, 0, target, 500),
                  2 * 100_ns + locals * 20_ns + globals * 300_ns + switches * 10_ns + 500_ns);
    }
}

RC_GTEST_PROP(Dragonfly, PathsAreWalksWithAtMostOneGlobalLink, ()) {
    const auto switches = *rc::gen::inRange<std::uint32_t>(1, 5);
    const auto ports = *rc::gen::inRange<std::uint32_t>(0, 4);
    const auto groups = *rc::gen::inRange<std::uint32_t>(1, switches * ports + 2);
    const auto hosts = *rc::gen::inRange<std::uint32_t>(1, 3);
    const auto topology = make("dragonfly", dragonfly(groups, switches, ports, hosts));
    is_sound_and_shortest(*topology);
    const FabricDescription fabric = topology->describe();
    std::vector<std::uint32_t> used(fabric.hosts + fabric.switches);
    for (const LinkDescription& link : fabric.links) ++used[link.source_vertex];
    for (std::uint32_t vertex = fabric.hosts; vertex < used.size(); ++vertex) {
        RC_ASSERT(used[vertex] <= hosts + switches - 1 + ports);
    }
    for (HostId source = 0; source < fabric.hosts; ++source) {
        const auto distance = distances_from(fabric, source);
        for (HostId target = 0; target < fabric.hosts; ++target) {
            if (source == target) continue;
            const auto path = path_of(*topology, source, target);
            const bool same_group = source / hosts / switches == target / hosts / switches;
            const Crossing crossing = crossing_of(fabric, path, switches);
            RC_ASSERT(crossing.globals == (same_group ? 0U : 1U));
            RC_ASSERT(crossing.switches <= (same_group ? 2U : 4U));
            // Only two global links in a row could be shorter than one with a local one each side.
            RC_ASSERT(path.size() == distance[target] || crossing.switches == 4);
        }
    }
}

TEST(Shapes, ComplaintsSayWhatWasExpected) {
    EXPECT_EQ(complaint("torus", {{"sizes", 4}, {"hosts_per_switch", 1}}),
              "topology torus: sizes must be a list of numbers");
    EXPECT_EQ(complaint("torus", {{"sizes", {4, 0}}, {"hosts_per_switch", 1}}),
              "topology torus: sizes must be between 1 and 2097152, not 0");
    EXPECT_EQ(complaint("torus", {{"sizes", {2048, 2048}}, {"hosts_per_switch", 1}}),
              "topology torus: the number of switches must be at most 2097152");
    EXPECT_EQ(complaint("mesh", {{"sizes", {4, 4}}, {"hosts_per_switch", {1, 2}}}),
              "topology mesh: hosts_per_switch must be one number, not a list");
    EXPECT_EQ(
        complaint("mesh", {{"sizes", {4, 4, 4}}, {"hosts_per_switch", 1}}, {kHostLink, kHostLink}),
        "topology mesh has 3 kinds of links between switches, but 2 are described");
    EXPECT_EQ(complaint("fat_tree", {{"children", {4, 4}}, {"parents", {1}}, {"cables", 1}}),
              "topology fat_tree: parents must have 2 numbers, not 1");
    EXPECT_EQ(complaint("fly", {{"radix", 2}, {"stages", 0}}),
              "topology fly: stages must be between 1 and 20, not 0");
    EXPECT_EQ(complaint("fly", {{"radix", 4000}, {"stages", 3}}),
              "topology fly: radix ^ stages must be at most 2097152");
    EXPECT_EQ(complaint("dragonfly", dragonfly(34, 8, 4, 1)),
              "topology dragonfly: groups must be at most switches_per_group x "
              "global_links_per_switch + 1 = 33, not 34");
}

}  // namespace
}  // namespace kumi
