// Sums of calls are exact.

#include "conductor/rank_data/call_sums.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/testing/arena_for_tests.hpp"

namespace kumi::conductor {
namespace {

class CallSumsTest : public testing::Test {
   protected:
    /// A call that begins so long after the one before, and takes no time.
    void call_after(std::uint32_t place, std::int64_t distance_ps) {
        x_now += Duration{distance_ps};
        x_sums.add_call(place, /*only_asks=*/false, {x_now, x_now}, {});
    }
    std::vector<std::uint32_t> targets_of(std::uint32_t place) const {
        std::vector<std::uint32_t> targets;
        x_sums.for_each_target(place, [&](std::uint32_t target) { targets.push_back(target); });
        return targets;
    }

    ArenaForTests x_arena;
    CallSums x_sums{130};
    Instant x_now{};
};

TEST_F(CallSumsTest, DistancesAreExactBeyondSixtyFourBits) {
    const std::uint32_t place = x_sums.add_place(*x_arena);
    for (int i = 0; i < 3; ++i) call_after(place, 900'000'000'000'000'001);
    const CallSum& sum = x_sums.at(place);
    EXPECT_EQ(sum.calls, 3U);
    EXPECT_EQ(sum.least_ps, 900'000'000'000'000'001);
    EXPECT_EQ(sum.most_ps, 900'000'000'000'000'001);
    EXPECT_EQ(sum.sum_ps, 2'700'000'000'000'000'003);
    // 3 x (9e17 + 1)^2 = 2430000000000000005400000000000000003.
    EXPECT_EQ(sum.squares_high, 131'730'563'956'988'789U);
    EXPECT_EQ(sum.squares_low, 454'529'653'271'166'979U);
}

TEST_F(CallSumsTest, DistancesAreCountedByTheirBits) {
    const std::uint32_t place = x_sums.add_place(*x_arena);
    for (const std::int64_t ps : {0, 1, 2, 3, 4}) call_after(place, ps);
    const CallSum& sum = x_sums.at(place);
    EXPECT_EQ(std::vector<std::uint64_t>(sum.bins, sum.bins + 5),
              (std::vector<std::uint64_t>{1, 1, 2, 1, 0}));
}

TEST_F(CallSumsTest, DistancesCountFromTheLastCallThatDoesMoreThanAsk) {
    const std::uint32_t asks = x_sums.add_place(*x_arena);
    const std::uint32_t sends = x_sums.add_place(*x_arena);
    x_sums.add_call(sends, /*only_asks=*/false, {Instant{10}, Instant{15}}, {});
    x_sums.add_call(asks, /*only_asks=*/true, {Instant{20}, Instant{21}}, {});
    x_sums.add_call(sends, /*only_asks=*/false, {Instant{30}, Instant{37}}, {});
    EXPECT_EQ(x_sums.at(asks).sum_ps, 5);
    EXPECT_EQ(x_sums.at(asks).inside.ps, 1);
    EXPECT_EQ(x_sums.at(sends).sum_ps, 10 + 15);
    EXPECT_EQ(x_sums.at(sends).inside.ps, 5 + 7);
}

TEST_F(CallSumsTest, WhatWasSentIsSummedAndTargetsAreListedOnce) {
    const std::vector<SentMessage> sent = {
        {.target = 129, .first = {}, .last = {}, .messages = 2, .bytes = 100, .requests = 0},
        {.target = 1, .first = {}, .last = {}, .messages = 1, .bytes = 8, .requests = 0}};
    const std::uint32_t place = x_sums.add_place(*x_arena);
    for (int i = 0; i < 2; ++i) x_sums.add_call(place, /*only_asks=*/false, {}, sent);
    EXPECT_EQ(x_sums.at(place).messages, 6U);
    EXPECT_EQ(x_sums.at(place).bytes, 216U);
    EXPECT_EQ(targets_of(place), (std::vector<std::uint32_t>{1, 129}));
}

TEST_F(CallSumsTest, SumsStayWhenThereAreMorePlaces) {
    for (std::uint32_t place = 0; place < 100; ++place) {
        ASSERT_EQ(x_sums.add_place(*x_arena), place);
        call_after(place, place);
    }
    for (std::uint32_t place = 0; place < 100; ++place) {
        EXPECT_EQ(x_sums.at(place).calls, 1U);
        EXPECT_EQ(x_sums.at(place).sum_ps, place);
    }
}

}  // namespace
}  // namespace kumi::conductor
