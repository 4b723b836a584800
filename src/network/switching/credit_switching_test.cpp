// Finite buffers, against closed forms, to the picosecond.

#include <gtest/gtest.h>

#include "network/testing/shape_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;

// Links of 1 ns a byte and 100 ns: the defaults of PlatformUnderTest. A full packet takes 100 ns.
constexpr std::uint64_t kPacket = 100;
constexpr std::uint64_t kPlenty = 1U << 20;

PlatformUnderTest star(std::uint64_t packet_bytes, std::uint64_t buffer_bytes,
                       Arbitration arbitration = {}) {
    return {.packet_bytes = packet_bytes,
            .buffering = {.buffer_bytes = buffer_bytes, .arbitration = arbitration}};
}

PlatformUnderTest tree(std::uint64_t packet_bytes, std::uint64_t buffer_bytes) {
    return {.kind = "tree",
            .numbers = {{"leaves", 2}, {"hosts_per_leaf", 2}, {"spines", 1}},
            .packet_bytes = packet_bytes,
            .buffering = {.buffer_bytes = buffer_bytes}};
}

TEST(CreditSwitching, CreditsLimitALinkToABufferPerRoundTrip) {
    constexpr std::int64_t kPackets = 12;
    // A packet's credit is back 300 ns after the packet: latency, its tail on the way out, latency.
    for (const std::int64_t room : {1, 2, 3, 4}) {
        NetworkUnderTest network(star(kPacket, kPacket * static_cast<std::uint64_t>(room)));
        const std::int64_t last = kPackets - 1;
        const Duration start =
            room >= 3 ? last * 100_ns : last / room * 300_ns + last % room * 100_ns;
        EXPECT_EQ(network.time_of(Instant{}, 0, 1, kPacket * kPackets), start + 300_ns) << room;
        EXPECT_EQ(network->buffered_bytes(), 0U);
    }
}

TEST(CreditSwitching, ALongLinkCarriesABufferPerRoundTrip) {
    // 10 µs each way, the switch's 1 µs, and the packet's 100 ns: 21.1 µs for two packets.
    PlatformUnderTest platform = star(kPacket, 2 * kPacket);
    platform.link.latency = 10_us;
    platform.switch_latency = 1_us;
    constexpr std::int64_t kPackets = 1000;
    NetworkUnderTest network(platform);
    const Duration last_start = (kPackets / 2 - 1) * 21'100_ns + 100_ns;
    EXPECT_EQ(network.time_of(Instant{}, 0, 1, kPacket * kPackets), last_start + 21_us + 100_ns);
    // All but the first two packets waited for credit.
    const LinkStatistics& link = network->link_statistics(0);
    EXPECT_EQ(link.busy, kPackets * 100_ns);
    EXPECT_EQ(network->credit_wait(0), (kPackets / 2 - 1) * 20'900_ns);
    EXPECT_EQ(link.queue_wait, 0_ns);
    EXPECT_EQ(link.longest_wait, 0_ns);
}

TEST(CreditSwitching, WaitsForCreditAreNotWaitsBehindOthers) {
    // Each buffer has room for one packet of 1000 ns. Host 0's second message waits for credit
    // until the first one's is back: that leaves the switch from 100 to 1100 ns.
    NetworkUnderTest network(star(1000, 1000));
    network->keep_arrivals();
    for (int i = 0; i < 2; ++i) network.send(Instant{}, 0, 2, 1000);
    network.run();
    // It was behind the first for 1000 ns, and for 200 ns the link was free.
    const LinkId up = 0;
    EXPECT_EQ(network->link_statistics(up).queue_wait, 1000_ns);
    EXPECT_EQ(network->credit_wait(up), 200_ns);
    EXPECT_EQ(network.arrived(1) - Instant{}, 1200_ns + 1200_ns);
    EXPECT_EQ(network->arrival().credit_wait, 200_ns);
    EXPECT_EQ(network->arrival().zero_load, 1200_ns);
}

TEST(CreditSwitching, WhoLosesTheOutputToAnotherWaitsBehindThat) {
    // Leaf 1's buffer has room for one packet. Hosts 0 and 1 want to get to it over the spine.
    NetworkUnderTest network(tree(1000, 1000));
    network.send(Instant{}, 0, 2, 1000);
    network.send(Instant{}, 1, 3, 1000);
    network.run();
    // Leaf 0 sends the first on from 100 to 1100 ns. The spine has it until 1200 ns, so credit is
    // back at 1300 ns: the second has then waited 1000 ns behind the first and 200 ns for credit.
    const LinkId to_spine = path_of(network.topology(), 0, 2)[1];
    EXPECT_EQ(network->link_statistics(to_spine).queue_wait, 1000_ns);
    EXPECT_EQ(network->credit_wait(to_spine), 200_ns);
}

TEST(CreditSwitching, TwoFlowsTakeTurnsAtAnOutput) {
    constexpr std::int64_t kPackets = 50;
    NetworkUnderTest network(star(kPacket, kPlenty));
    for (const HostId source : {0, 1}) network.send(Instant{}, source, 2, kPacket * kPackets);
    EXPECT_EQ(network.times_of_all(),
              (Times{200_ns + (2 * kPackets - 1) * 100_ns, 200_ns + 2 * kPackets * 100_ns}));
}

/// When the message of host 2 arrives: host 0 holds the link to host 3 from 100 ns to 1100 ns, and
/// meanwhile four packets of host 1 come before the one of host 2.
Duration time_behind_a_burst(Arbitration arbitration) {
    NetworkUnderTest network(star(1000, kPlenty, arbitration));
    network.send(Instant{}, 0, 3, 1000);
    for (int i = 0; i < 4; ++i) network.send(Instant{}, 1, 3, 100);
    return network.time_of(Instant{} + 500_ns, 2, 3, 100) + 500_ns;
}

TEST(CreditSwitching, RoundRobinLetsEachPortHaveItsTurnAndFirstComeServesTheBurstBefore) {
    EXPECT_EQ(time_behind_a_burst(Arbitration::kRoundRobin), 1200_ns + 200_ns);
    EXPECT_EQ(time_behind_a_burst(Arbitration::kFirstCome), 1500_ns + 200_ns);
}

TEST(CreditSwitching, PortsShareAnOutputEquallyHoweverManyFlowsTheyCarry) {
    NetworkUnderTest network(tree(kPacket, kPlenty));
    for (const HostId source : {0, 1, 2}) network.send(Instant{}, source, 3, 10 * kPacket);
    // The neighbour has the link alone for 200 ns, then every second turn. The others have every
    // fourth; the last of 30 packets ends 30 serialisations after 100 ns.
    EXPECT_EQ(network.times_of_all(),
              (Times{3200_ns - 100_ns, 3200_ns, 400_ns + 7 * 200_ns + 200_ns}));
}

/// When B arrives that stands behind A in the buffer, while the output of A is taken from 100 ns to
/// 1100 ns and that of B is free.
Duration time_behind_a_blocked_packet(std::uint64_t buffer_bytes) {
    NetworkUnderTest network(star(1000, buffer_bytes));
    network.send(Instant{}, 1, 2, 1000);
    network.send(Instant{} + 50_ns, 0, 2, 100);
    return network.time_of(Instant{} + 50_ns, 0, 3, 100) + 50_ns;
}

TEST(CreditSwitching, APacketThatWaitsBlocksThoseBehindIt) {
    // A goes from 1100 to 1200 ns, and B after it.
    EXPECT_EQ(time_behind_a_blocked_packet(1000), 1200_ns + 200_ns);
    // Without buffers B has its output at 250 ns.
    EXPECT_EQ(time_behind_a_blocked_packet(0), 250_ns + 200_ns);
}

TEST(CreditSwitching, AFullBufferHoldsUpTheSwitchesBeforeIt) {
    // Hosts 0 and 1 at leaf 0, hosts 2 and 3 at leaf 1; each buffer has room for one packet.
    NetworkUnderTest network(tree(1000, 1000));
    network.send(Instant{}, 3, 2, 1000);  // Takes the link to host 2 from 100 to 1100 ns.
    const std::size_t first = network.send(Instant{}, 0, 2, 1000);
    const std::size_t second = network.send(Instant{}, 0, 2, 1000);
    const std::size_t elsewhere = network.send(Instant{} + 1400_ns, 1, 3, 100);
    network.run();
    // Comes to leaf 1 at 300 ns, and gets out from 1100 to 2100 ns.
    EXPECT_EQ(network.arrived(first) - Instant{}, 2200_ns);
    // Waits in the spine until its predecessor's credit is back there, at 2200 ns; out at 2300 ns.
    EXPECT_EQ(network.arrived(second) - Instant{}, 3400_ns);
    // The spine's buffer is full of `second` until 3200 ns; leaf 0 knows at 3300 ns. The buffer of
    // leaf 1 is free at 3300 ns, and the spine knows at 3400 ns, when the packet comes there.
    EXPECT_EQ(network.arrived(elsewhere) - Instant{}, 3500_ns + 200_ns);

    NetworkUnderTest unlimited(tree(1000, 0));
    unlimited.send(Instant{}, 3, 2, 1000);
    unlimited.send(Instant{}, 0, 2, 1000);
    unlimited.send(Instant{}, 0, 2, 1000);
    EXPECT_EQ(unlimited.time_of(Instant{} + 1400_ns, 1, 3, 100), 1100_ns);
}

TEST(CreditSwitching, AFasterLinkWaitsForTheTailAsWithoutBuffers) {
    PlatformUnderTest platform = tree(1000, kPlenty);
    platform.switch_links = {{80'000'000'000, 30_ns}};
    NetworkUnderTest network(platform);
    EXPECT_EQ(network.time_of(Instant{}, 0, 2, 1000), 2 * 100_ns + 2 * 30_ns + 900_ns + 1000_ns);
}

PlatformUnderTest torus(const Numbers& sizes, std::uint32_t channels) {
    return {.kind = "torus",
            .numbers = {{"sizes", sizes}, {"hosts_per_switch", 1}},
            .packet_bytes = kPacket,
            .buffering = {.buffer_bytes = kPacket, .channels = channels}};
}

/// Every host of a ring sends upwards to the one after the next, all at once.
void send_around(NetworkUnderTest& network) {
    const std::uint32_t hosts = network.fabric().hosts;
    for (HostId host = 0; host < hosts; ++host) {
        network.send(Instant{}, host, (host + 2) % hosts, 3 * kPacket);
    }
}

TEST(CreditSwitching, ARingOfOneChannelIsDeadlockedAndSaysSo) {
    NetworkUnderTest network(torus(Numbers({5}), 1));
    send_around(network);
    EXPECT_FALSE(network->is_stuck());
    network.run();
    EXPECT_TRUE(network->is_stuck());
    EXPECT_EQ(network.arrivals().size(), 0U);
    EXPECT_EQ(network->messages_in_flight(), 5U);
    // Upward links of the ring follow those of the hosts, every second one.
    const std::vector<LinkId> circle = network->find_circle();
    ASSERT_EQ(circle.size(), 5U);
    for (std::size_t place = 0; place < 5; ++place) {
        const std::uint32_t before = network.fabric().links[circle[place]].target_vertex;
        const std::uint32_t after = network.fabric().links[circle[(place + 1) % 5]].source_vertex;
        EXPECT_EQ(before, after);
        EXPECT_GE(circle[place], 10U);
    }
    const std::string words = describe_circle(*network, network.fabric());
    EXPECT_EQ(words.rfind("the full buffers of 5 links wait for each other in a circle: ", 0), 0U);
    EXPECT_NE(words.find("switch1->switch2"), std::string::npos);
}

TEST(CreditSwitching, ADatelineKeepsTheRingGoing) {
    NetworkUnderTest network(torus(Numbers({5}), 2));
    send_around(network);
    network.run();
    EXPECT_FALSE(network->is_stuck());
    EXPECT_TRUE(network->find_circle().empty());
    EXPECT_EQ(network.arrivals().size(), 5U);
    EXPECT_EQ(network->buffered_bytes(), 0U);
}

TEST(CreditSwitching, ATorusOfTwoDimensionsHasChannelsForBoth) {
    for (const std::uint32_t channels : {1U, 2U}) {
        NetworkUnderTest network(torus(Numbers({5, 5}), channels));
        // Two to the right and two up, around both borders.
        for (HostId host = 0; host < 25; ++host) {
            const HostId target = (host % 5 + 2) % 5 + (host / 5 + 2) % 5 * 5;
            network.send(Instant{}, host, target, 20 * kPacket);
        }
        network.run();
        EXPECT_EQ(network->is_stuck(), channels == 1);
        EXPECT_EQ(network.arrivals().size() == 25, channels == 2);
    }
}

TEST(CreditSwitching, NextChannelFollowsTheRules) {
    constexpr ChannelRule kPlain{0, 0};
    constexpr ChannelRule kRow{1, 0};
    constexpr ChannelRule kDateline{1, 1};
    constexpr ChannelRule kColumn{2, 0};
    EXPECT_EQ(next_channel(kPlain, 0, kRow, 2), 0U);
    EXPECT_EQ(next_channel(kRow, 0, kDateline, 2), 1U);
    EXPECT_EQ(next_channel(kDateline, 1, kRow, 2), 1U);
    EXPECT_EQ(next_channel(kRow, 1, kColumn, 2), 0U);
    EXPECT_EQ(next_channel(kRow, 0, kDateline, 1), 0U);
    EXPECT_EQ(next_channel(kDateline, 1, kDateline, 2), 1U);
}

TEST(CreditSwitching, WhatCannotBeIsRefused) {
    const auto complaint = [](const PlatformUnderTest& platform) {
        return complaint_of([&] { NetworkUnderTest network(platform); });
    };
    EXPECT_EQ(complaint({.buffering = {.buffer_bytes = 100}}), "finite buffers need a packet size");
    EXPECT_EQ(
        complaint({.packet_bytes = 100, .header_bytes = 10, .buffering = {.buffer_bytes = 109}}),
        "a buffer of 109 bytes has no room for a packet of 110");
    EXPECT_EQ(complaint({.packet_bytes = 100, .buffering = {.buffer_bytes = 100, .channels = 33}}),
              "a link must have between 1 and 32 virtual channels, not 33");
    EXPECT_EQ(complaint({.route_policy = RoutePolicy::kUgal}),
              "non-minimal routes need the topology dragonfly");
}

}  // namespace
}  // namespace kumi::network
