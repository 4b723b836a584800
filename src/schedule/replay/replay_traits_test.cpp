// Operations of recorded runs: what they cost, and whose time they are.

#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

Replayed replay(const Schedule& schedule) { return Star(2).with(kLoaded).replay(schedule); }

TEST(ReplayTraits, ABareMessageTakesItsWayAndNothingElse) {
    const Star star(2);
    const auto replayed = replay(one_message(1000, "bare", "bare"));
    expect_complete(*replayed);
    EXPECT_EQ(replayed->virtual_time(), at(star.transfer(1000)));
    EXPECT_EQ(replayed->rank(0).finish, Instant{});
    EXPECT_EQ(replayed->rank(1).communication, Duration{});
    EXPECT_EQ(replayed->rank(1).wait, star.transfer(1000));
}

TEST(ReplayTraits, ABareMessageIsNeverARendezvous) {
    const Star star(2);
    const auto replayed = replay(one_message(100'000, "bare", "bare"));
    EXPECT_EQ(replayed->virtual_time(), at(star.transfer(100000)));
    EXPECT_EQ(replayed->control_messages(), 0u);
    EXPECT_EQ(replayed->rank(1).bytes_received, 100000u);
}

TEST(ReplayTraits, AnUnexpectedBareMessageCostsNoSearch) {
    const auto replayed = replay(of_ranks(
        {"send 8b to 1 tag 1 bare\nsend 8b to 1 tag 2 bare",
         in_turn({"calc 1000", "recv 8b from 0 tag 2 bare", "recv 8b from 0 tag 1 bare"})}));
    expect_complete(*replayed);
    EXPECT_EQ(replayed->rank(1).finish, at(1000_ns));
}

TEST(ReplayTraits, SoftwareIsCommunicationAndSleepingIsWaiting) {
    for (const bool sleeps : {false, true}) {
        const auto replayed =
            replay(of_ranks({in_turn({"calc 70", sleeps ? "calc 30 sleep" : "calc 30 software"})}));
        EXPECT_EQ(replayed->rank(0).compute, 70_ns);
        EXPECT_EQ(replayed->rank(0).communication, sleeps ? 0_ns : 30_ns);
        EXPECT_EQ(replayed->rank(0).wait, sleeps ? 30_ns : 0_ns);
        EXPECT_EQ(replayed->rank(0).finish, at(100_ns));
    }
}

TEST(ReplayTraits, ControlMessagesAreCountedApart) {
    const auto replayed = replay(one_message(32, "bare control", "bare"));
    EXPECT_EQ(replayed->control_messages(), 1u);
    EXPECT_EQ(replayed->progress().control_bytes, 32u);
    EXPECT_EQ(replayed->rank(0).messages_sent, 0u);
    EXPECT_EQ(replayed->rank(1).messages_received, 0u);
}

/// Rank 1 asks rank 0's interface for 1000 bytes while rank 0 computes.
Replayed replay_request_during(const char* computing) {
    return replay(of_ranks(
        {in_turn({"recv 32b from 1 bare interface", "send 1000b to 1 bare interface"}) + computing,
         in_turn({"send 32b to 0 bare control request", "recv 1000b from 0 bare"})}));
}

TEST(ReplayTraits, AnInterfaceAnswersWhileItsRankComputes) {
    const Star star(2);
    const auto replayed = replay_request_during("calc 5000");
    expect_complete(*replayed);
    EXPECT_EQ(replayed->rank(1).finish, at(star.transfer(32) + star.transfer(1000)));
    EXPECT_EQ(replayed->rank(0).finish, at(5000_ns));
    EXPECT_EQ(replayed->rank(0).bytes_sent, 1000u);
}

TEST(ReplayTraits, WhatAnInterfaceDoesIsNotItsRanksTime) {
    const auto replayed = replay_request_during("calc 5");
    EXPECT_EQ(replayed->rank(0).finish, at(5_ns));
    EXPECT_EQ(replayed->rank(0).wait, Duration{});
}

TEST(ReplayTraits, PlainMessagesBesideBareOnesPayAsAlways) {
    const Star star = Star(2).with(kLoaded);
    const auto replayed =
        replay(of_ranks({in_turn({"send 8b to 1 tag 1 bare", "send 1000b to 1 tag 2"}),
                         "recv 8b from 0 tag 1 bare\nrecv 1000b from 0 tag 2"}));
    expect_complete(*replayed);
    EXPECT_EQ(replayed->rank(0).finish, at(kLoaded.endpoint.send_overhead));
    EXPECT_EQ(replayed->rank(1).finish, at(star.message(1000)));
}

}  // namespace
}  // namespace kumi::schedule
