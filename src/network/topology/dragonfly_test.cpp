// Dragonflies: their size, and how many global links their paths have.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "network/testing/shape_under_test.hpp"

namespace kumi::network {
namespace {

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
    const auto topology = make("dragonfly", dragonfly_numbers(32, 8, 4, 1));
    expect_size(topology->describe(), 256, 256, 2U * (256 + 32 * 28 + 32 * 31 / 2));
    std::size_t longest = 0;
    for (HostId target = 1; target < 256; ++target) {
        longest = std::max(longest, path_of(*topology, 0, target).size() - 1);
    }
    EXPECT_EQ(longest, 4U);
}

TEST(Dragonfly, GlobalLinksAreArrangedAbsolutely) {
    const auto topology = make("dragonfly", dragonfly_numbers(5, 2, 2, 1));
    // Group 2: ports 0, 1 at its first switch lead to groups 0, 1, the others to groups 3, 4.
    std::vector<std::string> global;
    const FabricDescription fabric = topology->describe();
    for (const LinkDescription& link : fabric.links) {
        const bool leaves = link.source_vertex == 5 * 2 + 4 || link.source_vertex == 5 * 2 + 5;
        if (leaves && link.target_vertex >= 10) global.push_back(link_name(fabric, link));
    }
    EXPECT_EQ(global, (Names{"switch4->switch5", "switch5->switch4", "switch4->switch0",
                             "switch4->switch2", "switch5->switch7", "switch5->switch9"}));
}

TEST(Dragonfly, ZeroLoadTimeIsTheClosedFormOfLocalAndGlobalLinks) {
    const std::vector<LinkParameters> links = {{8'000'000'000, 20_ns}, {8'000'000'000, 300_ns}};
    const Lists numbers = dragonfly_numbers(5, 2, 2, 2);
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
    const auto topology = make("dragonfly", dragonfly_numbers(groups, switches, ports, hosts));
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

TEST(Dragonfly, ComplainsOfGroupsThatNoLinkReaches) {
    EXPECT_EQ(complaint("dragonfly", dragonfly_numbers(34, 8, 4, 1)),
              "topology dragonfly: groups must be at most switches_per_group x "
              "global_links_per_switch + 1 = 33, not 34");
}

}  // namespace
}  // namespace kumi::network
