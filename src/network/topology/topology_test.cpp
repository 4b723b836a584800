#include "network/topology/topology.hpp"

#include <gtest/gtest.h>

#include "network/testing/shape_under_test.hpp"

namespace kumi::network {
namespace {

const std::vector<LinkParameters> kUplink = {{2000, 2_ns}};

std::unique_ptr<Topology> tree(std::uint64_t leaves, std::uint64_t hosts_per_leaf,
                               std::uint64_t spines) {
    return make("tree",
                {{"leaves", leaves}, {"hosts_per_leaf", hosts_per_leaf}, {"spines", spines}},
                kUplink);
}

TEST(Topology, AllKindsRegisteredThemselves) {
    EXPECT_EQ(Registry<Topology>::instance().names(),
              (Names{"butterfly", "dragonfly", "fat_tree", "fully_connected", "graph", "mesh",
                     "routes", "star", "torus", "tree"}));
}

TEST(Topology, AllPathsLeadWhereTheyShould) {
    for (const std::uint64_t hosts : {1, 2, 3, 16}) {
        EXPECT_TRUE(is_sound_and_shortest(*make("star", {{"hosts", hosts}})));
        EXPECT_TRUE(is_sound_and_shortest(*make("fully_connected", {{"hosts", hosts}})));
    }
    for (const std::uint64_t leaves : {1, 2, 5}) {
        for (const std::uint64_t hosts_per_leaf : {1, 3}) {
            for (const std::uint64_t spines : {1, 2, 7}) {
                EXPECT_TRUE(is_sound_and_shortest(*tree(leaves, hosts_per_leaf, spines)));
            }
        }
    }
}

TEST(Star, HasAnUpAndADownLinkAHost) {
    const auto star = make("star", {{"hosts", 3}});
    const FabricDescription fabric = star->describe();
    expect_size(fabric, 3, 1, 6);
    EXPECT_EQ(fabric.links[0].bandwidth_bps, kHostLink.bandwidth_bps);
    EXPECT_EQ(fabric.links[0].latency, kHostLink.latency);
    EXPECT_EQ(names(*star, 2, 0), (Names{"host2->switch0", "switch0->host0"}));
}

TEST(FullyConnected, HasALinkAPair) {
    const auto network = make("fully_connected", {{"hosts", 5}});
    expect_size(network->describe(), 5, 0, 20);
    EXPECT_EQ(names(*network, 4, 2), Names{"host4->host2"});
}

TEST(Tree, HasLeavesAndSpines) {
    const auto topology = tree(2, 3, 2);
    const FabricDescription fabric = topology->describe();
    expect_size(fabric, 6, 4, 2U * 6 + 2 * 2 * 2);
    EXPECT_EQ(fabric.links.back().bandwidth_bps, 2000U);
    EXPECT_EQ(fabric.links.back().latency, 2_ns);
    EXPECT_EQ(names(*topology, 0, 2), (Names{"host0->switch0", "switch0->host2"}));
    EXPECT_EQ(names(*topology, 1, 5),
              (Names{"host1->switch0", "switch0->switch3", "switch3->switch1", "switch1->host5"}));
}

TEST(Tree, UplinksAreAsLinksIfNotGiven) {
    const auto without = make("tree", {{"leaves", 2}, {"hosts_per_leaf", 1}, {"spines", 1}});
    EXPECT_EQ(without->describe().links.back().bandwidth_bps, kHostLink.bandwidth_bps);
}

TEST(Tree, TargetsSpreadEvenlyOverSpines) {
    const auto topology = tree(4, 8, 4);
    std::map<std::string, int> uses;
    for (HostId target = 8; target < 16; ++target) ++uses[names(*topology, 0, target)[1]];
    EXPECT_EQ(uses.size(), 4U);
    for (const auto& [link, count] : uses) EXPECT_EQ(count, 2) << link;
}

TEST(Topology, ComplaintsSayWhatWasExpected) {
    EXPECT_EQ(
        complaint("ring", {}),
        "topology 'ring' is not known; there are butterfly, dragonfly, fat_tree, fully_connected, "
        "graph, mesh, routes, star, torus, tree");
    EXPECT_EQ(complaint("star", {}), "topology star: hosts is missing");
    EXPECT_EQ(complaint("star", {{"hosts", 0}}),
              "topology star: hosts must be between 1 and 4096, not 0");
    EXPECT_EQ(complaint("fully_connected", {{"hosts", 1025}}),
              "topology fully_connected: hosts must be between 1 and 1024, not 1025");
    EXPECT_EQ(complaint("star", {{"hosts", 2}, {"spines", 2}}),
              "topology star has no 'spines'; it has hosts");
    EXPECT_EQ(complaint("tree", {{"leaves", 100}, {"hosts_per_leaf", 100}, {"spines", 2}}),
              "topology tree: leaves x hosts_per_leaf must be at most 4096");
}

TEST(Fabric, ComplaintsSayWhatWasExpected) {
    const auto complaint_about = [](auto change) {
        FabricDescription fabric = make("star", {{"hosts", 2}})->describe();
        change(fabric);
        return complaint_of([&] { check_fabric(fabric); });
    };
    EXPECT_EQ(complaint_about([](FabricDescription&) {}), "");
    EXPECT_EQ(complaint_about([](auto& fabric) { fabric.hosts = 0; }),
              "a network needs at least one host");
    EXPECT_EQ(complaint_about([](auto& fabric) { fabric.links[1].bandwidth_bps = 0; }),
              "link 'switch0->host0': bandwidth must be between 1 b/s and 10^15 b/s, not 0 b/s");
    EXPECT_EQ(complaint_about([](auto& fabric) { fabric.links[1].latency = {-1}; }),
              "link 'switch0->host0': latency must be between 0 and a day, not -1 ps");
    EXPECT_EQ(complaint_about([](auto& fabric) { fabric.links[0].target_vertex = 3; }),
              "link 'host0->switch1' begins or ends at a vertex that is not there");
    EXPECT_EQ(complaint_about([](auto& fabric) { fabric.links[0].target_vertex = 0; }),
              "link 'host0->host0' begins and ends at the same host");
    EXPECT_EQ(complaint_about([](auto& fabric) { fabric.loopback_bandwidth_bps = 0; }),
              "loopback: bandwidth must be between 1 b/s and 10^15 b/s, not 0 b/s");
    EXPECT_EQ(complaint_about([](auto& fabric) { fabric.packet_bytes = 1ULL << 41; }),
              "packet size must be at most 2^40 bytes, not 2199023255552");
}

}  // namespace
}  // namespace kumi::network
