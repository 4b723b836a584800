// Connections and datagrams in replays, and their closed forms.
#include "schedule/patterns/patterns.hpp"
#include "schedule/patterns/step_times.hpp"
#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

namespace service = endpoint::service;
using service::Kind;

constexpr Duration kSetup = 300_us;
constexpr Duration kPacket = 150_ns;

ReplayParameters over(Kind kind) {
    ReplayParameters parameters = kLoaded;
    parameters.endpoint.eager_limit_bytes = 8192;
    parameters.endpoint.service = {.kind = kind,
                                   .setup_time = kSetup,
                                   .packet_cost = kPacket,
                                   .mtu_bytes = 2048,
                                   .connection_cap = 2,
                                   .messages_before = 1,
                                   .base_bytes = 1000,
                                   .connection_bytes = 100,
                                   .eager_buffer_bytes = 10,
                                   .pool_bytes = 5000};
    return parameters;
}

const service::Account& account(const Replayed& replayed, std::uint32_t rank) {
    return replayed->services()->accounts()[rank];
}

TEST(ReplayServices, ThereAreNoneUnlessThePlatformHasOne) {
    const auto replayed = Star(2).with(kLoaded).replay(one_message(8));
    EXPECT_EQ(replayed->services(), nullptr);
}

TEST(ReplayServices, RcDelaysTheFirstMessageAndNotTheRank) {
    const Star star = Star(2).with(over(Kind::kRc));
    const auto replayed = star.complete(one_message(5000));
    EXPECT_EQ(replayed->rank(0).finish, at(210_ns));
    EXPECT_EQ(replayed->rank(1).finish, at(kSetup + star.message(5000)));
    EXPECT_EQ(account(replayed, 0).asked, 1U);
    EXPECT_EQ(account(replayed, 1).accepted, 1U);
    EXPECT_EQ(account(replayed, 0).by_connection, 1U);
}

TEST(ReplayServices, BothEndsPayForEachDatagram) {
    const Star star = Star(2).with(over(Kind::kUd));
    const auto replayed = star.complete(one_message(5000));
    EXPECT_EQ(replayed->rank(0).finish, at(210_ns + 3 * kPacket));
    EXPECT_EQ(replayed->rank(1).finish, at(star.message(5000) + 2 * 3 * kPacket));
    EXPECT_EQ(replayed->rank(1).communication, 13_ns + 170_ns + 3 * kPacket);
    EXPECT_EQ(account(replayed, 0).packets, 3U);
    EXPECT_EQ(replayed->services()->packets_received()[1], 3U);
}

/// The request to send is a datagram; the sender works on the payload's after it has left, the
/// receiver on all of them at the end.
TEST(ReplayServices, APayloadThatIsFetchedComesByDatagramsToo) {
    const Star star = Star(2).with(over(Kind::kUd));
    const auto replayed = star.complete(one_message(100000));
    const std::int64_t packets = 49;
    const Duration asked = 210_ns + kPacket + star.transfer(32) + 13_ns;
    const Duration came = asked + star.transfer(32) + star.transfer(100'000);
    const Duration received = came + 170_ns + (packets + 1) * kPacket;
    EXPECT_EQ(replayed->rank(1).finish, at(received));
    EXPECT_EQ(replayed->rank(0).finish, at(received + star.transfer(32)));
    EXPECT_EQ(replayed->rank(0).communication, 210_ns + (packets + 1) * kPacket);
    EXPECT_EQ(account(replayed, 0).packets, 50U);
    EXPECT_EQ(replayed->services()->packets_received()[1], 50U);
}

TEST(ReplayServices, StepTimesAreThoseOfTheReplay) {
    Star star = Star(2).with(over(Kind::kUd));
    star.parameters.rank_hosts = {0, 1};
    const MessageTimes time(star.parameters, star.fabric, *star.topology);
    for (const std::uint64_t size : {100U, 2048U, 5000U}) {
        const auto replayed = star.replay(one_message(size));
        EXPECT_EQ(replayed->virtual_time(), at(time(0, 1, size))) << size;
    }
}

/// Four messages to each of three peers, outside of a region or in it.
Replayed replay_twelve_messages(Kind kind, bool is_in_kernel) {
    std::vector<std::string> sends{is_in_kernel ? "hint IN_KERNEL 1" : "hint IN_KERNEL 0"};
    std::string receives;
    for (int i = 0; i < 4; ++i) {
        sends.insert(sends.end(), {"send 8b to 1", "send 8b to 2", "send 8b to 3", "calc 400000"});
        receives += "recv 8b from 0\n";
    }
    return Star(4)
        .with(over(kind))
        .complete(of_ranks({in_turn(sends), receives, receives, receives}));
}

/// The first message goes by datagrams, the second asks for a connection, the third uses it; one
/// peer of three is refused.
TEST(ReplayServices, HybridAsksUntilTheCapBinds) {
    const auto replayed = replay_twelve_messages(Kind::kHybrid, /*is_in_kernel=*/false);
    EXPECT_EQ(account(replayed, 0).asked, 2U);
    EXPECT_EQ(account(replayed, 0).refused, 1U);
    EXPECT_EQ(account(replayed, 0).by_connection, 2U * 2);
    EXPECT_EQ(account(replayed, 0).by_datagrams, 2U * 2 + 4);
}

TEST(ReplayServices, HintAsksInARegionOnly) {
    const auto outside = replay_twelve_messages(Kind::kHint, /*is_in_kernel=*/false);
    EXPECT_EQ(account(outside, 0).asked, 0U);
    EXPECT_EQ(account(outside, 0).by_datagrams, 12U);
    const auto inside = replay_twelve_messages(Kind::kHint, /*is_in_kernel=*/true);
    const auto hybrid = replay_twelve_messages(Kind::kHybrid, /*is_in_kernel=*/true);
    EXPECT_EQ(account(inside, 0).asked, 2U);
    EXPECT_EQ(inside->network().event_hash(), hybrid->network().event_hash());
}

TEST(ReplayServices, MessagesOfOneHostAndOfARecordedRunUseNone) {
    ReplayParameters parameters = over(Kind::kUd);
    parameters.ranks_per_host = 2;
    const auto at_home = Star(1).with(parameters).replay(one_message(8));
    EXPECT_EQ(account(at_home, 0).by_datagrams, 0U);
    const auto bare = Star(2).with(over(Kind::kUd)).replay(one_message(8, "bare", "bare"));
    EXPECT_EQ(account(bare, 0).by_datagrams, 0U);
    EXPECT_EQ(bare->virtual_time(), at(Star(2).transfer(8)));
}

/// One message to each of ranks 1 to 3, then 20 of three packets to the last rank.
Schedule last_matters_most() {
    std::vector<std::string> sends{"calc 0", "send 8b to 1", "send 8b to 2", "send 8b to 3"};
    sends.resize(sends.size() + 20, "send 5000b to 4");
    const std::string one = "recv 8b from 0";
    std::string all;
    for (int i = 0; i < 20; ++i) all += "recv 5000b from 0\n";
    return of_ranks({in_turn(sends), one, one, one, all});
}

TEST(ReplayServices, AnOracleLosesNothingWhereTheCapBinds) {
    ReplayParameters parameters = over(Kind::kOracle);
    parameters.endpoint.service.connection_cap = 1;
    parameters.endpoint.service.messages_before = 0;
    const auto oracle = Star(5).with(parameters).replay(last_matters_most());
    parameters.endpoint.service.kind = Kind::kHybrid;
    const auto hybrid = Star(5).with(parameters).replay(last_matters_most());
    expect_complete(*oracle);
    EXPECT_EQ(account(oracle, 0).asked, 1U);
    EXPECT_EQ(account(oracle, 0).refused, 3U);
    EXPECT_EQ(account(oracle, 4).accepted, 1U);
    EXPECT_EQ(account(oracle, 0).by_connection, 20U);
    // The first peer takes the connection of the other one, and it comes too late for its message.
    EXPECT_EQ(account(hybrid, 0).by_connection, 0U);
    EXPECT_EQ(oracle->rank(0).finish, at(23 * 210_ns + 3 * kPacket));
    EXPECT_EQ(hybrid->rank(0).finish - oracle->rank(0).finish, 20 * 3 * kPacket);
    const auto traffic = hybrid->services()->traffic(0);
    ASSERT_EQ(traffic.size(), 4U);
    EXPECT_EQ(traffic[3].target, 4U);
    EXPECT_EQ(traffic[3].messages, 20U);
    EXPECT_EQ(traffic[3].packets, 60U);
}

/// Whatever the service, all messages are received, and the same ones: a rank sends as many as it
/// has in its schedule.
TEST(ReplayServices, AllPatternsEndUnderAllServices) {
    for (const char* pattern : {"alltoall/bruck", "allreduce/ring", "broadcast/binomial"}) {
        for (const Kind kind : {Kind::kRc, Kind::kUd, Kind::kHybrid, Kind::kHint, Kind::kOracle}) {
            for (const std::uint64_t size : {64U, 20'000U}) {
                const auto replayed =
                    Star(9)
                        .with(over(kind))
                        .complete(generate(pattern, {.ranks = 9, .size_bytes = size}, 3));
                std::uint64_t sent = 0, counted = 0;
                for (std::uint32_t rank = 0; rank < 9; ++rank) {
                    sent += replayed->rank(rank).messages_sent;
                    counted += account(replayed, rank).by_connection +
                               account(replayed, rank).by_datagrams;
                }
                EXPECT_EQ(sent, counted) << pattern;
            }
        }
    }
}

}  // namespace
}  // namespace kumi::schedule
