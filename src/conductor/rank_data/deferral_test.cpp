#include "conductor/rank_data/deferral.hpp"

#include <gtest/gtest.h>

namespace kumi::conductor {
namespace {

constexpr std::uint64_t kRanks = 4;

TEST(Deferral, HasALimitForEachRank) {
    Deferral deferral;
    EXPECT_FALSE(deferral.is_much(16 * kRanks, kRanks));
    EXPECT_TRUE(deferral.is_much(16 * kRanks + 1, kRanks));
    EXPECT_FALSE(deferral.is_much(16 * kRanks, kRanks));
}

TEST(Deferral, WhileBunchesMergeMuchIsCarriedOutAtOnce) {
    Deferral deferral;
    deferral.merge_bunches(kRanks);
    int times = 0;
    while (!deferral.is_much(128 * kRanks, kRanks)) {
        ASSERT_TRUE(deferral.is_much(128 * kRanks + 1, kRanks));
        ASSERT_TRUE(deferral.is_much(8 * kRanks + 1, kRanks));
        ASSERT_FALSE(deferral.is_much(8 * kRanks, kRanks));
        ASSERT_LT(++times, 1000) << "it does not end";
    }
    EXPECT_GT(times, 1);
    EXPECT_FALSE(deferral.is_much(16 * kRanks, kRanks));
}

TEST(Deferral, BunchesMergeForAWhileAlsoIfLittleIsDeferred) {
    Deferral deferral;
    deferral.merge_bunches(kRanks);
    int steps = 0;
    while (!deferral.is_much(16 * kRanks + 1, kRanks)) ASSERT_LT(++steps, 10'000);
    EXPECT_GT(steps, 100);
}

}  // namespace
}  // namespace kumi::conductor
