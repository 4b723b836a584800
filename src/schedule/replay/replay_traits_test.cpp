// Operations of recorded runs: what they cost, and whose time they are.

#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

Replayed replay(const std::string& text) { return Star(2).with(kLoaded).replay(goal(text)); }

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
    const auto replayed = replay(R"(num_ranks 2
rank 0 {
send 8b to 1 tag 1 bare
send 8b to 1 tag 2 bare
}
rank 1 {
a: calc 1000
b: recv 8b from 0 tag 2 bare
c: recv 8b from 0 tag 1 bare
b requires a
c requires b
}
)");
    expect_complete(*replayed);
    EXPECT_EQ(replayed->rank(1).finish, at(1000_ns));
}

TEST(ReplayTraits, SoftwareIsCommunication) {
    const auto replayed =
        replay("num_ranks 1\nrank 0 {\na: calc 70\nb: calc 30 software\nb requires a\n}\n");
    EXPECT_EQ(replayed->rank(0).compute, 70_ns);
    EXPECT_EQ(replayed->rank(0).communication, 30_ns);
    EXPECT_EQ(replayed->rank(0).finish, at(100_ns));
}

TEST(ReplayTraits, SleepingIsWaiting) {
    const auto replayed =
        replay("num_ranks 1\nrank 0 {\na: calc 70\nb: calc 30 sleep\nb requires a\n}\n");
    EXPECT_EQ(replayed->rank(0).compute, 70_ns);
    EXPECT_EQ(replayed->rank(0).communication, Duration{});
    EXPECT_EQ(replayed->rank(0).wait, 30_ns);
    EXPECT_EQ(replayed->rank(0).finish, at(100_ns));
}

TEST(ReplayTraits, ControlMessagesAreCountedApart) {
    const auto replayed = replay(one_message(32, "bare control", "bare"));
    EXPECT_EQ(replayed->control_messages(), 1u);
    EXPECT_EQ(replayed->progress().control_bytes, 32u);
    EXPECT_EQ(replayed->rank(0).messages_sent, 0u);
    EXPECT_EQ(replayed->rank(1).messages_received, 0u);
}

/// Rank 1 asks rank 0's interface for 1000 bytes while rank 0 computes.
constexpr const char* kRequest = R"(num_ranks 2
rank 0 {
ask: recv 32b from 1 bare interface
give: send 1000b to 1 bare interface
give requires ask
calc 5000
}
rank 1 {
a: send 32b to 0 bare control request
b: recv 1000b from 0 bare
b requires a
}
)";

TEST(ReplayTraits, AnInterfaceAnswersWhileItsRankComputes) {
    const Star star(2);
    const auto replayed = replay(kRequest);
    expect_complete(*replayed);
    EXPECT_EQ(replayed->rank(1).finish, at(star.transfer(32) + star.transfer(1000)));
    EXPECT_EQ(replayed->rank(0).finish, at(5000_ns));
    EXPECT_EQ(replayed->rank(0).bytes_sent, 1000u);
}

TEST(ReplayTraits, WhatAnInterfaceDoesIsNotItsRanksTime) {
    std::string text = kRequest;
    text.replace(text.find("calc 5000"), 9, "calc 5");
    const auto replayed = replay(text);
    EXPECT_EQ(replayed->rank(0).finish, at(5_ns));
    EXPECT_EQ(replayed->rank(0).wait, Duration{});
}

TEST(ReplayTraits, PlainMessagesBesideBareOnesPayAsAlways) {
    const Star star = Star(2).with(kLoaded);
    const auto replayed = replay(R"(num_ranks 2
rank 0 {
a: send 8b to 1 tag 1 bare
b: send 1000b to 1 tag 2
b requires a
}
rank 1 {
recv 8b from 0 tag 1 bare
recv 1000b from 0 tag 2
}
)");
    expect_complete(*replayed);
    EXPECT_EQ(replayed->rank(0).finish, at(kLoaded.endpoint.send_overhead));
    EXPECT_EQ(replayed->rank(1).finish, at(star.message(1000)));
}

}  // namespace
}  // namespace kumi::schedule
