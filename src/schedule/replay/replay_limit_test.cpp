// Where replays end before all is done: at a limit, in a deadlock, at a message without a path.

#include <gtest/gtest.h>

#include "network/testing/gap_under_test.hpp"
#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

/// Rank 0 computes for 1 µs and then sends a word to rank 1, which computes for 5 µs.
Replayed replay_until(Duration limit) {
    ReplayParameters parameters = kPlain;
    parameters.time_limit = Instant{} + limit;
    return Star(2)
        .with(parameters)
        .replay(of_ranks(
            {in_turn({"calc 1000", "send 8b to 1"}), in_turn({"recv 8b from 0", "calc 5000"})}));
}

TEST(ReplayLimit, WhatComesAtTheLimitHappens) {
    const Duration arrival = 1_us + Star(2).transfer(8);
    const auto at_it = replay_until(arrival);
    EXPECT_EQ(at_it->network().counters().arrived_messages, 1U);
    const auto before_it = replay_until(arrival - 1_ps);
    EXPECT_EQ(before_it->network().counters().arrived_messages, 0U);
    EXPECT_EQ(before_it->network().messages_in_flight(), 1U);
    EXPECT_FALSE(before_it->is_complete());
    EXPECT_TRUE(before_it->is_over_time());
}

TEST(ReplayLimit, WhatWaitsForAPointOfTimeDoesNotHappen) {
    const auto replay = replay_until(1_us - 1_ps);
    EXPECT_EQ(replay->progress().messages, 0U);
    EXPECT_EQ(replay->rank(0).finish, Instant{} + 1_us - 1_ps);
    EXPECT_TRUE(replay->is_over_time());
}

TEST(ReplayLimit, AnOperationThatGoesBeyondTheLimitCountsUpToIt) {
    const Duration end = 1_us + Star(2).transfer(8) + 5_us;
    const auto cut = replay_until(end - 1_ps);
    EXPECT_EQ(cut->virtual_time(), Instant{} + end - 1_ps);
    EXPECT_EQ(cut->rank(1).finish, Instant{} + end - 1_ps);
    EXPECT_EQ(cut->rank(1).compute, 5_us - 1_ps);
    EXPECT_TRUE(cut->is_over_time());
    const auto whole = replay_until(end);
    EXPECT_TRUE(whole->is_complete());
    EXPECT_FALSE(whole->is_over_time());
}

TEST(ReplayLimit, ADeadlockIsNotALimit) {
    ReplayParameters parameters = kPlain;
    parameters.time_limit = Instant{} + 1_us;
    const auto replay = Star(2).with(parameters).replay(of_ranks({"recv 8b from 1", ""}));
    EXPECT_FALSE(replay->is_complete());
    EXPECT_FALSE(replay->is_over_time());
}

TEST(ReplayLimit, WhoeverIsStuckHasWaitedUntilTheDeadlock) {
    // Rank 1 waits for what never comes, rank 0 computes for longer than the message is on its way.
    const auto replay = Star(3).replay(
        of_ranks({"send 8b to 1 tag 3\ncalc 5000", "recv 8b from 0 tag 4", "calc 1"}));
    EXPECT_FALSE(replay->is_complete());
    EXPECT_EQ(replay->virtual_time(), at(5_us));
    EXPECT_EQ(replay->rank(1).finish, at(5_us));
    EXPECT_EQ(replay->rank(1).wait, 5_us);
    EXPECT_EQ(replay->rank(2).finish, at(1_ns));
}

TEST(ReplayLimit, ADeadlockIsNotBeforeTheLastArrival) {
    const auto replay = Star(2).replay(of_ranks({"send 8b to 1 tag 3", "recv 8b from 0 tag 4"}));
    const Duration arrival = Star(2).transfer(8);
    EXPECT_EQ(replay->virtual_time(), at(arrival));
    EXPECT_EQ(replay->rank(0).finish, at(Duration{}));
    EXPECT_EQ(replay->rank(1).wait, arrival);
}

/// Over a network in which a host has no path to others.
Replayed replay_beside_lonely_host(const Schedule& schedule) {
    return Platform(network::lonely_host()).replay(schedule);
}

TEST(ReplayUnconnected, RanksThatDoNotTalkNeedNoPath) {
    const auto replay =
        replay_beside_lonely_host(of_ranks({"send 1000b to 1", "recv 1000b from 0", "calc 7"}));
    EXPECT_FALSE(replay->unconnected());
    expect_complete(*replay);
    EXPECT_EQ(replay->virtual_time(), at(100_ns + 1000_ns));
}

TEST(ReplayUnconnected, TheFirstMessageWithoutAPathIsTheEnd) {
    const auto replay = replay_beside_lonely_host(of_ranks(
        {"send 1000b to 1", in_turn({"recv 1000b from 0", "send 8b to 2"}), "recv 8b from 1"}));
    ASSERT_TRUE(replay->unconnected());
    EXPECT_EQ(replay->unconnected()->from, 1U);
    EXPECT_EQ(replay->unconnected()->to, 2U);
    EXPECT_FALSE(replay->is_complete());
    EXPECT_EQ(replay->network().counters().arrived_messages, 1U);
    EXPECT_EQ(replay->virtual_time(), at(100_ns + 1000_ns));
    EXPECT_FALSE(replay->advance(1000));
    EXPECT_EQ(replay->network().counters().arrived_messages, 1U);
}

}  // namespace
}  // namespace kumi::schedule
