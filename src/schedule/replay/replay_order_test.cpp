// When a rank looks at what has arrived, and how a replay is driven.
#include <string>

#include "schedule/patterns/patterns.hpp"
#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

/// Two messages arrive while the rank computes. In its next call it takes both in before it goes on
/// with what waits for one of them.
TEST(ReplayOrder, AllThatArrivedDuringWorkIsTakenInBeforeTheRankGoesOn) {
    const Star platform = Star(4).with(kLoaded);
    const auto replay = platform.complete(
        of_ranks({"send 8b to 2", in_turn({"calc 100", "send 8b to 2"}),
                  "a: recv 8b from 0\nb: recv 8b from 1\nc: calc 20000\nd: send 8b to 3\n"
                  "d requires a\nd requires c",
                  "recv 8b from 2"}));
    const Duration both = 2 * (170_ns + 13_ns);
    EXPECT_EQ(replay->rank(2).finish, at(20'000_ns + both + 210_ns));
    EXPECT_EQ(replay->rank(2).communication, both + 210_ns);
    EXPECT_EQ(replay->rank(3).finish, at(20'000_ns + both + platform.message(8)));
}

/// The second message arrives while the rank pays for the first: what waits for the first goes on.
TEST(ReplayOrder, WhatArrivesLaterIsTakenInLater) {
    const Star platform = Star(3).with(kLoaded);
    const auto replay = platform.replay(
        of_ranks({"send 8b to 2", in_turn({"calc 100", "send 8b to 2"}),
                  "a: recv 8b from 0\nb: recv 8b from 1\nc: calc 5000\nc requires a"}));
    const Instant first = at(platform.message(8));
    EXPECT_EQ(replay->rank(2).finish, first + 5'000_ns + 13_ns + 170_ns);
    EXPECT_EQ(replay->rank(2).compute, 5'000_ns);
}

TEST(ReplayOrder, WaitingForATimeDoesNotKeepARankFromItsMessages) {
    const Star platform = Star(2).with(kLoaded);
    const auto replay =
        platform.replay(of_ranks({in_turn({"send 8b to 1", "recv 8b from 1"}),
                                  in_turn({"wait_until 90000", "send 8b to 0 tag 1"}) +
                                      "c: recv 8b from 0\nd: send 8b to 0\nd requires c"}));
    EXPECT_EQ(replay->rank(0).finish, at(2 * platform.message(8)));
    EXPECT_EQ(replay->rank(1).finish, at(90'000_ns + 210_ns));
}

/// Both send a large message to each other, then compute, then wait: the requests lie there until
/// the work is over.
TEST(ReplayOrder, AnExchangeOfLargeMessagesBesideWork) {
    const auto exchange_with = [](const std::string& peer) {
        // Receives are posted, not waited for.
        return "a: recv 100000b from " + peer + "\nb: send 100000b to " + peer +
               "\nc: calc 50000\nb irequires a\nc irequires b";
    };
    const Star platform = Star(2).with(kLoaded);
    const auto replay = platform.complete(of_ranks({exchange_with("1"), exchange_with("0")}));
    const Instant asked = at(210_ns + 50'000_ns + 13_ns);
    const Instant received = asked + platform.transfer(32) + platform.transfer(100'000) + 170_ns;
    EXPECT_EQ(replay->rank(0).finish, received + platform.transfer(32));
    EXPECT_EQ(replay->rank(1).finish, replay->rank(0).finish);
    EXPECT_EQ(replay->rank(0).wait + replay->rank(0).compute + replay->rank(0).communication,
              replay->rank(0).finish - Instant{});
}

TEST(ReplayOrder, StepsOfAnySizeGiveTheSame) {
    const Schedule schedule = generate("allreduce/ring", {.ranks = 7, .size_bytes = 90'000}, 2);
    const Star platform = Star(7).with(kLoaded);
    const auto at_once = platform.replay(schedule);
    const auto stepwise = platform.begin(schedule);
    std::uint64_t operations = 0;
    Instant time{};
    while (stepwise->advance(1)) {
        const ReplayProgress progress = stepwise->progress();
        EXPECT_GE(progress.operations_done, operations);
        EXPECT_GE(progress.virtual_time, time);
        operations = progress.operations_done;
        time = progress.virtual_time;
    }
    const ReplayProgress progress = stepwise->progress();
    EXPECT_EQ(progress.operations_done, progress.operations);
    EXPECT_EQ(progress.messages_in_flight, 0u);
    EXPECT_EQ(progress.messages, 7u * 12 * 2);
    EXPECT_EQ(progress.events, at_once->progress().events);
    EXPECT_EQ(stepwise->network().event_hash(), at_once->network().event_hash());
    EXPECT_EQ(stepwise->virtual_time(), at_once->virtual_time());
    EXPECT_TRUE(stepwise->stuck_ranks(10).empty());
}

/// A wait and a send begin at one time; the wait's end, at the same time, lets another send begin,
/// which has a smaller number than the first.
TEST(ReplayOrder, WhatBecomesReadyBetweenOperationsOfOneTimeTakesItsTurn) {
    const Star platform = Star(2).with(kPlain);
    // The wait takes no cpu: the rank's own time does not tell that something has been done
    // meanwhile.
    const auto replay = platform.begin(
        of_ranks({"gate: wait_until 5000\nwait: wait_until 5000\nbehind: send 20b to 1 tag 2\n"
                  "second: send 30b to 1 tag 3\nwait requires gate\nbehind requires gate\n"
                  "second requires gate\nbehind requires wait",
                  "recv 20b from 0 tag 2\nrecv 30b from 0 tag 3"}));
    Instant arrivals[2];
    std::size_t count = 0;
    for (bool goes_on = true; goes_on;) {
        goes_on = replay->advance(1);
        if (replay->rank(1).messages_received == count) continue;
        ASSERT_LT(count, 2u);
        arrivals[count++] = replay->network().now();
    }
    ASSERT_EQ(count, 2u);
    // One after the other on a link of 1 ns a byte.
    const Instant left = at(5'000_ns) + 200_ns;
    EXPECT_EQ(arrivals[0], left + 20_ns);
    EXPECT_EQ(arrivals[1], left + 50_ns);
}

TEST(ReplayOrder, StuckRanksAreNamedInOrderAndNoMoreThanAskedFor) {
    const auto replay =
        Star(3).replay(of_ranks({"calc 1", "recv 8b from 0", "recv 8b from -1 tag -1"}));
    ASSERT_EQ(replay->stuck_ranks(10).size(), 2u);
    EXPECT_EQ(replay->stuck_ranks(10)[1].rank, 2u);
    EXPECT_EQ(replay->stuck_ranks(10)[1].waits_for,
              "waits for a message from any rank with any tag");
    ASSERT_EQ(replay->stuck_ranks(1).size(), 1u);
    EXPECT_EQ(replay->stuck_ranks(1)[0].rank, 1u);
}

TEST(ReplayOrder, RanksRunWhereTheyArePut) {
    const Schedule schedule = one_message(8);
    const auto replay =
        Star(4).with({.endpoint = {.eager_limit_bytes = 8}, .rank_hosts = {3, 1}}).replay(schedule);
    EXPECT_EQ(replay->rank(0).host, 3u);
    EXPECT_EQ(replay->network().link_statistics(2 * 3).packets, 1u);
    EXPECT_EQ(replay->network().link_statistics(2 * 1 + 1).packets, 1u);
    for (const std::vector<std::uint32_t>& hosts :
         {std::vector<std::uint32_t>{0}, std::vector<std::uint32_t>{0, 4},
          std::vector<std::uint32_t>{2, 2}}) {
        EXPECT_THROW(Star(4).with({.rank_hosts = hosts}).replay(schedule), std::invalid_argument);
    }
}

TEST(ReplayOrder, MoreHostsThanATableHolds) {
    const std::uint32_t hosts = Replay::kHostsWithTable + 1;
    const Star platform = Star(hosts).with(kLoaded);
    const auto replay =
        platform.complete(generate("shift/direct", {.ranks = hosts, .size_bytes = 64}));
    EXPECT_EQ(replay->virtual_time(), at(platform.message(64)));
}

TEST(ReplayOrder, TheEndOfVirtualTimeIsAnError) {
    const Schedule schedule = of_ranks({"calc 4611686018427387904ps\ncalc 4611686018427387904ps"});
    EXPECT_THROW(Star(1).replay(schedule), std::overflow_error);
}

}  // namespace
}  // namespace kumi::schedule
