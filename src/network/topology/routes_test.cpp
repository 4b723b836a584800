// Links and paths that are given one by one.

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "network/network_under_test.hpp"

namespace kumi {
namespace {

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
             {"path_begins", {0, 0, 3, 6, 6}},
             {"path_links", {0, 2, 4, 1, 2, 3}}},
            {},
            {}};
}

std::string complaint_about(const std::function<void(TopologyParameters&)>& spoil) {
    TopologyParameters parameters = shared_medium();
    spoil(parameters);
    try {
        make_topology(parameters);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(Routes, PathsAreThoseThatWereGiven) {
    const auto topology = make_topology(shared_medium());
    std::vector<LinkId> path;
    topology->route(0, 1, path);
    EXPECT_EQ(path, (std::vector<LinkId>{0, 2, 4}));
    topology->route(1, 0, path);
    EXPECT_EQ(path, (std::vector<LinkId>{1, 2, 3}));
}

TEST(Routes, BothDirectionsOfASharedMediumWaitForEachOther) {
    const TopologyParameters parameters = shared_medium();
    NetworkUnderTest network({.kind = parameters.kind, .numbers = parameters.numbers});
    // 1000 B take 1 us on the medium and 0.1 us on the faster links around it.
    const auto first = network.send(Instant{0}, 0, 1, 1000);
    const auto second = network.send(Instant{0}, 1, 0, 1000);
    network.run();
    EXPECT_EQ(network.arrived(first), Instant{10 + 1'000'000 + 1000 + 40});
    // The medium is free at 10 ps + 1 us.
    EXPECT_EQ(network.arrived(second), Instant{10 + 1'000'000 + 1'000'000 + 1000 + 30});
}

TEST(Routes, WhatCannotBeIsNamed) {
    EXPECT_EQ(complaint_about([](TopologyParameters&) {}), "");
    EXPECT_EQ(complaint_about([](auto& bad) { bad.numbers.at("targets") = {2, 2, 2, 0}; }),
              "topology routes: sources, targets, bandwidth_bps and latency_ps must be equally "
              "long");
    EXPECT_EQ(complaint_about([](auto& bad) { bad.numbers.at("targets") = {2, 2, 2, 0, 3}; }),
              "topology routes: link 4 begins or ends at a vertex that is not there");
    EXPECT_EQ(complaint_about([](auto& bad) { bad.numbers.at("path_begins") = {0, 0, 3, 6}; }),
              "topology routes: path_begins must have hosts x hosts + 1 numbers, from 0 to the "
              "length of path_links");
    EXPECT_EQ(complaint_about([](auto& bad) { bad.numbers.at("path_begins") = {0, 4, 3, 6, 6}; }),
              "topology routes: path_begins must not decrease");
    EXPECT_EQ(complaint_about([](auto& bad) { bad.numbers.at("path_links") = {0, 2, 5, 1, 2, 3}; }),
              "topology routes: a path has the link 5, which is not there");
    EXPECT_EQ(complaint_about([](auto& bad) { bad.numbers.at("path_links") = {0, 4, 2, 1, 2, 3}; }),
              "topology routes: the path from host0 to host1 does not lead there over switches");
    EXPECT_EQ(complaint_about([](auto& bad) { bad.numbers.at("path_begins") = {0, 0, 2, 6, 6}; }),
              "topology routes: the path from host0 to host1 does not lead there over switches");
}

}  // namespace
}  // namespace kumi
