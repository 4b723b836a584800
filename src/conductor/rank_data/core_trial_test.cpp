#include "conductor/rank_data/core_trial.hpp"

#include <gtest/gtest.h>

namespace kumi::conductor {
namespace {

/// A run, and how many calls it begins in a millisecond on one core and on several.
struct TriedRun {
    std::uint64_t on_one, on_several;
    double computing = 0.5;    ///< Share of the time on one core.
    std::int64_t long_ns = 0;  ///< Of a millisecond on several cores, at long stretches.
    CoreTrial trial{};
    std::int64_t now_ns = 1;
    std::uint64_t calls = 0;
    std::uint64_t ms_on_several = 0;

    bool pass(int ms) {
        bool several = true;
        for (int i = 0; i < ms; ++i) {
            several = trial.allows_several(now_ns, calls);
            calls += several ? on_several : on_one;
            ms_on_several += several ? 1 : 0;
            if (several) trial.note_long(long_ns);
            const int stretches = long_ns > 0 ? 1 : 10;
            for (int at = 0; at < stretches && trial.measures_computing(); ++at)
                trial.note_computing(static_cast<std::int64_t>(1e6 * computing / stretches), 0);
            now_ns += 1'000'000;
        }
        return several;
    }
};

TEST(CoreTrial, SeveralMustBringATenth) {
    TriedRun slow_on_several{100, 95};
    EXPECT_TRUE(slow_on_several.pass(8)) << "nothing is known yet";
    EXPECT_FALSE(slow_on_several.pass(1)) << "stretches are not long";
    EXPECT_FALSE(slow_on_several.pass(55));
    TriedRun hardly_faster{100, 105};
    EXPECT_FALSE(hardly_faster.pass(60));
    TriedRun fast_on_several{100, 120};
    EXPECT_TRUE(fast_on_several.pass(60));
}

TEST(CoreTrial, ASmallDifferenceChangesNothing) {
    TriedRun run{100, 120};
    run.pass(100);
    run.on_several = 112;
    EXPECT_TRUE(run.pass(5'001));
    run.on_several = 90;
    ASSERT_FALSE(run.pass(5'001));
    run.on_several = 112;
    EXPECT_FALSE(run.pass(5'001));
}

TEST(CoreTrial, WhatIsClearIsDecidedAfterTwoWindows) {
    TriedRun run{150, 100};
    EXPECT_FALSE(run.pass(43));
    EXPECT_EQ(run.ms_on_several, 16U);
}

TEST(CoreTrial, TrialsBecomeSeldom) {
    TriedRun run{100, 80};
    run.pass(10'000);
    EXPECT_LT(run.ms_on_several, 100U);
    TriedRun other{60, 100};
    other.pass(10'000);
    EXPECT_GT(other.ms_on_several, 9'850U);
}

TEST(CoreTrial, SeveralAreNotTriedWhereProgramsComputeTooLittle) {
    TriedRun run{100, 120, 0.12};
    run.pass(10'000);
    EXPECT_EQ(run.ms_on_several, 8U) << "the beginning";
    run.computing = 0.14;
    EXPECT_TRUE(run.pass(5'001));
}

TEST(CoreTrial, AnotherPhaseOfTheProgramIsNoticed) {
    TriedRun run{100, 90};
    run.pass(200);
    run.on_several = 160;
    EXPECT_TRUE(run.pass(2'101));
}

TEST(CoreTrial, RanksThatCallSeldomAndMostlyComputeHaveAllCores) {
    TriedRun begins_so{10, 10, 1};
    EXPECT_TRUE(begins_so.pass(25));
    TriedRun run{100, 90};
    run.pass(100);
    run.computing = 0.6;
    run.on_one = 10;
    run.on_several = 12;
    EXPECT_TRUE(run.pass(5'001));
}

TEST(CoreTrial, OfRanksThatCallSeldomMoreCallsAreCountedForLonger) {
    TriedRun slow_on_several{10, 9, 0.4};
    EXPECT_FALSE(slow_on_several.pass(1'000));
    EXPECT_GE(slow_on_several.ms_on_several, 80U) << "two windows of 40 ms";
    slow_on_several.pass(9'000);
    EXPECT_LT(slow_on_several.ms_on_several, 500U);
    TriedRun fast_on_several{10, 12, 0.4};
    EXPECT_TRUE(fast_on_several.pass(240));
    fast_on_several.pass(10'000);
    EXPECT_GT(fast_on_several.ms_on_several, 9'500U);
}

TEST(CoreTrial, TooFewCallsChangeNothing) {
    TriedRun run{2, 1, 0.4};
    run.pass(10'000);
    EXPECT_EQ(run.ms_on_several, 8U) << "the beginning";
    TriedRun other{100, 130};
    ASSERT_TRUE(other.pass(70));
    other.on_one = other.on_several = 2;
    other.pass(2'000);
    EXPECT_TRUE(other.pass(10'000));
    EXPECT_GT(other.ms_on_several, 11'900U);
}

TEST(CoreTrial, WhoComputesForLongAtAStretchHasAllCores) {
    TriedRun run{100, 90, 1};
    run.long_ns = 600'000;
    run.pass(10'000);
    EXPECT_EQ(run.ms_on_several, 10'000U) << "stretches of a millisecond are long";
    run.long_ns = 400'000;
    run.computing = 0.4;
    EXPECT_FALSE(run.pass(5'001));
}

TEST(CoreTrial, TheFirstStretchMayBeALongOne) {
    CoreTrial trial;
    EXPECT_TRUE(trial.allows_several(1, 0));
    trial.note_long(300'000'000);
    EXPECT_TRUE(trial.allows_several(300'000'001, 16));
    EXPECT_TRUE(trial.allows_several(310'000'001, 16));
}

TEST(CoreTrial, SeveralAreAllowedWhenAProcessNeedsThem) {
    TriedRun run{100, 90};
    ASSERT_FALSE(run.pass(101));
    run.trial.allow_several();
    EXPECT_TRUE(run.pass(1));
}

TEST(CoreTrial, NothingIsTriedWhereSeveralAreWanted) {
    TriedRun run{100, 10};
    run.trial.end_trials();
    run.pass(10'000);
    EXPECT_EQ(run.ms_on_several, 10'000U);
}

}  // namespace
}  // namespace kumi::conductor
