// Graphs that are given link by link.

#include <gtest/gtest.h>

#include <stdexcept>

#include "network/testing/shape_under_test.hpp"

namespace kumi::network {
namespace {

struct Edge {
    std::uint64_t source, target, latency_ps;
};

TopologyParameters graph(std::uint64_t hosts, std::uint64_t switches,
                         const std::vector<Edge>& edges) {
    const auto column = [&](std::uint64_t Edge::* member) {
        std::vector<std::uint64_t> values;
        for (const Edge& edge : edges) values.push_back(edge.*member);
        return Numbers(values);
    };
    const std::vector<std::uint64_t> bandwidth_bps(edges.size(), 8'000'000'000);
    return {"graph",
            {{"hosts", hosts},
             {"switches", switches},
             {"sources", column(&Edge::source)},
             {"targets", column(&Edge::target)},
             {"bandwidth_bps", Numbers(bandwidth_bps)},
             {"latency_ps", column(&Edge::latency_ps)}}};
}

TEST(Graph, PathsHaveFewestLinksThenLeastLatencyThenTheFirstLink) {
    // Hosts 0 and 1; switches 2, 3, 4: two ways of equal length, and a long one.
    const auto by_latency = make_topology(
        graph(2, 3, {{0, 2, 9}, {0, 3, 5}, {2, 1, 1}, {3, 1, 4}, {0, 4, 0}, {4, 2, 0}}));
    EXPECT_EQ(path_of(*by_latency, 0, 1), (std::vector<LinkId>{1, 3}));
    const auto by_order = make_topology(
        graph(2, 3, {{0, 2, 5}, {0, 3, 5}, {3, 1, 1}, {2, 1, 1}, {0, 4, 0}, {4, 2, 0}}));
    EXPECT_EQ(path_of(*by_order, 0, 1), (std::vector<LinkId>{1, 2}));
}

TEST(Graph, ParallelLinksHaveNamesOfTheirOwn) {
    const auto topology = make_topology(graph(2, 1, {{0, 2, 5}, {0, 2, 4}, {2, 1, 0}}));
    const FabricDescription fabric = topology->describe();
    EXPECT_EQ(link_name(fabric, fabric.links[0]), "host0->switch0");
    EXPECT_EQ(link_name(fabric, fabric.links[1]), "host0->switch0#1");
    EXPECT_EQ(path_of(*topology, 0, 1), (std::vector<LinkId>{1, 2}));
}

TEST(Graph, HostsDoNotForward) {
    const auto topology = make_topology(
        graph(3, 2, {{0, 1, 0}, {1, 2, 0}, {0, 3, 0}, {3, 4, 0}, {4, 2, 0}, {2, 3, 0}}));
    EXPECT_EQ(path_of(*topology, 0, 2), (std::vector<LinkId>{2, 3, 4}));
    EXPECT_THROW(path_of(*topology, 2, 1), std::invalid_argument);
}

TEST(Graph, AMissingPathIsNamedWhenTheNetworkIsBuilt) {
    const auto topology = make_topology(graph(2, 1, {{0, 2, 0}, {2, 1, 0}}));
    ArenaForTests arena;
    EXPECT_EQ(complaint_of([&] { Network::create(*arena, topology->describe(), *topology); }),
              "topology graph: there is no path from host1 to host0");
}

TEST(Graph, ComplaintsSayWhatWasExpected) {
    EXPECT_THROW(make_topology(graph(2, 1, {{0, 3, 0}})), std::invalid_argument);
    TopologyParameters uneven = graph(2, 1, {{0, 2, 0}});
    uneven.numbers.insert_or_assign("latency_ps", Numbers{});
    EXPECT_THROW(make_topology(uneven), std::invalid_argument);
    EXPECT_NO_THROW(make_topology(graph(1, 0, {})));
}

}  // namespace
}  // namespace kumi::network
