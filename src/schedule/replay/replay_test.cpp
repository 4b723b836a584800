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
    const Star platform = star(2);
    const auto replay =
        platform.complete(of_ranks({in_turn({"send 1024b to 1", "recv 1024b from 1"}),
                                    in_turn({"recv 1024b from 0", "send 1024b to 0"})}));
    EXPECT_EQ(replay->rank(0).finish, at(2 * platform.message(1024)));
    EXPECT_EQ(replay->rank(1).finish,
              at(platform.message(1024) + GetParam().endpoint.send_overhead));
}

TEST_P(ReplayForms, RendezvousIsRequestFetchDataAndAWordThatTheyCame) {
    const std::uint64_t size = 1'000'003;
    const Star platform = star(2);
    const auto replay = platform.complete(one_message(size));
    const Instant received = at(platform.message(size) + 2 * platform.transfer(32));
    EXPECT_EQ(replay->rank(1).finish, received);
    EXPECT_EQ(replay->rank(0).finish, received + platform.transfer(32));
    EXPECT_EQ(replay->control_messages(), 3u);
    EXPECT_EQ(replay->rank(0).bytes_sent, size);
    EXPECT_EQ(replay->rank(1).bytes_received, size);
}

/// Pairwise, an alltoall takes a message a step; an allreduce goes twice around its ring.
TEST_P(ReplayForms, AlltoallsAndAllreducesTakeTheirMessages) {
    const auto expect_messages = [](std::int64_t messages, const char* pattern,
                                    const collectives::PatternParameters& parameters) {
        const Star platform = star(parameters.ranks);
        const auto replay = platform.complete(generate(pattern, parameters));
        EXPECT_EQ(replay->virtual_time(), at(messages * platform.message(1000))) << pattern;
    };
    for (const std::uint32_t ranks : {2U, 5U, 16U})
        expect_messages(ranks - 1, "alltoall/pairwise", {.ranks = ranks, .size_bytes = 1000});
    expect_messages(2 * (8 - 1), "allreduce/ring", {.ranks = 8, .size_bytes = 8000});
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
    const std::string chain = in_turn({"calc 100", "wait_until 500", "calc 7"});
    const auto replay = Star(1).with(kLoaded).replay(
        of_ranks({chain + "d: calc 50 cpu 1\ne: calc 30\nd irequires a\ne irequires c"}));
    EXPECT_TRUE(replay->is_complete());
    // e shares the cpu with c and follows it; d runs in parallel with them.
    EXPECT_EQ(replay->virtual_time(), at(537_ns));
}

TEST(Replay, OnlyACommonCpuPutsWorkInARow) {
    const auto time = [](const char* rank) {
        return Star(1).replay(of_ranks({rank}))->virtual_time();
    };
    EXPECT_EQ(time("calc 5\ncalc 5"), at(10_ns));
    EXPECT_EQ(time("calc 5\ncalc 5 cpu 1"), at(5_ns));
}

TEST(Replay, AMessageThatNobodyExpectedWaits) {
    const auto replay = Star(2).with(kLoaded).replay(
        of_ranks({"send 8b to 1", in_turn({"calc 10000", "recv 8b from 0"})}));
    // It is found in the queue: one entry is searched.
    EXPECT_EQ(replay->rank(1).finish, at(10'000_ns + 13_ns + 170_ns));
}

TEST(Replay, SearchesArePaidByTheEntry) {
    const Star platform = Star(2).with(
        {.endpoint = {.eager_limit_bytes = 100, .matching = matching::CostModel::list(13_ns)}});
    const auto replay = platform.replay(of_ranks(
        {"send 8b to 1 tag 2", "recv 8b from 0\nrecv 8b from 0 tag 1\nrecv 8b from 0 tag 2"}));
    EXPECT_EQ(replay->rank(1).finish, at(platform.transfer(8) + 3 * 13_ns));
}

/// Two messages that both receives accept: work that waits for the receive posted first begins when
/// the first message is there.
TEST(Replay, TheReceiveThatWasPostedFirstTakesTheFirstMessage) {
    for (const std::string receives : {"a: recv 8b from -1 tag -1\nb: recv 8b from 0 tag 5\n",
                                       "a: recv 8b from 0 tag 5\nb: recv 8b from -1 tag -1\n",
                                       "a: recv 8b from -1 tag 5\nb: recv 8b from 0 tag -1\n"}) {
        const Star platform(2);
        const auto replay = platform.replay(
            of_ranks({in_turn({"send 8b to 1 tag 5", "calc 1000", "send 8b to 1 tag 5"}),
                      receives + "c: calc 100000\nc requires a"}));
        EXPECT_EQ(replay->rank(1).finish, at(platform.transfer(8) + 100'000_ns)) << receives;
        EXPECT_TRUE(replay->is_complete());
    }
}

TEST(Replay, WildcardsTakeUnexpectedMessagesInTheOrderOfArrival) {
    const auto replay =
        Star(3).replay(of_ranks({"send 8b to 2 tag 1", in_turn({"calc 50", "send 8b to 2 tag 2"}),
                                 in_turn({"calc 1000", "recv 8b from -1 tag -1",
                                          "recv 8b from 1 tag 2", "recv 8b from 0 tag 1"})}));
    // The wildcard has taken the message of rank 0, so that nothing is left for the last receive.
    EXPECT_FALSE(replay->is_complete());
    EXPECT_EQ(replay->describe_wait(2), "waits for a message from rank 0 with tag 1");
    EXPECT_TRUE(replay->unreceived_messages().empty());
}

TEST(Replay, ADeadlockSaysWhoWaitsForWhat) {
    const Star platform = Star(2).with({.endpoint = {.control_bytes = 32}});
    const auto replay =
        platform.replay(of_ranks({in_turn({"send 8b to 1", "recv 8b from 1"}),
                                  in_turn({"send 8b to 0 tag 3", "recv 8b from 0"})}));
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
