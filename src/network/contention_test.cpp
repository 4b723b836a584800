// Messages that share links, against closed forms, to the picosecond.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "network/testing/network_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;

// Links of 1 ns a byte and 100 ns: the defaults of PlatformUnderTest.
constexpr Duration kLatency = 200_ns;

/// The links of host h in a star.
constexpr LinkId up(HostId host) { return 2 * host; }
constexpr LinkId down(HostId host) { return 2 * host + 1; }

TEST(Contention, TwoFlowsShareALinkOneAfterTheOther) {
    NetworkUnderTest network({});
    network.send(Instant{}, 0, 2, 1000);
    network.send(Instant{}, 1, 2, 3000);
    EXPECT_EQ(network.times_of_all(), (Times{kLatency + 1000_ns, kLatency + 4000_ns}));
    const LinkStatistics expected{.bytes = 4000,
                                  .packets = 2,
                                  .busy = 4000_ns,
                                  .queue_wait = 1000_ns,
                                  .longest_wait = 1000_ns};
    EXPECT_EQ(network->link_statistics(down(2)), expected);
}

TEST(Contention, IncastOfManyArrivesOneSerialisationApart) {
    constexpr HostId kHosts = 17;
    NetworkUnderTest network({.numbers = {{"hosts", kHosts}}});
    Times expected;
    for (HostId host = 1; host < kHosts; ++host) {
        network.send(Instant{}, host, 0, 500);
        expected.push_back(kLatency + host * 500_ns);
    }
    EXPECT_EQ(network.times_of_all(), expected);
    // 0 + 1 + ... + 15 serialisations.
    EXPECT_EQ(network->link_statistics(down(0)).queue_wait, 120 * 500_ns);
    EXPECT_EQ(network->link_statistics(down(0)).longest_wait, 15 * 500_ns);
}

TEST(Contention, PacketsOfTwoMessagesTakeTurns) {
    constexpr std::int64_t kPackets = 50;
    NetworkUnderTest network({.packet_bytes = 100});
    for (const HostId source : {0, 1}) network.send(Instant{}, source, 2, 100 * kPackets);
    EXPECT_EQ(network.times_of_all(),
              (Times{kLatency + (2 * kPackets - 1) * 100_ns, kLatency + 2 * kPackets * 100_ns}));
    // Packet p of the link starts at p serialisations and was ready at floor(p / 2) of them.
    const LinkStatistics& link = network->link_statistics(down(2));
    EXPECT_EQ(link.packets, 2U * kPackets);
    EXPECT_EQ(link.queue_wait, kPackets * kPackets * 100_ns);
    EXPECT_EQ(link.longest_wait, kPackets * 100_ns);
}

TEST(Contention, AShortMessagePassesALongOneOnlyIfThereArePackets) {
    constexpr Instant kLater{150'000};
    const auto time_of_short = [&](std::uint64_t packet_bytes) {
        NetworkUnderTest network({.packet_bytes = packet_bytes});
        network.send(Instant{}, 0, 2, 100'000);
        return network.time_of(kLater, 1, 2, 100);
    };
    // Packets of 100 ns start at the last link at 100, 200, ...: the one of 200 is before us.
    EXPECT_EQ(time_of_short(100), kLatency + 100_ns + 50_ns);
    // The whole message holds the link from 100 ns to 100,100 ns.
    EXPECT_EQ(time_of_short(0), kLatency + 100_ns + 100'100_ns - 250_ns);
}

TEST(Contention, TheInterfaceTakesMessagesOneAfterAnother) {
    NetworkUnderTest network({.packet_bytes = 100});
    network.send(Instant{}, 0, 1, 1000);
    network.send(Instant{}, 0, 2, 500);
    EXPECT_EQ(network.times_of_all(), (Times{kLatency + 1000_ns, kLatency + 1500_ns}));
    // Messages wait at the interface, their packets do not wait for each other.
    EXPECT_EQ(network->link_statistics(up(0)).queue_wait, 1000_ns);
    EXPECT_EQ(network->link_statistics(up(0)).packets, 15U);
}

TEST(Contention, ALinkIsBlockedAtOneInstantAndFreeAtTheNext) {
    for (const std::int64_t early_ps : {0, 1}) {
        NetworkUnderTest network({});
        network.send(Instant{}, 0, 1, 1000);
        const Instant free_at = Instant{} + 1000_ns;
        const Duration early{early_ps};
        EXPECT_EQ(network.time_of(free_at - early, 0, 1, 10), early + kLatency + 10_ns);
        EXPECT_EQ(network->link_statistics(up(0)).longest_wait, early);
    }
}

TEST(Contention, LinksOfAFullyConnectedNetworkAreIndependent) {
    NetworkUnderTest network({.kind = "fully_connected"});
    for (HostId source = 0; source < 4; ++source) {
        for (HostId target = 0; target < 4; ++target) {
            if (source != target) network.send(Instant{}, source, target, 100);
        }
    }
    EXPECT_EQ(network.times_of_all(), Times(12, 200_ns));
}

TEST(Contention, LoopbackIsAQueueOfItsHost) {
    NetworkUnderTest network({});
    network.send(Instant{}, 1, 1, 1000);
    network.send(Instant{}, 1, 1, 1000);
    network.send(Instant{}, 2, 2, 1000);
    network.send(Instant{}, 1, 2, 1000);
    EXPECT_EQ(network.times_of_all(), (Times{300_ns, 400_ns, 300_ns, kLatency + 1000_ns}));
    EXPECT_EQ(network->loopback_statistics(1).bytes, 2000U);
}

TEST(Contention, TheTreesUplinkIsSharedByTargetsOfOneSpine) {
    const PlatformUnderTest platform{
        .kind = "tree", .numbers = {{"leaves", 2}, {"hosts_per_leaf", 4}, {"spines", 2}}};
    NetworkUnderTest network(platform);
    // Targets 4 and 6 go by spine 0, target 5 by spine 1.
    for (const HostId source : {0, 1, 2}) network.send(Instant{}, source, source + 4, 1000);
    EXPECT_EQ(network.times_of_all(),
              (Times{400_ns + 1000_ns, 400_ns + 1000_ns, 400_ns + 2000_ns}));
}

TEST(Contention, TiesAreDecidedByTheSourceAndNotByTheOrderOfCalls) {
    NetworkUnderTest network({});
    for (const std::uint32_t order : {5, 2, 9, 0}) {
        const std::size_t message = network.note_message();
        ASSERT_TRUE(network->inject(Instant{100}, 3, 1, 100, order, 0, message));
    }
    network.run();
    EXPECT_EQ(network.arrivals(), (std::vector<std::size_t>{3, 1, 0, 2}));
}

TEST(Contention, AnEarlierMessageOfAnotherSenderOvertakesInTheInterfacesQueue) {
    NetworkUnderTest network({});
    for (int message = 0; message < 3; ++message) network.note_message();
    ASSERT_TRUE(network->inject(Instant{500}, 0, 1, 100, 7, 0, 0));
    ASSERT_TRUE(network->inject(Instant{400}, 0, 1, 100, 8, 0, 1));
    ASSERT_TRUE(network->inject(Instant{600}, 0, 1, 100, 8, 1, 2));
    network.run();
    EXPECT_EQ(network.arrivals(), (std::vector<std::size_t>{1, 0, 2}));
}

TEST(Contention, AGiantMessageNeedsFewEventsAndLittleMemory) {
    NetworkUnderTest network({.packet_bytes = 64});
    const std::size_t used = network.arena().used_bytes();
    const std::size_t message = network.send(Instant{}, 0, 1, std::uint64_t{1} << 26);
    std::uint32_t most_events = 0;
    while (network->next_event_time() != kNever) {
        most_events = std::max(most_events, network->outstanding_events());
        network->execute_next(network);
    }
    EXPECT_EQ(network.arrived(message) - Instant{}, kLatency + (1LL << 26) * 1_ns);
    EXPECT_LE(most_events, 3U);
    EXPECT_LE(network.arena().used_bytes() - used, 100'000U);
}

TEST(ContentionDeathTest, ProgrammersErrorsAreFound) {
    NetworkUnderTest network({});
    network.send(Instant{1000}, 0, 1, 1);
    network.run();
    EXPECT_DEATH(network.send(Instant{10}, 0, 1, 1), "in the past");
    EXPECT_DEATH(network.send(Instant{1'000'000}, 0, 4, 1), "not there");
    EXPECT_DEATH(network->execute_next(network), "empty queue");
}

TEST(Contention, AMessageMayOutlastVirtualTime) {
    NetworkUnderTest slow({.link = {1, {}}});
    EXPECT_THROW(
        {
            slow.send(Instant{}, 0, 1, std::uint64_t{1} << 50);
            slow.run();
        },
        std::overflow_error);
}

}  // namespace
}  // namespace kumi::network
