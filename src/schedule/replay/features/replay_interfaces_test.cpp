// Replays in which network interfaces match messages, held against sums done by hand.
#include "schedule/replay/features/replay_interfaces.hpp"

#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

constexpr Duration kEntry = 100_ns;
constexpr Duration kSearch = 30_ns;

ReplayParameters by_interface() {
    ReplayParameters parameters = kLoaded;
    parameters.endpoint.matching = {
        .posted = matching::SearchCost({.compare = kEntry}),
        .unexpected = matching::SearchCost({.per_search = kSearch, .compare = kEntry}),
        .body_latency = 500_ns,
        .payload_with_head_bytes = 64};
    parameters.endpoint.matches_by_interface = true;
    return parameters;
}

constexpr std::uint32_t kMany = 1000;
constexpr Duration kComputing{100'000'000'000};

/// Rank 1 posts receives, computes, and then waits for their messages, which come in the reverse
/// order: each searches all that are left.
Schedule posted_and_computed() {
    ScheduleBuilder builder(2);
    builder.begin_rank(0);
    std::uint32_t last = builder.add(Operation::compute(1_ms));
    for (std::uint32_t tag = kMany; tag-- > 0;) {
        const std::uint32_t send = builder.add(Operation::send(16, 1, tag));
        builder.require(send, last);
        last = send;
    }
    builder.begin_rank(1);
    std::vector<std::uint32_t> receives;
    for (std::uint32_t tag = 0; tag < kMany; ++tag) {
        receives.push_back(builder.add(Operation::receive(16, 0, tag)));
        if (tag > 0) builder.require_start(receives[tag], receives[tag - 1]);
    }
    const std::uint32_t computing = builder.add(Operation::compute(kComputing));
    builder.require_start(computing, receives.back());
    const std::uint32_t end = builder.add(Operation::compute(Duration{}));
    builder.require(end, computing);
    for (const std::uint32_t receive : receives) builder.require(end, receive);
    return builder.finish();
}

TEST(ReplayInterfaces, MatchWhileTheRankComputes) {
    const auto replay = Star(2).with(by_interface()).complete(posted_and_computed());
    EXPECT_EQ(replay->rank(1).finish, at(kComputing + kMany * kLoaded.endpoint.receive_overhead));
    ReplayParameters by_host = by_interface();
    by_host.endpoint.matches_by_interface = false;
    const auto late = Star(2).with(by_host).replay(posted_and_computed());
    const Duration searching = kEntry * (std::int64_t{kMany} * (kMany + 1) / 2);
    EXPECT_EQ(late->rank(1).finish,
              at(kComputing + kMany * (kLoaded.endpoint.receive_overhead + kSearch) + searching));
    const matching::Account& account = replay->matching_accounts()[1];
    EXPECT_EQ(account.spent(), late->matching_accounts()[1].spent());
    EXPECT_EQ(account.posted.spent, searching);
}

/// The rank waits from the beginning: it takes each message when the interface is done with it.
TEST(ReplayInterfaces, DoOneThingAfterTheOther) {
    constexpr std::uint32_t kSenders = 20;
    std::vector<std::string> ranks(kSenders + 1, "send 0b to 0");
    ranks[0].clear();
    // The receive of each message stands behind all those of the messages after it.
    for (std::uint32_t source = kSenders; source > 0; --source)
        ranks[0] += "recv 0b from " + std::to_string(source) + "\n";
    const Star platform = Star(kSenders + 1).with(by_interface());
    const auto replay = platform.complete(of_ranks(ranks));
    // All of them arrive at the same time, while the interface posts the receives.
    const Instant arrival = at(kLoaded.endpoint.send_overhead + platform.transfer(0));
    Instant matched = later(arrival, at(kSenders * kSearch)), clock{};
    for (std::uint32_t posted = kSenders; posted > 0; --posted) {
        matched = matched + kEntry * posted;
        clock = later(clock, matched) + kLoaded.endpoint.receive_overhead;
    }
    EXPECT_EQ(replay->rank(0).finish, clock);
}

TEST(ReplayInterfaces, PostsWaitForWhatTheInterfaceDoes) {
    // The message searches eleven entries; the receive that is posted meanwhile waits for that.
    std::string posts;
    for (int tag = 0; tag < 11; ++tag) posts += "recv 0b from 0 tag " + std::to_string(tag) + "\n";
    const Star platform = Star(2).with(by_interface());
    const Instant arrival = at(kLoaded.endpoint.send_overhead + platform.transfer(0));
    const std::string computing = "calc " + std::to_string((arrival + 500_ns).ps) + "ps";
    const auto replay = platform.replay(
        of_ranks({"send 0b to 1 tag 77", posts + in_turn({computing, "recv 0b from 0 tag 77"})}));
    const Instant matched = arrival + 11 * kEntry + kSearch + kEntry;
    EXPECT_EQ(replay->rank(1).finish, matched + kLoaded.endpoint.receive_overhead);
}

TEST(ReplayInterfaces, APayloadThatHasNotComeWithItsHeadIsRead) {
    const Star platform = Star(2).with(by_interface());
    const auto replay = platform.replay(one_message(65));
    EXPECT_EQ(replay->rank(1).finish, at(platform.message(65) + 500_ns));
}

/// The data come while the receiver computes, and the sender knows of it then.
TEST(ReplayInterfaces, AnswerRequestsToSendWhileTheRankComputes) {
    const Star platform = Star(2).with(by_interface());
    const auto replay = platform.complete(of_ranks(
        {"send 100000b to 1", "a: recv 100000b from 0\nb: calc 100000000\nb irequires a"}));
    EXPECT_EQ(replay->rank(1).finish, at(kComputing + kLoaded.endpoint.receive_overhead));
    EXPECT_EQ(replay->rank(0).finish,
              at(kLoaded.endpoint.send_overhead + 3 * platform.transfer(32) + kEntry +
                 platform.transfer(100'000)));
}

/// What arrives before a receive is posted must be there by then, however far its rank is ahead.
TEST(ReplayInterfaces, APostMeetsWhatHasArrivedBefore) {
    const auto replay = Star(2)
                            .with(by_interface())
                            .replay(of_ranks({"send 0b to 1 tag 5",
                                              in_turn({"calc 1000000", "recv 0b from 0 tag 5"})}));
    EXPECT_EQ(replay->rank(1).finish,
              at(1_ms + kSearch + kEntry + kLoaded.endpoint.receive_overhead));
    EXPECT_EQ(replay->matching_accounts()[1].unexpected.deepest, 1U);
}

}  // namespace
}  // namespace kumi::schedule
