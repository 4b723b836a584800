// Programs that repeat themselves, and what is woken for them when.

#include "mpi/wake/planner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace kumi::mpi::wake {
namespace {

using namespace literals;

using Delays = std::vector<Duration>;
using Wakes = std::vector<conductor::WakeRequest>;

constexpr EventId kPlace = 7;
/// Number of rounds after which times are known.
constexpr int kRounds = 6;

/// A rank under test: says what happens, keeps what was planned last.
class PlannedRank {
   public:
    void happens(EventId id, Duration since, std::vector<Departure> departures = {}) {
        for (const Departure& departure : departures) id = joined(id, departure.target);
        x_pattern.record(id, since, departures);
        x_planner.pass(id, since, departures);
        plan = x_planner.plan(x_pattern, aheads[id]);
    }
    /// A place, and `length` after it a call that sends when `sent` is over; often enough to be
    /// known.
    void learn(Duration length, Duration sent) {
        for (int i = 0; i < kRounds; ++i) {
            happens(kPlace, 20_us);
            happens(1, length, {{.target = 3, .messages = 1, .first = sent, .last = sent}});
        }
    }
    std::vector<Duration> delays() const {
        std::vector<Duration> delays;
        for (const conductor::WakeRequest& wake : plan.wakes) delays.push_back(wake.delay);
        return delays;
    }

    std::map<EventId, Duration> aheads;
    std::map<std::uint32_t, Duration> leads;
    Plan plan;

   private:
    CallPattern x_pattern;
    Planner x_planner{[this](std::uint32_t target) {
                          return leads.contains(target) ? leads[target] : Duration{6'400'000};
                      },
                      7_us, [this](EventId id) { return aheads[id]; }};
};

Departure to(std::uint32_t target, Duration first, Duration last, std::uint32_t messages) {
    return {.target = target, .messages = messages, .first = first, .last = last};
}
Departure to(std::uint32_t target, Duration first) { return to(target, first, first, 1); }

TEST(CallEvent, IsAnotherOneForEachCallerAndName) {
    EXPECT_NE(call_event(0x1010, 0x2020), call_event(0x1020, 0x2010));
    EXPECT_NE(call_event(0x1010, 0x2020), call_event(0x2020, 0x1010));
    EXPECT_EQ(call_event(0x1010, 0x2020), call_event(0x1010, 0x2020));
}

TEST(Planner, WakesOneLeadAndAReserveBeforeTheMessage) {
    PlannedRank rank;
    for (int i = 0; i < kRounds; ++i) rank.happens(1, 30_us, {to(3, 28_us)});
    EXPECT_EQ(rank.plan.wakes, (Wakes{{3, 28_us - 6'500_ns, 3'200_ns}}));
}

TEST(Planner, KeepsRecentPathsAwakeWhileItKnowsNothing) {
    PlannedRank rank;
    rank.happens(1, 30_us);
    EXPECT_TRUE(rank.plan.wakes.empty()) << "nothing was sent";
    rank.happens(2, 30_us, {to(3, 28_us), to(4, 29_us)});
    ASSERT_EQ(rank.plan.wakes.size(), 2U);
    EXPECT_EQ(rank.plan.wakes[1], conductor::WakeRequest(4, 0_us, 8 * 6'400_ns, 8));
    rank.happens(5, 10_us);
    EXPECT_TRUE(rank.plan.wakes.empty()) << "they are still awake";
    rank.happens(6, 20_us);
    EXPECT_EQ(rank.plan.wakes.size(), 2U);
}

TEST(Planner, WakesAtOnceWhatIsTooNear) {
    PlannedRank rank;
    for (int i = 0; i < 2; ++i) rank.happens(1, 8_us, {to(3, 7_us)});
    // The message of the step that begins; that of the next one, which must not wait; and those
    // that would ring the doorbell again within two leads.
    ASSERT_EQ(rank.plan.wakes.size(), 4U);
    EXPECT_EQ(rank.plan.wakes[0].delay, 0_us);
    EXPECT_EQ(rank.plan.wakes[1].delay, 15_us - 6'500_ns - 6'400_ns);
    EXPECT_EQ(rank.plan.wakes[3].delay, 31_us - 6'500_ns - 6'400_ns);
    EXPECT_EQ(rank.plan.earliest, 7_us - 6'500_ns - 6'400_ns);
    rank.happens(1, 8_us, {to(3, 7_us)});
    rank.happens(1, 8_us, {to(3, 7_us)});
    EXPECT_TRUE(rank.plan.wakes.empty()) << "each message once";
}

TEST(Planner, LeavesToTheNextEventWhatCanWait) {
    PlannedRank rank;
    rank.learn(10_us, 9_us);
    EXPECT_TRUE(rank.plan.wakes.empty());
    rank.happens(kPlace, 20_us);
    ASSERT_EQ(rank.delays(), Delays{9_us - 6'500_ns});
}

TEST(Planner, DecidesBeforeAnEventThatComesTooLate) {
    PlannedRank rank;
    rank.learn(5_us, 4_us);
    ASSERT_EQ(rank.delays(), Delays{24_us - 6'500_ns});
    rank.happens(kPlace, 20_us);
    EXPECT_TRUE(rank.plan.wakes.empty()) << "it was decided already";
    EXPECT_EQ(rank.plan.earliest, 4_us - 6'500_ns) << "the place knows that it is late";
}

TEST(Planner, APlaceInALoopHappensBeforeTheTimeRecorded) {
    PlannedRank rank;
    rank.aheads[kPlace] = 6_us;
    rank.learn(5_us, 4_us);
    EXPECT_TRUE(rank.plan.wakes.empty()) << "the place is early enough";
    rank.happens(kPlace, 20_us);
    ASSERT_EQ(rank.delays(), Delays{10_us - 6'500_ns});
}

TEST(Planner, AGroupOfCallsIsWokenTogether) {
    PlannedRank rank;
    for (int i = 0; i < kRounds; ++i) {
        rank.happens(kPlace, 20_us);
        rank.happens(1, 8_us, {to(3, 7_us)});
        rank.happens(2, 1_us, {to(4, 1_us)});
        rank.happens(3, 1_us, {to(5, 1_us)});
    }
    rank.happens(kPlace, 20_us);
    EXPECT_EQ(rank.delays(), (Delays{7_us - 6'500_ns, 9_us - 6'500_ns, 10_us - 6'500_ns}));
    rank.happens(1, 8_us, {to(3, 7_us)});
    EXPECT_TRUE(rank.plan.wakes.empty());
}

/// What is planned for a message that leaves alternately after `soon` and `late`, in a step that
/// takes `length`.
std::vector<conductor::WakeRequest> planned_for_turns(Duration soon, Duration late,
                                                      Duration length) {
    PlannedRank rank;
    for (int i = 0; i < 8; ++i) {
        rank.happens(kPlace, 20_us);
        rank.happens(1, length, {to(3, i % 2 == 0 ? soon : late)});
    }
    rank.happens(kPlace, 20_us);
    return rank.plan.wakes;
}

TEST(Planner, TheSpreadOfWhatWasSeenBecomesHold) {
    const auto wakes = planned_for_turns(15_us, 18_us, 20_us);
    // And twice the spread is what the data may be earlier.
    EXPECT_EQ(wakes, (Wakes{{3, 15_us - 6'500_ns - 6_us, 6_us + 3_us + 3'200_ns}}));
}

TEST(Planner, IsALeadEarlierUntilItHasSeenFour) {
    PlannedRank rank;
    for (int i = 0; i < 3; ++i) rank.happens(1, 60_us, {to(3, 58_us)});
    EXPECT_EQ(rank.plan.wakes, (Wakes{{3, 58_us - 6'500_ns - 6'400_ns, 6'400_ns + 3'200_ns}}));
    for (int i = 0; i < 2; ++i) rank.happens(1, 60_us, {to(3, 58_us)});
    ASSERT_EQ(rank.delays(), Delays{58_us - 6'500_ns});
}

TEST(Planner, BoundsWhatItIsEarlyAndWhatItHolds) {
    const auto wakes = planned_for_turns(100_us, 800_us, 900_us);
    EXPECT_EQ(wakes, (Wakes{{3, 100_us - 6'500_ns - 4 * 6'400_ns, 12 * 6'400_ns + 3'200_ns}}));
}

TEST(Planner, MessagesFarApartHaveAWakeEach) {
    PlannedRank rank;
    for (int i = 0; i < kRounds; ++i) rank.happens(1, 60_us, {to(3, 20_us, 50_us, 4)});
    ASSERT_EQ(rank.plan.wakes.size(), 4U);
    EXPECT_EQ(rank.plan.wakes[0].delay, 20_us - 6'500_ns);
    EXPECT_EQ(rank.plan.wakes[1].delay, 30_us - 6'500_ns);
    EXPECT_EQ(rank.plan.wakes[3].delay, 50_us - 6'500_ns);
    EXPECT_EQ(rank.plan.wakes[3].messages, 1U);
}

TEST(Planner, MessagesCloseToEachOtherShareAWake) {
    PlannedRank rank;
    for (int i = 0; i < kRounds; ++i) rank.happens(1, 60_us, {to(3, 20_us, 29_us, 4)});
    EXPECT_EQ(rank.plan.wakes, (Wakes{{3, 20_us - 6'500_ns, 9_us + 3'200_ns, 4}}));
}

/// How often the doorbell is rung in 96 steps with a message each, `step` long.
int rings_of(Duration step) {
    PlannedRank rank;
    for (int i = 0; i < kRounds; ++i) rank.happens(1, step, {to(3, step)});
    int rings = 0;
    for (int i = 0; i < 96; ++i) {
        rank.happens(1, step, {to(3, step)});
        if (!rank.plan.wakes.empty()) ++rings;
    }
    return rings;
}

TEST(Planner, OneRingServesMessagesThatLeaveNoTimeToSleep) {
    // 32 leads of 6.5 µs are 41 steps of 5 µs.
    EXPECT_LE(rings_of(5_us), 96 / 41 + 1);
    EXPECT_GE(rings_of(7_us), 96 / 3) << "here links can sleep";
}

TEST(Planner, LinksStayOnWhereThereIsNoTimeToSleep) {
    PlannedRank rank;
    for (int i = 0; i < kRounds; ++i) {
        rank.happens(kPlace, 50_us);
        for (EventId call = 1; call <= 8; ++call) {
            const Duration step = call == 1 ? 9_us : 4_us;
            rank.happens(call, step, {to(3, step)});
        }
    }
    rank.happens(kPlace, 50_us);
    EXPECT_EQ(rank.plan.wakes, (Wakes{{3, 9_us - 6'500_ns, 7 * 4_us + 3'200_ns, 8}}));
}

TEST(Planner, AWakeThatGainsNothingIsLeftOut) {
    PlannedRank rank;
    for (int i = 0; i < kRounds; ++i) {
        rank.happens(1, 50_us);
        rank.happens(2, 1_us, {to(3, 0_us)});
    }
    rank.happens(1, 50_us);
    EXPECT_TRUE(rank.plan.wakes.empty()) << "it was decided before";
    rank.happens(7, 90_us);
    rank.happens(1, 50_us);
    for (const conductor::WakeRequest& wake : rank.plan.wakes)
        EXPECT_EQ(wake.hold, 8 * 6'400_ns) << "not for it";
}

/// Makes rounds known in which the rank waits before it sends.
void wait_and_send(PlannedRank& rank, Duration wait) {
    for (int i = 0; i < kRounds; ++i) {
        rank.happens(1, 20_us);
        rank.happens(2, wait);
        rank.happens(3, 3_us, {to(3, 2_us)});
    }
}

TEST(Planner, ALongerWaitThanExpectedIsDecidedAnew) {
    PlannedRank rank;
    wait_and_send(rank, 9_us);
    rank.happens(1, 20_us);
    ASSERT_EQ(rank.delays(), Delays{11_us - 6'500_ns});
    rank.happens(2, 9_us);
    EXPECT_TRUE(rank.plan.wakes.empty()) << "as expected";
    rank.happens(3, 3_us, {to(3, 2_us)});
    rank.happens(1, 20_us);
    rank.happens(2, 90_us);
    ASSERT_EQ(rank.delays(), Delays{0_us}) << "the links sleep again";
}

TEST(Planner, AShorterWaitThanExpectedIsDecidedAnew) {
    PlannedRank rank;
    wait_and_send(rank, 60_us);
    rank.happens(1, 20_us);
    ASSERT_EQ(rank.delays(), Delays{62_us - 6'500_ns});
    rank.happens(2, 59_us);
    EXPECT_TRUE(rank.plan.wakes.empty()) << "the frame has left";
    rank.happens(3, 3_us, {to(3, 2_us)});
    rank.happens(1, 20_us);
    ASSERT_EQ(rank.plan.wakes.size(), 1U);
    rank.happens(2, 30_us);
    ASSERT_EQ(rank.plan.wakes.size(), 1U) << "the frame that was asked for comes too late";
    EXPECT_EQ(rank.plan.wakes[0].target, 3U);
    EXPECT_EQ(rank.plan.wakes[0].delay, 0_us);
}

TEST(Planner, FollowsARootThatGoesRound) {
    PlannedRank rank;
    const auto round = [&](std::uint32_t target) { rank.happens(1, 30_us, {to(target, 28_us)}); };
    for (int i = 0; i < 30; ++i) round(static_cast<std::uint32_t>(i) % 3 + 4);
    ASSERT_EQ(rank.plan.wakes.size(), 1U);
    EXPECT_EQ(rank.plan.wakes[0].target, 4U);
    round(4);
    ASSERT_EQ(rank.plan.wakes.size(), 1U);
    EXPECT_EQ(rank.plan.wakes[0].target, 5U);
}

TEST(Planner, TellsWaitsApartByWhatWentBefore) {
    PlannedRank rank;
    // After a round that sent to another rank, the next one waits long before it sends.
    const auto round = [&](int i) {
        rank.happens(1, 20_us);
        rank.happens(2, i % 3 == 0 ? 60_us : 9_us);
        rank.happens(3, 3_us, {to(i % 3 == 2 ? 4 : 3, 2_us)});
    };
    for (int i = 0; i < 40; ++i) round(i);
    rank.happens(1, 20_us);
    EXPECT_EQ(rank.plan.wakes, (Wakes{{3, 11_us - 6'500_ns, 3'200_ns}})) << "without spread";
}

TEST(Planner, CountsLoopsThatEnd) {
    PlannedRank rank;
    const auto call = [&](EventId id, std::uint32_t target) {
        rank.happens(id, 30_us, {to(target, 28_us)});
    };
    for (int outer = 0; outer < 6; ++outer) {
        for (int inner = 0; inner < 60; ++inner) call(1, 3);
        call(2, 4);
    }
    for (int inner = 0; inner < 60; ++inner) call(1, 3);
    ASSERT_EQ(rank.plan.wakes.size(), 1U);
    EXPECT_EQ(rank.plan.wakes[0].target, 4U) << "the loop is over";
}

TEST(Planner, WhatWasDecidedFallsWithWhatWasNotExpected) {
    PlannedRank rank;
    rank.learn(5_us, 4_us);
    rank.happens(99, 10_us);
    rank.happens(kPlace, 20_us);
    // Among those that keep recent paths awake, as something else has happened.
    const auto messages = &conductor::WakeRequest::messages;
    EXPECT_EQ(std::ranges::count(rank.plan.wakes, 1U, messages), 1) << "decided anew";
}

}  // namespace
}  // namespace kumi::mpi::wake
