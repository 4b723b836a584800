// Tori and meshes: their size, and the lengths of their paths.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "network/testing/shape_under_test.hpp"

namespace kumi::network {
namespace {

/// Hops around a ring or along a row.
std::uint32_t hops(std::uint32_t from, std::uint32_t to, std::uint32_t size, bool wraps) {
    const std::uint32_t straight = from < to ? to - from : from - to;
    return wraps ? std::min(straight, size - straight) : straight;
}

TEST(Torus, HasTheLinksOfItsRings) {
    const auto torus = make("torus", {{"sizes", {4, 3, 2, 1}}, {"hosts_per_switch", 2}});
    // Rings of 4 and 3 have a cable for each switch, pairs one for two switches.
    expect_size(torus->describe(), 48, 24, 2U * (48 + 24 + 24 + 12));
    EXPECT_TRUE(is_sound_and_shortest(*torus));
}

TEST(Torus, GoesInDimensionOrderTheShorterWayRound) {
    const auto torus = make("torus", {{"sizes", {4, 4}}, {"hosts_per_switch", 1}});
    EXPECT_EQ(names(*torus, 0, 7),
              (Names{"host0->switch0", "switch0->switch3", "switch3->switch7", "switch7->host7"}));
    // Two steps either way: upwards.
    EXPECT_EQ(names(*torus, 3, 1),
              (Names{"host3->switch3", "switch3->switch0", "switch0->switch1", "switch1->host1"}));
    EXPECT_EQ(names(*torus, 4, 12), (Names{"host4->switch4", "switch4->switch8",
                                           "switch8->switch12", "switch12->host12"}));
}

TEST(Torus, HalfwayMessagesGoBothWaysByRunsOfCoordinates) {
    const Lists ring{{"sizes", {8, 2}}, {"hosts_per_switch", 1}};
    Lists by_twos = ring;
    by_twos.emplace("halfway_run", 2);
    const auto up = make("torus", ring);
    const auto both = make("torus", by_twos);
    EXPECT_TRUE(is_sound_and_shortest(*both));
    for (HostId source = 0; source < 8; ++source) {
        const HostId target = (source + 4) % 8;
        const auto second_of = [&](const Topology& torus) {
            return names(torus, source, target)[1];
        };
        const auto hop_to = [&](HostId next) {
            return "switch" + std::to_string(source) + "->switch" + std::to_string(next);
        };
        const bool goes_up = source % 4 < 2;
        EXPECT_EQ(second_of(*up), hop_to((source + 1) % 8));
        EXPECT_EQ(second_of(*both), hop_to((source + (goes_up ? 1 : 7)) % 8));
    }
    // One way is shorter: nothing changes.
    EXPECT_EQ(names(*both, 2, 5), names(*up, 2, 5));
    EXPECT_EQ(names(*both, 5, 2), names(*up, 5, 2));
}

TEST(Torus, OnlyRingsHaveAHalfwayRun) {
    EXPECT_THROW(make("mesh", {{"sizes", {8, 2}}, {"hosts_per_switch", 1}, {"halfway_run", 2}}),
                 std::invalid_argument);
}

TEST(Mesh, DoesNotGoAround) {
    const auto mesh = make("mesh", {{"sizes", {4, 3}}, {"hosts_per_switch", 1}});
    EXPECT_EQ(mesh->describe().links.size(), 2U * (12 + 3 * 3 + 4 * 2));
    EXPECT_EQ(names(*mesh, 3, 1),
              (Names{"host3->switch3", "switch3->switch2", "switch2->switch1", "switch1->host1"}));
    EXPECT_TRUE(is_sound_and_shortest(*mesh));
}

TEST(Torus, ZeroLoadTimeIsTheClosedFormOfTheHopsInEachDimension) {
    // Latencies of a published network of 16 x 16 x 16; here with shorter rings.
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
    Lists numbers{{"sizes", list_of(sizes)}, {"hosts_per_switch", per_switch}};
    if (wraps) numbers.emplace("halfway_run", *rc::gen::inRange(0, 4));
    const auto grid = make(wraps ? "torus" : "mesh", numbers);
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

}  // namespace
}  // namespace kumi::network
