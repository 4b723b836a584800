#include "schedule/replay/replay.hpp"

#include "schedule/patterns/patterns.hpp"
#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

class ReplayForms : public testing::TestWithParam<ReplayParameters> {
   protected:
    static Star star(std::uint32_t hosts) { return Star(hosts).with(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Overheads, ReplayForms, testing::Values(kPlain, kLoaded));

TEST_P(ReplayForms, PingPong) {
    const Schedule schedule = goal(R"(num_ranks 2
rank 0 {
a: send 1024b to 1
b: recv 1024b from 1
b requires a
}
rank 1 {
a: recv 1024b from 0
b: send 1024b to 0
b requires a
})");
    const Star platform = star(2);
    const auto replay = platform.complete(schedule);
    EXPECT_EQ(replay->rank(0).finish, at(2 * platform.message(1024)));
    EXPECT_EQ(replay->rank(1).finish,
              at(platform.message(1024) + GetParam().endpoint.send_overhead));
}

TEST_P(ReplayForms, RendezvousIsRequestFetchDataAndAWordThatTheyCame) {
    const std::uint64_t size = 1'000'003;
    const Star platform = star(2);
    const auto replay = platform.complete(goal(one_message(size)));
    const Instant received = at(platform.message(size) + 2 * platform.transfer(32));
    EXPECT_EQ(replay->rank(1).finish, received);
    EXPECT_EQ(replay->rank(0).finish, received + platform.transfer(32));
    EXPECT_EQ(replay->control_messages(), 3u);
    EXPECT_EQ(replay->rank(0).bytes_sent, size);
    EXPECT_EQ(replay->rank(1).bytes_received, size);
}

TEST_P(ReplayForms, PairwiseAlltoallTakesAMessageAStep) {
    for (const std::uint32_t ranks : {2U, 5U, 16U}) {
        const Schedule schedule =
            generate("alltoall/pairwise", {.ranks = ranks, .size_bytes = 1000});
        const Star platform = star(ranks);
        const auto replay = platform.complete(schedule);
        EXPECT_EQ(replay->virtual_time(), at((ranks - 1) * platform.message(1000)));
    }
}

TEST_P(ReplayForms, RingAllreduceTakesTwiceAroundTheRing) {
    const std::uint32_t ranks = 8;
    const Schedule schedule = generate("allreduce/ring", {.ranks = ranks, .size_bytes = 8000});
    const Star platform = star(ranks);
    const auto replay = platform.complete(schedule);
    EXPECT_EQ(replay->virtual_time(), at(2 * (ranks - 1) * platform.message(1000)));
}

TEST_P(ReplayForms, IncastStandsInLineAtTheLastLink) {
    const std::uint32_t ranks = 9;
    const Schedule schedule = generate("incast", {.ranks = ranks, .size_bytes = 4096});
    const Star platform = star(ranks);
    const auto replay = platform.complete(schedule);
    Instant clock{};
    for (std::uint32_t place = 0; place + 1 < ranks; ++place) {
        const Instant arrival = at(GetParam().endpoint.send_overhead + platform.transfer(4096) +
                                   place * platform.serialisation(4096));
        // Messages come in the order of ranks, as the receives were posted.
        clock = later(clock, arrival) + GetParam().endpoint.matching.posted.of(1) +
                GetParam().endpoint.receive_overhead;
    }
    EXPECT_EQ(replay->rank(0).finish, clock);
}

TEST(Replay, AChainOfWorkIsTheSumOfItsParts) {
    const auto replay = Star(1).with(kLoaded).replay(goal(R"(num_ranks 1
rank 0 {
a: calc 100
b: wait_until 500
c: calc 7
d: calc 50 cpu 1
e: calc 30
b requires a
c requires b
d irequires a
e irequires c
})"));
    EXPECT_TRUE(replay->is_complete());
    // e shares the cpu with c and follows it; d runs in parallel with them.
    EXPECT_EQ(replay->virtual_time(), at(537_ns));
}

TEST(Replay, OnlyACommonCpuPutsWorkInARow) {
    EXPECT_EQ(Star(1).replay(goal("num_ranks 1\nrank 0 {\ncalc 5\ncalc 5\n}"))->virtual_time(),
              at(10_ns));
    EXPECT_EQ(
        Star(1).replay(goal("num_ranks 1\nrank 0 {\ncalc 5\ncalc 5 cpu 1\n}"))->virtual_time(),
        at(5_ns));
}

TEST(Replay, AMessageThatNobodyExpectedWaits) {
    const Star platform = Star(2).with(kLoaded);
    const auto replay = platform.replay(goal(R"(num_ranks 2
rank 0 { send 8b to 1 }
rank 1 {
a: calc 10000
b: recv 8b from 0
b requires a
})"));
    // It is found in the queue: one entry is searched.
    EXPECT_EQ(replay->rank(1).finish, at(10'000_ns + 13_ns + 170_ns));
}

TEST(Replay, SearchesArePaidByTheEntry) {
    const Star platform = Star(2).with(
        {.endpoint = {.eager_limit_bytes = 100, .matching = matching::CostModel::list(13_ns)}});
    const auto replay = platform.replay(goal(R"(num_ranks 2
rank 0 { send 8b to 1 tag 2 }
rank 1 {
recv 8b from 0
recv 8b from 0 tag 1
recv 8b from 0 tag 2
})"));
    EXPECT_EQ(replay->rank(1).finish, at(platform.transfer(8) + 3 * 13_ns));
}

/// Two messages that both receives accept: work that waits for the receive posted first begins when
/// the first message is there.
TEST(Replay, TheReceiveThatWasPostedFirstTakesTheFirstMessage) {
    for (const char* receives : {"a: recv 8b from -1 tag -1\nb: recv 8b from 0 tag 5\n",
                                 "a: recv 8b from 0 tag 5\nb: recv 8b from -1 tag -1\n",
                                 "a: recv 8b from -1 tag 5\nb: recv 8b from 0 tag -1\n"}) {
        const std::string text = std::string(R"(num_ranks 2
rank 0 {
a: send 8b to 1 tag 5
b: calc 1000
c: send 8b to 1 tag 5
b requires a
c requires b
}
rank 1 {
)") + receives + "c: calc 100000\nc requires a\n}\n";
        const Star platform(2);
        const auto replay = platform.replay(goal(text));
        EXPECT_EQ(replay->rank(1).finish, at(platform.transfer(8) + 100'000_ns)) << receives;
        EXPECT_TRUE(replay->is_complete());
    }
}

TEST(Replay, WildcardsTakeUnexpectedMessagesInTheOrderOfArrival) {
    const Star platform(3);
    const auto replay = platform.replay(goal(R"(num_ranks 3
rank 0 { send 8b to 2 tag 1 }
rank 1 {
a: calc 50
b: send 8b to 2 tag 2
b requires a
}
rank 2 {
a: calc 1000
b: recv 8b from -1 tag -1
c: recv 8b from 1 tag 2
d: recv 8b from 0 tag 1
b requires a
c requires b
d requires c
})"));
    // The wildcard has taken the message of rank 0, so that nothing is left for the last receive.
    EXPECT_FALSE(replay->is_complete());
    EXPECT_EQ(replay->describe_wait(2), "waits for a message from rank 0 with tag 1");
    EXPECT_TRUE(replay->unreceived_messages().empty());
}

TEST(Replay, ADeadlockSaysWhoWaitsForWhat) {
    const auto replay = Star(2).with({.endpoint = {.control_bytes = 32}}).replay(goal(R"(num_ranks 2
rank 0 {
a: send 8b to 1
b: recv 8b from 1
b requires a
}
rank 1 {
a: send 8b to 0 tag 3
b: recv 8b from 0
b requires a
})"));
    EXPECT_FALSE(replay->is_complete());
    EXPECT_EQ(replay->describe_wait(0),
              "waits for a receive by rank 1 with tag 0, 1 operation behind it");
    EXPECT_EQ(replay->describe_wait(1),
              "waits for a receive by rank 0 with tag 3, 1 operation behind it");
}

TEST(Replay, RanksMustFitOnTheHosts) {
    const Schedule schedule = goal("num_ranks 3\n");
    EXPECT_THROW(Star(2).replay(schedule), std::invalid_argument);
    EXPECT_TRUE(Star(2).with({.ranks_per_host = 2}).replay(schedule)->is_complete());
}

TEST(Replay, RepeatsItselfExactly) {
    for (const char* pattern : {"alltoall/linear", "alltoall/bruck", "permutation", "halo/3d"}) {
        const Schedule schedule =
            generate(pattern, {.ranks = 27, .size_bytes = 70'000, .seed = 3}, 2);
        const Star platform = Star(27).with(kLoaded);
        const auto first = platform.replay(schedule);
        const auto second = platform.replay(schedule);
        expect_complete(*first);
        EXPECT_EQ(first->network().event_hash(), second->network().event_hash());
        EXPECT_EQ(first->virtual_time(), second->virtual_time());
    }
}

}  // namespace
}  // namespace kumi::schedule
