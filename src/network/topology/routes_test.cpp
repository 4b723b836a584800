// Links and paths that are given one by one.

#include <gtest/gtest.h>

#include "network/testing/shape_under_test.hpp"

namespace kumi::network {
namespace {

const Numbers kNone{std::vector<std::uint64_t>()};

/// Hosts 0 and 1 at switches 2 and 3, and a medium at switch 2 that both directions share.
TopologyParameters shared_medium() {
    return {"routes",
            {{"hosts", 2},
             {"switches", 1},
             {"sources", {0, 1, 2, 2, 2}},
             {"targets", {2, 2, 2, 0, 1}},
             {"bandwidth_bps",
              {80'000'000'000, 80'000'000'000, 8'000'000'000, 80'000'000'000, 80'000'000'000}},
             {"latency_ps", {10, 20, 1000, 30, 40}},
             {"kinds", {0, 1}},
             {"up_begins", {0, 0, 0}},
             {"up_links", kNone},
             {"down_begins", {0, 0, 0}},
             {"down_links", kNone},
             {"pipes", kNone},
             {"path_begins", {0, 0, 3, 6, 6}},
             {"path_links", {0, 2, 4, 1, 2, 3}}}};
}

/// Hosts 0, 1 and 2, of one kind, at switch 4, host 3 at switch 5, and a pipe between the switches:
/// link 8 + h is that of host h. Back there is link 12.
TopologyParameters cluster_and_host() {
    return {"routes",
            {{"hosts", 4},
             {"switches", 2},
             {"sources", {0, 1, 2, 3, 4, 4, 4, 5, 4, 4, 4, 4, 5}},
             {"targets", {4, 4, 4, 5, 0, 1, 2, 3, 5, 5, 5, 5, 4}},
             {"bandwidth_bps", Numbers(std::vector<std::uint64_t>(13, 8'000'000'000))},
             {"latency_ps", Numbers(std::vector<std::uint64_t>(13, 1000))},
             {"kinds", {0, 0, 0, 1}},
             {"up_begins", {0, 1, 2, 3, 3}},
             {"up_links", {0, 1, 2}},
             {"down_begins", {0, 1, 2, 3, 3}},
             {"down_links", {4, 5, 6}},
             {"pipes", {8}},
             {"path_begins", {0, 0, 2, 4, 4}},
             {"path_links", {13, 7, 3, 12}}}};
}

/// The complaint about `parameters` with these numbers in place of their own, without the kind.
std::string complaint_with(const char* name, const Numbers& numbers,
                           TopologyParameters parameters = shared_medium()) {
    parameters.numbers.at(name) = numbers;
    const std::string text = complaint(parameters.kind, parameters.numbers);
    const std::string kind = "topology routes: ";
    EXPECT_EQ(text.substr(0, kind.size()), kind);
    return text.substr(kind.size());
}

TEST(Routes, PathsAreThoseThatWereGiven) {
    const auto topology = make_topology(shared_medium());
    EXPECT_EQ(path_of(*topology, 0, 1), (std::vector<LinkId>{0, 2, 4}));
    EXPECT_EQ(path_of(*topology, 1, 0), (std::vector<LinkId>{1, 2, 3}));
}

TEST(Routes, HostsOfAKindShareWhatIsNotTheirOwn) {
    const auto topology = make_topology(cluster_and_host());
    EXPECT_EQ(path_of(*topology, 0, 2), (std::vector<LinkId>{0, 6}));
    EXPECT_EQ(path_of(*topology, 2, 0), (std::vector<LinkId>{2, 4}));
    EXPECT_EQ(path_of(*topology, 0, 3), (std::vector<LinkId>{0, 8, 7}));
    EXPECT_EQ(path_of(*topology, 2, 3), (std::vector<LinkId>{2, 10, 7}));
    EXPECT_EQ(path_of(*topology, 3, 1), (std::vector<LinkId>{3, 12, 5}));
    EXPECT_EQ(topology->channels(RoutePolicy::kMinimal), 3U);
}

TEST(Routes, KindsOfHostsNeedNotBeConnected) {
    TopologyParameters parameters = cluster_and_host();
    parameters.numbers.at("path_begins") = {0, 0, 2, 3, 3};
    parameters.numbers.at("path_links") = {13, 7, 14};
    const auto topology = make_topology(parameters);
    std::vector<LinkId> path{7};
    topology->route(3, 1, path);
    EXPECT_EQ(path, std::vector<LinkId>());
    topology->route(1, 3, path);
    EXPECT_EQ(path, (std::vector<LinkId>{1, 9, 7}));
    // What says so must stand alone.
    parameters.numbers.at("path_begins") = {0, 0, 2, 4, 4};
    parameters.numbers.at("path_links") = {13, 7, 14, 14};
    EXPECT_EQ(complaint(parameters.kind, parameters.numbers),
              "topology routes: a path has the link 14, which is not there");
}

TEST(Routes, WhatHostsOfAKindMustShareIsNamed) {
    const auto complaint_of = [](const char* name, const Numbers& numbers) {
        return complaint_with(name, numbers, cluster_and_host());
    };
    EXPECT_EQ(complaint_of("kinds", {0, 0, 0}), "kinds must have a number for each host");
    EXPECT_EQ(complaint_of("kinds", {0, 0, 0, 2048}), "there must be at most 2048 kinds of hosts");
    EXPECT_EQ(complaint_of("down_links", {4, 5, 7}),
              "host2 is not attached where host0 is, which is of its kind");
    EXPECT_EQ(complaint_of("up_links", {0, 1, 3}),
              "host2 is not attached where host0 is, which is of its kind");
    EXPECT_EQ(complaint_of("up_links", {0, 1, 13}), "a path has the link 13, which is not there");
    EXPECT_EQ(complaint_of("pipes", {10}), "a pipe lacks links");
    EXPECT_EQ(complaint_of("pipes", {7}),
              "the links of a pipe must begin and end where its first one does");
    EXPECT_EQ(complaint_of("path_links", {13, 7, 12, 3}),
              "the path from host3 to host0 does not lead there over switches");
}

TEST(Routes, BothDirectionsOfASharedMediumWaitForEachOther) {
    const TopologyParameters parameters = shared_medium();
    NetworkUnderTest network({.kind = parameters.kind, .numbers = parameters.numbers});
    // 1000 B take 1 µs on the medium and 0.1 µs on the faster links around it.
    const auto first = network.send(Instant{0}, 0, 1, 1000);
    const auto second = network.send(Instant{0}, 1, 0, 1000);
    network.run();
    EXPECT_EQ(network.arrived(first), Instant{10 + 1'000'000 + 1000 + 40});
    // The medium is free at 10 ps + 1 µs.
    EXPECT_EQ(network.arrived(second), Instant{10 + 1'000'000 + 1'000'000 + 1000 + 30});
}

TEST(Routes, WhatCannotBeIsNamed) {
    EXPECT_EQ(complaint("routes", shared_medium().numbers), "");
    EXPECT_EQ(complaint_with("targets", {2, 2, 2, 0}),
              "sources, targets, bandwidth_bps and latency_ps must be equally long");
    EXPECT_EQ(complaint_with("targets", {2, 2, 2, 0, 3}),
              "link 4 begins or ends at a vertex that is not there");
    EXPECT_EQ(complaint_with("path_begins", {0, 0, 3, 6}),
              "path_begins must have 5 numbers, from 0 to the length of path_links");
    EXPECT_EQ(complaint_with("path_begins", {0, 4, 3, 6, 6}), "path_begins must not decrease");
    EXPECT_EQ(complaint_with("path_links", {0, 2, 5, 1, 2, 3}),
              "a path has the link 5, which is not there");
    EXPECT_EQ(complaint_with("path_links", {0, 4, 2, 1, 2, 3}),
              "the path from host0 to host1 does not lead there over switches");
    EXPECT_EQ(complaint_with("path_begins", {0, 0, 2, 6, 6}),
              "the path from host0 to host1 does not lead there over switches");
}

}  // namespace
}  // namespace kumi::network
