// Ranks with a service, in virtual time: when messages leave, and what both ends pay.

#include "conductor/delivery/services.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "conductor/testing/ranks_under_test.hpp"

namespace kumi::conductor {
namespace {

using namespace literals;
using endpoint::service::Account;
using endpoint::service::Kind;
using endpoint::service::Relation;
using enum Relation;

constexpr std::uint64_t kBytes = 5000;  // Three packets.
constexpr Duration kSetup = 40_us;
constexpr Duration kPacket = 200_ns;

RunConfiguration with(Kind kind, bool runs_ahead) {
    return {.endpoint = {.eager_limit_bytes = 1 << 16,
                         .service = {.kind = kind,
                                     .setup_time = kSetup,
                                     .packet_cost = kPacket,
                                     .mtu_bytes = 2048,
                                     .connection_cap = 1}},
            .runs_ahead = runs_ahead};
}

/// What a message takes on the way: two links, of which the second begins with the first byte.
Duration way(std::uint64_t size_bytes) {
    return 2 * RanksUnderTest::kLinkLatency +
           Duration{static_cast<std::int64_t>(size_bytes) * RanksUnderTest::kPsPerByte};
}

void send_message(AllPorts& port, std::uint32_t target) {
    const InCall call(port, "send");
    const std::uint32_t index = port.prepare(target, MessageKind::kEager, 0);
    port.message(index).size_bytes = port.message(index).head.size_bytes = kBytes;
    port.send(index);
}

/// Rank 0 sends to rank 1, which receives; both stop their clocks.
int send_once(AllPorts& port) {
    if (port.rank() == 1) return receive_any(port) == 0 ? 0 : 1;
    send_message(port, 1);
    return 0;
}

class ServicesTest : public testing::TestWithParam<bool> {};

TEST_P(ServicesTest, AMessageWaitsForItsConnectionAndItsRankDoesNot) {
    const CompletedRanks ranks(2, with(Kind::kRc, GetParam()), send_once);
    EXPECT_EQ(ranks.clocks(), (std::vector{0_us, kSetup + way(kBytes)}));
    const Account* accounts = ranks.run->state().services;
    EXPECT_EQ(accounts[0].asked, 1U);
    EXPECT_EQ(accounts[1].accepted, 1U);
    EXPECT_EQ(accounts[1].peers[0].relation, kAccepted);
}

TEST_P(ServicesTest, BothEndsPayForDatagrams) {
    const CompletedRanks ranks(2, with(Kind::kUd, GetParam()), send_once);
    EXPECT_EQ(ranks.clocks(), (std::vector{3 * kPacket, 3 * kPacket + way(kBytes) + 3 * kPacket}));
    EXPECT_EQ(ranks.run->state().services[0].packets, 3U);
    EXPECT_EQ(ranks.run->state().ranks[1].endpoint.datagrams, 3U);
}

TEST_P(ServicesTest, ARankWaitsForTheConnectionsOfASchedule) {
    RunConfiguration configuration = with(Kind::kRc, GetParam());
    configuration.endpoint.service.connection_cap = 2;
    RanksUnderTest ranks(4, configuration);
    ranks.complete([](AllPorts& port) {
        if (port.rank() == 1) return receive_any(port) == 0 ? 0 : 1;
        if (port.rank() > 1) return 0;
        const std::vector<std::uint32_t> targets{1, 2, 3};
        port.enter(CallClass::kBlocking, "connect");
        port.connect(targets);
        const Instant connected = port.now();
        port.connect(targets);
        const Instant again = port.now();
        port.leave();
        send_message(port, 1);
        return connected == Instant{} + kSetup && again == connected ? 0 : 1;
    });
    // The message leaves at once.
    EXPECT_EQ(ranks.clock(1), Instant{} + kSetup + way(kBytes));
    const Account& account = ranks.run->state().services[0];
    EXPECT_EQ(account.asked, 2U);
    EXPECT_EQ(account.refused, 1U);
    EXPECT_EQ(account.peers[3].relation, kRefused);
}

constexpr endpoint::service::Hint kBegins{endpoint::service::HintKey::kInKernel, 1};
constexpr endpoint::service::Hint kEnds{endpoint::service::HintKey::kInKernel, 0};

TEST_P(ServicesTest, AHintActsAtItsPlaceInTheProgram) {
    const CompletedRanks ranks(3, with(Kind::kHint, GetParam()), [](AllPorts& port) {
        if (port.rank() != 0) return receive_any(port) == 0 ? 0 : 1;
        port.note_hint(kEnds);
        port.note_hint(kBegins);
        port.note_hint(kBegins);
        port.note_hint(kEnds);
        send_message(port, 1);
        port.note_hint(kEnds);
        send_message(port, 2);
        return 0;
    });
    const Account& account = ranks.run->state().services[0];
    EXPECT_EQ(account.asked, 1U);
    EXPECT_EQ(account.refused, 0U);
    EXPECT_EQ(account.peers[1].relation, kAsked);
    EXPECT_EQ(account.peers[2].relation, kNone);
    EXPECT_EQ(account.kernel_depth, 0U);
}

TEST_P(ServicesTest, ANoticeClosesTheOtherEndWhenThePeerLooksAtIt) {
    RunConfiguration configuration = with(Kind::kHintEvict, GetParam());
    configuration.endpoint.service.setup_time = {};
    RanksUnderTest ranks(3, configuration);
    ranks.complete([](AllPorts& port) {
        if (port.rank() == 0) {
            for (const std::uint32_t target : {1U, 2U}) {
                port.note_hint(kBegins);
                send_message(port, target);
                port.note_hint(kEnds);
            }
            return 0;
        }
        if (receive_any(port) != 0) return 1;
        // Rank 1 looks at the notice while it waits for rank 2.
        if (port.rank() == 1) return receive_any(port) == 2 ? 0 : 1;
        send_message(port, 1);
        return 0;
    });
    const ConductorState& state = ranks.run->state();
    const Account* accounts = state.services;
    EXPECT_EQ(accounts[0].asked, 2U);
    EXPECT_EQ(accounts[0].closings, 1U);
    EXPECT_EQ(accounts[0].connections(), 1U);
    EXPECT_EQ(accounts[1].accepted, 1U);
    EXPECT_EQ(accounts[1].closed, 1U);
    EXPECT_EQ(accounts[1].closings, 0U);
    EXPECT_EQ(accounts[1].peers[0].relation, kNone);
    EXPECT_EQ(accounts[1].peers[0].generation, 1U);
    EXPECT_EQ(accounts[2].accepted, 1U);
    EXPECT_EQ(state.totals.control_messages, 1U);
}

TEST_P(ServicesTest, AHintIsDeferredWhereTheProcessRunsAhead) {
    const CompletedRanks ranks(3, with(Kind::kHint, GetParam()), [](AllPorts& port) {
        if (port.rank() == 2) return receive_any(port) == 0 ? 0 : 1;
        // Rank 0 is sure of its message long before it arrives.
        port.enter(CallClass::kBlocking, "exchange");
        const std::uint32_t other = 1 - port.rank();
        send_bytes(port, other, kBytes);
        wait_for(port, post_receive(port, {other, 0, ~std::uint64_t{0}}));
        port.leave();
        if (port.rank() == 1) return 0;
        port.note_hint(kBegins);
        send_message(port, 2);
        port.note_hint(kEnds);
        return 0;
    });
    const Account& account = ranks.run->state().services[0];
    EXPECT_EQ(account.peers[1].relation, kNone);
    EXPECT_EQ(account.peers[2].relation, kAsked);
    EXPECT_EQ(account.kernel_depth, 0U);
}

TEST_P(ServicesTest, AnOracleHasItsConnectionsAtBothEndsFromTheStart) {
    RanksUnderTest ranks(3, with(Kind::kOracle, GetParam()));
    ranks.run->connect_ahead({{{1, 1}, {2, 3}}, {}, {}});
    ranks.complete([](AllPorts& port) {
        if (port.rank() == 2) return receive_any(port) == 0 ? 0 : 1;
        if (port.rank() == 0) send_message(port, 2);
        return 0;
    });
    EXPECT_EQ(ranks.clock(2), Instant{} + way(kBytes));
    const Account* accounts = ranks.run->state().services;
    EXPECT_EQ(accounts[0].peers[2].relation, kAsked);
    EXPECT_EQ(accounts[0].peers[1].relation, kRefused);
    EXPECT_EQ(accounts[2].peers[0].relation, kAccepted);
}

TEST(Services, TrafficOfOtherRanksIsRefused) {
    RanksUnderTest ranks(2, with(Kind::kOracle, true));
    EXPECT_THROW(ranks.run->connect_ahead({{}}), std::invalid_argument);
    EXPECT_THROW(ranks.run->connect_ahead({{{2, 1}}, {}}), std::invalid_argument);
}

TEST_P(ServicesTest, HintsOfAProcessThatIsAwayActAtTheirPlace) {
    RanksUnderTest ranks(4, with(Kind::kHint, GetParam()));
    ranks.use_cores(2);
    ranks.complete([](AllPorts& port) {
        if (port.rank() != 0) return receive_any(port) == 0 ? 0 : 1;
        send_message(port, 1);
        port.note_hint(kBegins);
        send_message(port, 2);
        // More than a process notes before it comes back.
        for (int i = 0; i < 200; ++i) port.note_hint(kBegins);
        for (int i = 0; i < 201; ++i) port.note_hint(kEnds);
        send_message(port, 3);
        port.note_hint(kBegins);
        return 0;
    });
    const Account& account = ranks.run->state().services[0];
    EXPECT_EQ(account.peers[1].relation, kNone);
    EXPECT_EQ(account.peers[2].relation, kAsked);
    EXPECT_EQ(account.peers[3].relation, kNone);
    EXPECT_EQ(account.kernel_depth, 1U);
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutRunningAhead, ServicesTest, testing::Bool());

}  // namespace
}  // namespace kumi::conductor
