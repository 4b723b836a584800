#include <string>

#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

/// Each rank computes for a time, then synchronises, as often as it has times.
Schedule entering(const std::vector<std::vector<Duration>>& pauses) {
    ScheduleBuilder builder(pauses.size());
    for (std::uint32_t rank = 0; rank < pauses.size(); ++rank) {
        builder.begin_rank(rank);
        for (std::size_t time = 0; time < pauses[rank].size(); ++time) {
            const std::uint32_t pause = builder.add(Operation::compute(pauses[rank][time]));
            if (time > 0) builder.require(pause, pause - 1);
            builder.require(builder.add(Operation::synchronise()), pause);
        }
    }
    return builder.finish();
}

std::vector<std::vector<Duration>> all_enter_at(std::uint32_t ranks, Duration when) {
    return std::vector<std::vector<Duration>>(ranks, {when});
}

TEST(ReplayStarts, ATorusStartsAfterHalfOfEachRing) {
    const Platform torus = grid_of("torus", {8, 4, 4}, {21_ns, 25_ns, 70_ns});
    const auto replay = torus.complete(entering(all_enter_at(torus.fabric.hosts, 5_ns)));
    const Instant start = at(5_ns + 4 * 21_ns + 2 * (25_ns + 70_ns));
    for (std::uint32_t rank = 0; rank < torus.fabric.hosts; ++rank) {
        EXPECT_EQ(replay->rank(rank).finish, start);
    }
    EXPECT_EQ(replay->starts()->synchronisations, 1u);
    EXPECT_EQ(replay->starts()->rounds, 3u);
    EXPECT_EQ(replay->starts()->packets, torus.fabric.hosts * (7u + 3 + 3));
    EXPECT_EQ(replay->starts()->largest_skew, 0_ns);
    EXPECT_EQ(replay->starts()->time, start - at(5_ns));
    EXPECT_EQ(replay->control_messages(), torus.fabric.hosts * 13u);
}

/// Entered at any instants and several times in a row: packets of no size never wait.
TEST(ReplayStarts, AllRanksStartAtTheSameInstant) {
    rc::check("common start", [] {
        const std::string kind = *rc::gen::element<std::string>("torus", "mesh");
        const std::vector<std::uint32_t> sides{*rc::gen::inRange<std::uint32_t>(2, 5),
                                               *rc::gen::inRange<std::uint32_t>(2, 5)};
        Platform platform = grid_of(kind, sides,
                                    {{*rc::gen::inRange<std::int64_t>(1, 100'000)},
                                     {*rc::gen::inRange<std::int64_t>(1, 100'000)}});
        if (*rc::gen::arbitrary<bool>()) platform.parameters.start_sides.clear();
        std::vector<std::vector<Duration>> pauses(platform.fabric.hosts);
        for (auto& of_rank : pauses) {
            for (int time = 0; time < 3; ++time) {
                of_rank.push_back({*rc::gen::inRange<std::int64_t>(0, 1'000'000)});
            }
        }
        const auto replay = platform.complete(entering(pauses));
        RC_ASSERT(replay->is_complete());
        RC_ASSERT(replay->starts()->synchronisations == 3u);
        RC_ASSERT(replay->starts()->largest_skew == 0_ns);
    });
}

/// A host sends its packets one after another, those with the longest way first. The latencies that
/// ranks know include that.
TEST(ReplayStarts, PacketsOfASizeFollowEachOther) {
    Platform torus = grid_of("torus", {8, 4}, {100_ns, 200_ns});
    torus.parameters.start_bytes = 8;
    const auto replay = torus.complete(entering(all_enter_at(torus.fabric.hosts, 0_ns)));
    EXPECT_EQ(replay->starts()->largest_skew, 0_ns);
    EXPECT_EQ(replay->virtual_time(), at(4 * 100_ns + 8_ns + 2 * 200_ns + 8_ns));
}

TEST(ReplayStarts, TheRuleAsPrintedLetsTheLastRankStartEarly) {
    Platform torus = grid_of("torus", {8, 4}, {10_ns, 20_ns});
    auto pauses = all_enter_at(torus.fabric.hosts, 0_ns);
    pauses[5] = {1000_ns};
    for (const bool is_corrected : {true, false}) {
        torus.parameters.start_rule =
            is_corrected ? endpoint::StartRule::kCorrected : endpoint::StartRule::kPrinted;
        const auto replay = torus.complete(entering(pauses));
        EXPECT_EQ(replay->starts()->largest_skew.ps == 0, is_corrected);
    }
}

/// Data on the way of the packets are an error of the latencies that ranks know.
TEST(ReplayStarts, ContentionShowsAsSkew) {
    const Platform torus = grid_of("torus", {8}, {100_ns});
    std::vector<std::string> ranks(8, "synchronise");
    ranks[0] = "send 5000b to 1\nsynchronise";
    ranks[1] = "recv 5000b from 0\nsynchronise";
    const auto replay = torus.complete(of_ranks(ranks));
    EXPECT_GT(replay->starts()->largest_skew, 4000_ns);
}

/// In a replay each rank notices each start as late as its number and that of the start say.
TEST(ReplayStarts, RanksNoticeStartsLateByTheJitter) {
    Platform torus = grid_of("torus", {4, 2}, {10_ns, 35_ns});
    torus.parameters.start_jitter = 50_ns;
    torus.parameters.seed = 3;
    const endpoint::StartJitter jitter(50_ns, 3);
    const auto once = torus.complete(entering(all_enter_at(8, 5_ns)));
    Duration largest{}, smallest = 50_ns;
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
        const Duration error = jitter.error(rank, 0);
        EXPECT_EQ(once->rank(rank).finish, at(5_ns + 2 * 10_ns + 35_ns + error));
        largest = std::max(largest, error);
        smallest = std::min(smallest, error);
    }
    EXPECT_EQ(once->starts()->largest_skew, largest - smallest);
    // The next start follows from the rank that was the last to notice the first one.
    const std::vector<std::vector<Duration>> pauses(8, {5_ns, 0_ns});
    const auto twice = torus.complete(entering(pauses));
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
        EXPECT_EQ(twice->rank(rank).finish, at(5_ns + 2 * 55_ns + largest + jitter.error(rank, 1)));
    }
}

/// An instant after a start is late by the start's error, and no rank misses it by that.
TEST(ReplayStarts, InstantsCountFromWhenTheStartWasNoticed) {
    const auto parameters = [](std::uint64_t seed) {
        return ReplayParameters{.start_jitter = 50_ns, .seed = seed};
    };
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const endpoint::StartJitter jitter(50_ns, seed);
        const auto replay =
            Star(2)
                .with(parameters(seed))
                .complete(of_ranks({in_turn({"synchronise", "wait_after 300"}), "synchronise"}));
        EXPECT_EQ(replay->rank(0).finish, at(200_ns + jitter.error(0, 0) + 300_ns));
        EXPECT_EQ(replay->starts()->missed, 0u);
    }
}

TEST(ReplayStarts, RanksMayBePutOnHostsInAnyOrder) {
    Platform torus = grid_of("torus", {4, 2}, {10_ns, 35_ns});
    torus.parameters.rank_hosts = {7, 3, 1, 0, 2, 6, 5, 4};
    const auto replay = torus.complete(entering(all_enter_at(8, 0_ns)));
    EXPECT_EQ(replay->starts()->rounds, 2u);
    EXPECT_EQ(replay->virtual_time(), at(2 * 10_ns + 35_ns));
}

TEST(ReplayStarts, RanksOfOneHostSynchroniseAllAtOnce) {
    const Star star = Star(2).with({.ranks_per_host = 2, .start_sides = {2}});
    const auto replay = star.complete(entering(all_enter_at(4, 0_ns)));
    EXPECT_EQ(replay->starts()->rounds, 1u);
    EXPECT_EQ(replay->starts()->packets, 12u);
    EXPECT_EQ(replay->starts()->largest_skew, 0_ns);
    EXPECT_EQ(replay->virtual_time(), at(200_ns));
}

/// Blocked until a picosecond before, ready at the instant.
TEST(ReplayStarts, AWaitEndsATimeAfterTheStart) {
    const auto replay =
        Star(2).complete(of_ranks({in_turn({"synchronise", "wait_after 300", "calc 7"}),
                                   in_turn({"calc 50", "synchronise", "calc 400", "wait_after 300",
                                            "wait_after 400", "wait_after 500"})}));
    EXPECT_EQ(replay->rank(0).finish, at(50_ns + 200_ns + 300_ns + 7_ns));
    EXPECT_EQ(replay->rank(1).finish, at(50_ns + 200_ns + 500_ns));
    EXPECT_EQ(replay->starts()->waits, 4u);
    EXPECT_EQ(replay->starts()->missed, 1u);
    EXPECT_EQ(replay->starts()->largest_lateness, 100_ns);
}

TEST(ReplayStarts, WithoutASynchronisationAWaitCountsFromTheBeginning) {
    EXPECT_EQ(Star(1).replay(of_ranks({"wait_after 1500ps"}))->virtual_time(), at(1500_ps));
}

TEST(ReplayStarts, SynchronisationsOfARankFollowEachOther) {
    const auto replay =
        Star(2).complete(of_ranks({"synchronise\nsynchronise", "synchronise\nsynchronise cpu 1"}));
    EXPECT_EQ(replay->starts()->synchronisations, 2u);
    EXPECT_EQ(replay->virtual_time(), at(400_ns));
}

TEST(ReplayStarts, ARankThatNeverSynchronisesIsADeadlock) {
    const auto replay = Star(3).replay(of_ranks({"synchronise", "synchronise", ""}));
    EXPECT_FALSE(replay->is_complete());
    ASSERT_EQ(replay->stuck_ranks(10).size(), 2u);
    EXPECT_EQ(replay->stuck_ranks(10)[0].waits_for, "waits for the common start of all ranks");
}

TEST(ReplayStarts, ScheduleWithoutStartsHasNone) {
    EXPECT_EQ(Star(1).replay(goal("num_ranks 1\nrank 0 { calc 1 }"))->starts(), nullptr);
}

}  // namespace
}  // namespace kumi::schedule
