#include "collectives/torus/rank_box.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace kumi::collectives {
namespace {

using Numbers = std::vector<std::uint32_t>;

std::optional<RankBox> box_of(const Numbers& hosts, const Numbers& sides, bool is_torus = true) {
    return find_box(hosts, {sides, is_torus});
}

Numbers all(std::uint32_t count) {
    Numbers numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

TEST(RankBox, AWholeTorusIsABox) {
    const auto box = box_of(all(32), {4, 8});
    ASSERT_TRUE(box);
    EXPECT_EQ(box->sides, (Numbers{4, 8}));
    EXPECT_EQ(box->is_ring, (std::vector<bool>{true, true}));
    EXPECT_EQ(box->place_of, all(32));
    EXPECT_TRUE(box->is_for_suh_shin());
}

TEST(RankBox, RanksInAnyOrderHaveThePlacesOfTheirHosts) {
    Numbers hosts = all(16);
    std::reverse(hosts.begin(), hosts.end());
    EXPECT_EQ(box_of(hosts, {4, 4})->place_of, hosts);
}

TEST(RankBox, APlaneHasNoSideOfLengthOne) {
    // All hosts with the second coordinate 2.
    Numbers hosts;
    for (std::uint32_t host = 0; host < 64; ++host)
        if (host / 4 % 4 == 2) hosts.push_back(host);
    const auto box = box_of(hosts, {4, 4, 4});
    ASSERT_TRUE(box);
    EXPECT_EQ(box->sides, (Numbers{4, 4}));
    EXPECT_EQ(box->place_of, all(16));
}

TEST(RankBox, ABoxGoesAroundTheEndOfARingOnly) {
    const Numbers hosts{3, 0, 1};
    const auto box = box_of(hosts, {4, 1});
    ASSERT_TRUE(box);
    EXPECT_EQ(box->sides, (Numbers{3}));
    EXPECT_EQ(box->is_ring, (std::vector<bool>{false}));
    EXPECT_EQ(box->place_of, (Numbers{0, 1, 2}));
    EXPECT_FALSE(box_of(hosts, {4, 1}, /*is_torus=*/false));
}

TEST(RankBox, GapsSharedHostsAndMissingCornersAreNoBox) {
    EXPECT_FALSE(box_of({0, 2}, {4, 4}));
    EXPECT_FALSE(box_of({0, 1, 1, 4}, {4, 4}));
    EXPECT_FALSE(box_of({0, 1, 4}, {4, 4}));
    EXPECT_FALSE(box_of({0, 16}, {4, 4}));
    EXPECT_FALSE(box_of({0, 1}, {}));
}

TEST(RankBox, SuhShinNeedsRingsWhereSidesAreLongerThanFour) {
    const auto part = [](std::uint32_t length, bool is_torus) {
        Numbers hosts;
        for (std::uint32_t y = 0; y < 4; ++y)
            for (std::uint32_t x = 2; x < 2 + length; ++x) hosts.push_back(y * 16 + x);
        return box_of(hosts, {16, 4}, is_torus)->is_for_suh_shin();
    };
    EXPECT_TRUE(part(4, true));
    EXPECT_TRUE(part(4, false));
    EXPECT_FALSE(part(8, true));
    EXPECT_FALSE(part(6, true));
    EXPECT_TRUE(box_of(all(64), {16, 4})->is_for_suh_shin());
    EXPECT_FALSE(box_of(all(64), {16, 4}, false)->is_for_suh_shin());
    EXPECT_FALSE(box_of(all(16), {16})->is_for_suh_shin());
    EXPECT_FALSE(box_of(all(24), {4, 6})->is_for_suh_shin());
}

}  // namespace
}  // namespace kumi::collectives
