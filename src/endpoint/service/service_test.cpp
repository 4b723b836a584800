// Each service and its closed form: set-up time, number of packets, memory after k peers.

#include "endpoint/service/service.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kumi::endpoint::service {
namespace {

using namespace literals;

class ServiceTest : public testing::Test {
   protected:
    Parameters parameters{.setup_time = 300_us,
                          .packet_cost = 150_ns,
                          .mtu_bytes = 2048,
                          .connection_cap = 3,
                          .messages_before = 1,
                          .base_bytes = 1000,
                          .connection_bytes = 100,
                          .eager_buffer_bytes = 10,
                          .pool_bytes = 5000};
    Account account;
    std::vector<Peer> peers = std::vector<Peer>(16);

    /// Messages to a peer before a connection is asked for.
    void use(Kind kind, std::uint32_t messages_before) {
        parameters.kind = kind;
        parameters.messages_before = messages_before;
    }
    Departure send(std::size_t peer, Instant at, std::uint64_t size_bytes = 100) {
        return depart(parameters, account, peers[peer], {.at = at, .size_bytes = size_bytes});
    }
    std::uint64_t total() const { return memory_of(parameters, account).total_bytes(); }
    void expect_by_connection(const Departure& departure, Instant leaves) {
        EXPECT_FALSE(departure.by_datagrams);
        EXPECT_EQ(departure.leaves, leaves);
        EXPECT_EQ(departure.before, Duration{});
        EXPECT_EQ(departure.after, Duration{});
    }
};

constexpr Instant kStart{7'000'000};

TEST_F(ServiceTest, RcWaitsForTheConnectionExactlyAsLongAsItTakes) {
    parameters.kind = Kind::kRc;
    const Instant ready = kStart + 300_us;
    expect_by_connection(send(1, kStart), ready);
    expect_by_connection(send(1, kStart + 1_ns), ready);
    expect_by_connection(send(1, {ready.ps - 1}), ready);
    expect_by_connection(send(1, ready), ready);
    expect_by_connection(send(1, ready + 1_ps), ready + 1_ps);
    expect_by_connection(send(2, ready), ready + 300_us);
    EXPECT_EQ(account.asked, 2U);
    EXPECT_EQ(account.by_connection, 6U);
    EXPECT_EQ(account.packets, 0U);
}

TEST_F(ServiceTest, RcMemoryGrowsWithPeersUpToTheCap) {
    parameters.kind = Kind::kRc;
    EXPECT_EQ(total(), 1000U);
    for (std::size_t peer = 1; peer <= 3; ++peer) {
        send(peer, kStart);
        send(peer, kStart);
        EXPECT_EQ(total(), 1000 + 110 * peer);
    }
    EXPECT_TRUE(send(4, kStart).by_datagrams);
    EXPECT_TRUE(send(4, kStart).by_datagrams);
    EXPECT_FALSE(send(3, kStart).by_datagrams);
    EXPECT_EQ(account.refused, 1U);
    const Memory memory = memory_of(parameters, account);
    EXPECT_EQ(memory.base_bytes, 1000U);
    EXPECT_EQ(memory.connection_bytes, 300U);
    EXPECT_EQ(memory.eager_buffer_bytes, 30U);
    EXPECT_EQ(memory.pool_bytes, 5000U);
}

TEST_F(ServiceTest, UdPaysForEachPacketOfTheMtu) {
    parameters.kind = Kind::kUd;
    const std::uint64_t sizes[] = {0, 1, 2048, 2049, 4096, 10'240};
    const std::int64_t packets[] = {1, 1, 1, 2, 2, 5};
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < std::size(sizes); ++i) {
        const Departure departure = send(i, kStart, sizes[i]);
        EXPECT_TRUE(departure.by_datagrams);
        EXPECT_EQ(departure.before, packets[i] * 150_ns);
        EXPECT_EQ(departure.leaves, kStart + packets[i] * 150_ns);
        EXPECT_EQ(departure.after, Duration{});
        all += static_cast<std::uint64_t>(packets[i]);
        EXPECT_EQ(total(), 6000U);
    }
    EXPECT_EQ(account.packets, all);
    EXPECT_EQ(account.connections() + account.refused, 0U);
}

TEST_F(ServiceTest, UdPaysForAPayloadThatIsFetchedAfterItsRequestHasLeft) {
    parameters.kind = Kind::kUd;
    const Departure departure =
        depart(parameters, account, peers[1],
               {.at = kStart, .size_bytes = 32, .fetched_bytes = 100 * 2048, .is_request = true});
    EXPECT_EQ(departure.leaves, kStart + 150_ns);
    EXPECT_EQ(departure.before, 150_ns);
    EXPECT_EQ(departure.after, 100 * 150_ns);
    EXPECT_EQ(account.packets, 101U);
}

TEST_F(ServiceTest, HybridAsksAfterSomeMessagesAndUsesTheConnectionOnceItIsThere) {
    parameters.kind = Kind::kHybrid;
    EXPECT_TRUE(send(1, kStart).by_datagrams);
    EXPECT_EQ(account.asked, 0U);
    EXPECT_TRUE(send(1, kStart).by_datagrams);
    EXPECT_EQ(account.asked, 1U);
    const Instant ready = kStart + 300_us;
    EXPECT_TRUE(send(1, {ready.ps - 1}).by_datagrams);
    expect_by_connection(send(1, ready), ready);
    EXPECT_EQ(account.by_datagrams, 3U);
    EXPECT_EQ(account.by_connection, 1U);
}

TEST_F(ServiceTest, HybridKeepsToTheCap) {
    use(Kind::kHybrid, 0);
    for (std::size_t peer = 0; peer < 10; ++peer) send(peer, kStart);
    EXPECT_EQ(account.asked, 3U);
    EXPECT_EQ(account.refused, 7U);
    EXPECT_EQ(total(), 1000U + 3 * 110 + 5000);
}

TEST_F(ServiceTest, ABudgetIsKeptToToTheByte) {
    use(Kind::kHybrid, 0);
    parameters.budget_bytes = 1000 + 5000 + 2 * 110 - 1;
    for (std::size_t peer = 0; peer < 10; ++peer) send(peer, kStart);
    EXPECT_EQ(account.asked, 1U);
    parameters.budget_bytes += 1;
    send(10, kStart);
    EXPECT_EQ(account.asked, 2U);
    EXPECT_EQ(total(), parameters.budget_bytes);
}

TEST_F(ServiceTest, HintAsksOnlyInsideOfARegion) {
    use(Kind::kHint, 0);
    send(1, kStart);
    EXPECT_EQ(account.asked, 0U);
    account.kernel_depth = 2;
    send(1, kStart);
    send(2, kStart);
    EXPECT_EQ(account.asked, 2U);
    account.kernel_depth = 0;
    send(3, kStart);
    EXPECT_EQ(account.asked, 2U);
    EXPECT_EQ(account.refused, 0U);
    // What there is, is used everywhere.
    EXPECT_FALSE(send(2, kStart + 300_us).by_datagrams);
}

TEST_F(ServiceTest, AnOracleConnectsThePeersWithMostPacketsFromTheStart) {
    parameters.kind = Kind::kOracle;
    Traffic traffic[] = {{1, 5}, {2, 7}, {3, 5}, {4, 1}, {5, 7}, {6, 5}};
    rank_by_need(traffic);
    const std::uint32_t order[] = {2, 5, 1, 3, 6, 4};
    for (std::size_t i = 0; i < std::size(order); ++i) {
        EXPECT_EQ(traffic[i].target, order[i]);
        EXPECT_EQ(ask_ahead(parameters, account, peers[order[i]]), i < 3);
    }
    EXPECT_EQ(total(), 6000U + 3 * 110);
    for (const std::size_t peer : {2U, 5U, 1U}) expect_by_connection(send(peer, {}), {});
    EXPECT_TRUE(send(3, kStart).by_datagrams);
    // It asks for no more on the way.
    parameters.connection_cap = 16;
    EXPECT_TRUE(send(4, kStart + 1000_us).by_datagrams);
    EXPECT_TRUE(send(4, kStart + 2000_us).by_datagrams);
    EXPECT_EQ(account.asked, 3U);
    EXPECT_EQ(account.refused, 3U);
}

TEST_F(ServiceTest, TrafficIsCountedHoweverItWent) {
    parameters.kind = Kind::kRc;
    send(1, kStart, 2049);
    send(1, kStart, 0);
    parameters.kind = Kind::kUd;
    depart(parameters, account, peers[1],
           {.at = kStart, .size_bytes = 32, .fetched_bytes = 3 * 2048, .is_request = true});
    EXPECT_EQ(peers[1].messages, 3U);
    EXPECT_EQ(peers[1].packets, 2U + 1 + 3);
}

TEST_F(ServiceTest, AnAcceptedConnectionCountsAndIsThereAtOnce) {
    parameters.kind = Kind::kRc;
    for (std::size_t peer = 1; peer <= 4; ++peer) accept(account, peers[peer], kStart, 0);
    accept(account, peers[4], kStart, 0);
    EXPECT_EQ(account.accepted, 4U);
    EXPECT_EQ(total(), 1000U + 4 * 110);
    expect_by_connection(send(4, kStart), kStart);
    EXPECT_TRUE(send(5, kStart).by_datagrams);
    accept(account, peers[5], kStart, 0);
    expect_by_connection(send(5, kStart + 1_ns), kStart + 1_ns);
    EXPECT_EQ(account.refused, 1U);
}

TEST_F(ServiceTest, WhatIsRepeatedAsksAtTheFirstMessage) {
    use(Kind::kHybrid, 5);
    take_hint(account, {HintKey::kRepeated, 1});
    take_hint(account, {HintKey::kRepeated, 1});
    take_hint(account, {HintKey::kRepeated, 0});
    send(1, kStart);
    EXPECT_EQ(account.asked, 1U);
    take_hint(account, {HintKey::kRepeated, 0});
    take_hint(account, {HintKey::kRepeated, 0});
    send(2, kStart);
    EXPECT_EQ(account.asked, 1U);
    // It says nothing of where the time goes.
    parameters.kind = Kind::kHint;
    take_hint(account, {HintKey::kRepeated, 1});
    send(3, kStart);
    EXPECT_EQ(account.asked, 1U);
    take_hint(account, {HintKey::kInKernel, 1});
    send(3, kStart);
    EXPECT_EQ(account.asked, 2U);
}

TEST_F(ServiceTest, TheSmallerBudgetBinds) {
    use(Kind::kHybrid, 0);
    parameters.base_bytes = 4096;
    // 4,096 + 5,000 + 9 * 110 = 10,086 bytes; whole KiB count.
    take_hint(account, {HintKey::kMemoryBudget, 10 * 1024});
    parameters.connection_cap = 100;
    for (std::size_t peer = 0; peer < 12; ++peer) send(peer, kStart);
    EXPECT_EQ(account.asked, 10U);
    EXPECT_EQ(account.refused, 2U);
    take_hint(account, {HintKey::kMemoryBudget, 11 * 1024 - 1});
    EXPECT_EQ(account.budget_bytes, 10U * 1024);
    // With more, peers that were refused get connections, too.
    take_hint(account, {HintKey::kMemoryBudget, 20 * 1024});
    send(11, kStart);
    EXPECT_EQ(account.asked, 11U);
    EXPECT_EQ(account.refused, 2U);
    parameters.budget_bytes = 1;
    send(13, kStart);
    EXPECT_EQ(account.asked, 11U);
}

TEST_F(ServiceTest, AfterInitialisationOnlyTheBudgetBinds) {
    use(Kind::kHybrid, 0);
    parameters.budget_bytes = 6000 + 5 * 110;
    for (std::size_t peer = 0; peer < 4; ++peer) send(peer, kStart);
    EXPECT_EQ(account.asked, 3U);
    take_hint(account, {HintKey::kInitDone, 1});
    for (std::size_t peer = 0; peer < 8; ++peer) send(peer, kStart);
    EXPECT_EQ(account.asked, 5U);
}

TEST_F(ServiceTest, LargerEagerMessagesTakeLargerBuffers) {
    use(Kind::kHybrid, 0);
    parameters.eager_limit_bytes = 4096;
    send(0, kStart);
    send(1, kStart);
    EXPECT_EQ(total(), 6000U + 2 * 110);
    take_hint(account, {HintKey::kEager, 6 * 1024});
    EXPECT_EQ(total(), 6000U + 2 * 115);
    // The buffers stay.
    take_hint(account, {HintKey::kEager, 0});
    EXPECT_EQ(total(), 6000U + 2 * 115);
    take_hint(account, {HintKey::kEager, 2048});
    EXPECT_EQ(total(), 6000U + 2 * 115);
}

TEST_F(ServiceTest, EndsWithoutABeginningAreCounted) {
    take_hint(account, {HintKey::kInKernel, 0});
    take_hint(account, {HintKey::kInKernel, 1});
    take_hint(account, {HintKey::kInKernel, 0});
    take_hint(account, {HintKey::kRepeated, 1});
    EXPECT_EQ(account.kernel_unbegun, 1U);
    EXPECT_EQ(account.kernel_depth, 0U);
    EXPECT_EQ(account.repeated_unbegun, 0U);
    EXPECT_EQ(account.repeated_depth, 1U);
}

class EvictTest : public ServiceTest {
   protected:
    EvictTest() {
        use(Kind::kHintEvict, 0);
        parameters.connection_cap = 2;
    }
    void begin() { take_hint(account, {HintKey::kInKernel, 1}); }
    void end() { take_hint(account, {HintKey::kInKernel, 0}); }
    /// As the drivers do: closes what is least valuable, then sends. Returns what was closed.
    std::vector<std::uint32_t> evict_for(std::size_t peer, Instant at) {
        std::vector<std::uint32_t> closed;
        std::uint64_t needed = 0;
        if (may_evict_for(parameters, account, peers[peer]))
            needed = closings_needed(parameters, account);
        for (; needed > 0; --needed) {
            std::uint32_t least = 0;
            const Peer* found = nullptr;
            for (std::uint32_t other = 0; other < peers.size(); ++other) {
                if (!is_less_valuable(account, peers[other], other, found, least)) continue;
                least = other;
                found = &peers[other];
            }
            close(account, peers[least]);
            closed.push_back(least);
        }
        send(peer, at);
        return closed;
    }
    using Ranks = std::vector<std::uint32_t>;
};

TEST_F(EvictTest, TheConnectionThatWasNotUsedForLongestIsClosed) {
    begin();
    send(1, kStart);
    send(2, kStart + 1_ns);
    send(1, kStart + 2_ns);
    EXPECT_EQ(total(), 6000U + 2 * 110);
    end();
    begin();
    EXPECT_EQ(evict_for(3, kStart + 3_ns), Ranks{2});
    EXPECT_EQ(evict_for(4, kStart + 4_ns), Ranks{1});
    EXPECT_EQ(total(), 6000U + 2 * 110);
    EXPECT_EQ(account.connections(), 2U);
    EXPECT_EQ(account.asked, 4U);
    EXPECT_EQ(account.closed, 2U);
    EXPECT_EQ(account.closings, 2U);
    EXPECT_EQ(account.most, 2U);
    EXPECT_EQ(account.refused, 0U);
}

TEST_F(EvictTest, WhatTheRegionUsesStays) {
    begin();
    send(1, kStart);
    send(2, kStart);
    EXPECT_EQ(evict_for(3, kStart + 1_ns), Ranks{});
    EXPECT_EQ(account.refused, 1U);
    // A region within it does not begin anew.
    begin();
    EXPECT_EQ(evict_for(3, kStart + 1_ns), Ranks{});
    end();
    end();
    // Outside of regions it asks for none.
    EXPECT_EQ(evict_for(3, kStart + 2_ns), Ranks{});
    send(2, kStart + 2_ns);
    begin();
    // What comes by a connection uses it, too.
    accept(account, peers[1], kStart + 2_ns, 0);
    EXPECT_EQ(evict_for(3, kStart + 3_ns), Ranks{2});
    EXPECT_EQ(evict_for(2, kStart + 3_ns), Ranks{});
    // It counts peers.
    EXPECT_EQ(account.refused, 2U);
    end();
    begin();
    EXPECT_EQ(evict_for(2, kStart + 4_ns), Ranks{1});
    EXPECT_EQ(evict_for(1, kStart + 5_ns), Ranks{3});
    EXPECT_EQ(evict_for(3, kStart + 6_ns), Ranks{});
    EXPECT_EQ(account.refused, 2U);
}

TEST_F(EvictTest, OfTwoThatAreEqualTheSmallerNumberIsClosed) {
    begin();
    send(5, kStart);
    send(2, kStart);
    end();
    begin();
    EXPECT_EQ(evict_for(1, kStart), Ranks{2});
}

TEST_F(EvictTest, AsManyAreClosedAsTheBudgetNeeds) {
    parameters.connection_cap = 10;
    begin();
    for (std::size_t peer = 1; peer <= 4; ++peer) send(peer, kStart);
    end();
    parameters.budget_bytes = 6000 + 2 * 110;
    begin();
    EXPECT_EQ(evict_for(5, kStart + 1_ns), (Ranks{1, 2, 3}));
    EXPECT_EQ(total(), parameters.budget_bytes);
    // None is closed in vain.
    parameters.budget_bytes = 6000;
    EXPECT_EQ(evict_for(6, kStart + 1_ns), Ranks{});
    EXPECT_EQ(account.refused, 1U);
}

TEST_F(EvictTest, AMessageByAClosedConnectionDoesNotOpenIt) {
    accept(account, peers[1], kStart, 0);
    begin();
    EXPECT_EQ(close(account, peers[1]), 0U);
    accept(account, peers[1], kStart, 0);
    EXPECT_FALSE(peers[1].is_connected());
    // Nor does it close the next one, which the peer has asked for.
    accept(account, peers[1], kStart, 1);
    EXPECT_TRUE(peers[1].is_connected());
    hear_closing(account, peers[1], 0);
    EXPECT_TRUE(peers[1].is_connected());
    hear_closing(account, peers[1], 1);
    EXPECT_FALSE(peers[1].is_connected());
    EXPECT_EQ(account.accepted, 2U);
    EXPECT_EQ(account.closed, 2U);
    EXPECT_EQ(account.closings, 1U);
    EXPECT_EQ(total(), 6000U);
}

TEST_F(EvictTest, ANoticeMayComeBeforeOrAfterTheMessagesNextToIt) {
    begin();
    send(1, kStart);
    // The peer has closed the connection and made another one, whose message comes first.
    accept(account, peers[1], kStart, 1);
    hear_closing(account, peers[1], 0);
    EXPECT_TRUE(peers[1].is_connected());
    EXPECT_EQ(send(1, kStart + 1000000_us).generation, 1U);
    // The peer has closed one of which this rank had not heard yet; its message comes last.
    hear_closing(account, peers[2], 0);
    accept(account, peers[2], kStart, 0);
    EXPECT_FALSE(peers[2].is_connected());
    EXPECT_EQ(account.closed, 0U);
    EXPECT_EQ(account.idle, 0U);
}

TEST(Hint, GoesThroughOneWord) {
    for (const Hint hint : {Hint{HintKey::kInKernel, 1}, Hint{HintKey::kRepeated, 0},
                            Hint{HintKey::kMemoryBudget, 1024 * 77},
                            Hint{HintKey::kMemoryBudget, Hint::kMostSize}, Hint{HintKey::kEager, 0},
                            Hint{HintKey::kEager, 1024 * 77}, Hint{HintKey::kInitDone, 1}}) {
        EXPECT_TRUE(hint.is_possible());
        const Hint back = Hint::unpacked(hint.packed());
        EXPECT_EQ(back.key, hint.key);
        EXPECT_EQ(back.value, hint.value);
    }
    EXPECT_FALSE((Hint{HintKey::kInKernel, 2}).is_possible());
    EXPECT_FALSE((Hint{HintKey::kMemoryBudget, 0}).is_possible());
}

TEST_F(ServiceTest, SchedulesAskForWhatTheServiceWants) {
    const auto wants = [&](Kind kind) {
        parameters.kind = kind;
        return wants_for_schedule(parameters, account, peers[1]);
    };
    for (const Kind kind : {Kind::kNone, Kind::kUd, Kind::kOracle}) {
        EXPECT_FALSE(wants(kind));
        EXPECT_FALSE(asks_for_schedules(parameters));
    }
    EXPECT_TRUE(wants(Kind::kRc));
    EXPECT_FALSE(wants(Kind::kHint));
    EXPECT_FALSE(wants(Kind::kHybrid));  // After one message.
    peers[1].messages = 1;
    EXPECT_TRUE(wants(Kind::kHybrid));
    EXPECT_FALSE(wants(Kind::kHint));
    take_hint(account, {HintKey::kInKernel, 1});
    peers[1].messages = 0;
    EXPECT_TRUE(wants(Kind::kHint));
    EXPECT_TRUE(wants(Kind::kHintEvict));
    ask(parameters, account, peers[1], kStart);
    for (const Kind kind : {Kind::kRc, Kind::kHybrid, Kind::kHint, Kind::kHintEvict}) {
        EXPECT_FALSE(wants(kind));
        EXPECT_TRUE(asks_for_schedules(parameters));
    }
}

}  // namespace
}  // namespace kumi::endpoint::service
