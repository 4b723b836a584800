// Sums of calls are exact.

#include "conductor/rank_data/call_sums.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/testing/arena_for_tests.hpp"

namespace kumi::conductor {
namespace {

class CallSumsTest : public testing::Test {
   protected:
    std::uint32_t add_place(std::string_view module = "/bin/app") {
        return x_sums.add_place(*x_arena, "MPI_Send", module, 0x1F);
    }
    const CallSum& at(std::uint32_t place) const { return x_sums.places()[place]; }
    /// A call that begins so long after the one before, and takes no time.
    void call_after(std::uint32_t place, std::int64_t distance_ps) {
        x_now += Duration{distance_ps};
        x_sums.add({.place = place, .begin = x_now, .end = x_now});
    }
    std::vector<std::uint32_t> targets_of(std::uint32_t place) const {
        std::vector<std::uint32_t> targets;
        x_sums.for_each_target(at(place), [&](std::uint32_t target) { targets.push_back(target); });
        return targets;
    }

    ArenaForTests x_arena;
    CallSums x_sums{130};
    Instant x_now{};
};

TEST_F(CallSumsTest, DistancesAreExactBeyondSixtyFourBits) {
    const std::uint32_t place = add_place();
    for (int i = 0; i < 3; ++i) call_after(place, 900'000'000'000'000'001);
    const CallSum& sum = at(place);
    EXPECT_EQ(sum.calls, 3U);
    EXPECT_EQ(sum.least_ps, 900'000'000'000'000'001);
    EXPECT_EQ(sum.most_ps, 900'000'000'000'000'001);
    EXPECT_EQ(sum.sum_ps, 2'700'000'000'000'000'003);
    // 3 x (9e17 + 1)^2 = 2430000000000000005400000000000000003.
    EXPECT_EQ(sum.squares_high, 131'730'563'956'988'789U);
    EXPECT_EQ(sum.squares_low, 454'529'653'271'166'979U);
}

TEST_F(CallSumsTest, DistancesAreCountedByTheirBits) {
    const std::uint32_t place = add_place();
    for (const std::int64_t ps : {0, 1, 2, 3, 4}) call_after(place, ps);
    const CallSum& sum = at(place);
    EXPECT_EQ(std::vector<std::uint64_t>(sum.bins, sum.bins + 5),
              (std::vector<std::uint64_t>{1, 1, 2, 1, 0}));
}

TEST_F(CallSumsTest, DistancesCountFromTheLastCallThatDoesMoreThanAsk) {
    const std::uint32_t asks = add_place();
    const std::uint32_t sends = add_place();
    x_sums.add({.place = sends, .begin = Instant{10}, .end = Instant{15}});
    x_sums.add({.place = asks, .only_asks = true, .begin = Instant{20}, .end = Instant{21}});
    x_sums.add({.place = sends, .begin = Instant{30}, .end = Instant{37}});
    EXPECT_EQ(at(asks).sum_ps, 5);
    EXPECT_EQ(at(asks).inside.ps, 1);
    EXPECT_EQ(at(sends).sum_ps, 10 + 15);
    EXPECT_EQ(at(sends).inside.ps, 5 + 7);
}

TEST_F(CallSumsTest, WhatWasSentIsSummedAndTargetsAreListedOnce) {
    const std::vector<SentMessage> sent = {
        {.target = 129, .first = {}, .last = {}, .messages = 2, .bytes = 100, .requests = 0},
        {.target = 1, .first = {}, .last = {}, .messages = 1, .bytes = 8, .requests = 0}};
    const std::uint32_t place = add_place();
    for (int i = 0; i < 2; ++i) x_sums.add({.place = place, .sent = sent});
    EXPECT_EQ(at(place).messages, 6U);
    EXPECT_EQ(at(place).bytes, 216U);
    EXPECT_EQ(targets_of(place), (std::vector<std::uint32_t>{1, 129}));
}

TEST_F(CallSumsTest, SumsStayWhenThereAreMorePlaces) {
    for (std::uint32_t place = 0; place < 100; ++place) {
        ASSERT_EQ(add_place(), place);
        call_after(place, place);
    }
    for (std::uint32_t place = 0; place < 100; ++place) {
        EXPECT_EQ(at(place).calls, 1U);
        EXPECT_EQ(at(place).sum_ps, place);
    }
}

TEST_F(CallSumsTest, PlacesHaveTheirNames) {
    add_place();
    const std::string path(5000, 'm');
    const CallSum& sum = at(add_place(path));
    EXPECT_STREQ(sum.function.text, "MPI_Send");
    EXPECT_EQ(std::string_view(sum.module, sum.module_bytes), path);
    EXPECT_EQ(sum.offset, 0x1FU);
    EXPECT_EQ(at(add_place("")).module_bytes, 0U);
}

TEST_F(CallSumsTest, TheSmallestAndTheLargestCommunicatorAreKept) {
    const std::uint32_t place = add_place();
    EXPECT_EQ(at(place).most_members, 0U);
    for (const std::uint32_t members : {4U, 0U, 3U, 16U})
        x_sums.add({.place = place, .members = members});
    EXPECT_EQ(at(place).least_members, 3U);
    EXPECT_EQ(at(place).most_members, 16U);
}

TEST_F(CallSumsTest, SumsThatAreDamagedDoNotLieInTheArena) {
    EXPECT_TRUE(x_sums.lies_in(*x_arena));
    add_place();
    EXPECT_TRUE(x_sums.lies_in(*x_arena));
    auto& sum = const_cast<CallSum&>(at(0));
    const CallSum before = sum;
    sum.module = "elsewhere";
    EXPECT_FALSE(x_sums.lies_in(*x_arena));
    sum = before;
    sum.module_bytes = 1U << 31;
    EXPECT_FALSE(x_sums.lies_in(*x_arena));
    sum = before;
    sum.targets = nullptr;
    EXPECT_FALSE(x_sums.lies_in(*x_arena));
}

}  // namespace
}  // namespace kumi::conductor
