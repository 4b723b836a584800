// Messages that have the network for themselves, against closed forms, to the picosecond.

#include "network/zero_load.hpp"

#include <gtest/gtest.h>

#include "network/testing/shape_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;

constexpr LinkParameters kFast{80'000'000'000, 30_ns};  // 100 ps a byte
constexpr LinkParameters kSlow{8'000'000'000, 100_ns};  // 1 ns a byte
constexpr LinkParameters kOdd{3'000'000'000, 70_ns};    // 8/3 ns a byte

TEST(ZeroLoad, StarIsTwoLatenciesAndOneSerialisation) {
    EXPECT_EQ(time_of({.link = kSlow}, 0, 1, 1000), 200_ns + 1000_ns);
    EXPECT_EQ(time_of({.link = kSlow, .switch_latency = 50_ns}, 3, 2, 1000), 1250_ns);
    EXPECT_EQ(time_of({.link = kSlow, .header_bytes = 24}, 0, 1, 1000), 200_ns + 1024_ns);
}

TEST(ZeroLoad, FullyConnectedIsOneLatencyAndOneSerialisation) {
    const PlatformUnderTest platform{
        .kind = "fully_connected", .link = kSlow, .switch_latency = 50_ns};
    EXPECT_EQ(time_of(platform, 0, 3, 1000), 100_ns + 1000_ns);
    EXPECT_EQ(time_of(platform, 3, 0, 0), 100_ns);
}

PlatformUnderTest tree(LinkParameters link, LinkParameters switch_link,
                       std::uint64_t packet_bytes = 0, std::uint64_t header_bytes = 0) {
    return {.kind = "tree",
            .numbers = {{"leaves", 2}, {"hosts_per_leaf", 2}, {"spines", 2}},
            .link = link,
            .switch_links = {switch_link},
            .switch_latency = 10_ns,
            .packet_bytes = packet_bytes,
            .header_bytes = header_bytes};
}

// Both ways round, a path between leaves has two slow links, two fast ones and three switches.
constexpr Duration kTreeLatency = 2 * 100_ns + 2 * 30_ns + 3 * 10_ns;

TEST(ZeroLoad, TreeWithinALeafIsAStar) {
    EXPECT_EQ(time_of(tree(kSlow, kFast), 0, 1, 1000), 210_ns + 1000_ns);
}

TEST(ZeroLoad, TreeIsAsFastAsSlowUplinksAndWaitsForTheTailBeforeFastOnes) {
    EXPECT_EQ(time_of(tree(kFast, kSlow), 0, 3, 1000), kTreeLatency + 1000_ns);
    // The fast link starts when the tail will come in time, 1000 - 100 ns after the head; the slow
    // link at the end then takes its own time again.
    EXPECT_EQ(time_of(tree(kSlow, kFast), 0, 3, 1000), kTreeLatency + 900_ns + 1000_ns);
}

TEST(ZeroLoad, PacketsOfEqualLinksFlowWithoutGaps) {
    // 2500 bytes: packets of 1000, 1000, 500, each with a header of 20.
    const PlatformUnderTest platform{.link = kSlow, .packet_bytes = 1000, .header_bytes = 20};
    EXPECT_EQ(time_of(platform, 0, 1, 2500), 200_ns + 2560_ns);
    EXPECT_EQ(time_of(platform, 0, 1, 2000), 200_ns + 2040_ns);
    EXPECT_EQ(time_of(platform, 0, 1, 2001), 200_ns + 2061_ns);
    EXPECT_EQ(time_of(platform, 0, 1, 1000), 200_ns + 1020_ns);
    EXPECT_EQ(time_of(platform, 0, 1, 0), 200_ns + 20_ns);
}

TEST(ZeroLoad, PacketsOfUnequalLinksFollowTheSlowestLink) {
    const PlatformUnderTest slow_switch_links = tree(kFast, kSlow, 1000, 20);
    const PlatformUnderTest fast_switch_links = tree(kSlow, kFast, 1000, 20);
    EXPECT_EQ(time_of(slow_switch_links, 0, 3, 2500), kTreeLatency + 2560_ns);
    EXPECT_EQ(time_of(slow_switch_links, 0, 3, 1'000'000), kTreeLatency + 1'020'000_ns);
    // Only the first packet's wait for its tail is seen: the others wait behind it.
    EXPECT_EQ(time_of(fast_switch_links, 0, 3, 2500), kTreeLatency + 918_ns + 2560_ns);
    EXPECT_EQ(time_of(fast_switch_links, 0, 3, 1'000'000), kTreeLatency + 918_ns + 1'020'000_ns);
}

TEST(ZeroLoad, EveryPacketIsRoundedUpByItself) {
    // 100 bytes at 3 Gb/s are 266,666.67 ps.
    const PlatformUnderTest platform{.link = kOdd, .packet_bytes = 100};
    EXPECT_EQ(time_of(platform, 0, 1, 300), 140_ns + 3 * 266'667_ps);
    EXPECT_EQ(time_of({.link = kOdd}, 0, 1, 300), 140_ns + 800'000_ps);
}

TEST(ZeroLoad, NothingAtAllTakesOnlyLatency) {
    EXPECT_EQ(time_of({.link = kSlow}, 0, 1, 0), 200_ns);
    EXPECT_EQ(time_of({.link = {1, 0_ps}}, 0, 1, 0), 0_ps);
}

TEST(ZeroLoad, LoopbackIsLatencyAndSerialisationWithoutPackets) {
    const PlatformUnderTest platform{
        .switch_latency = 1_us, .packet_bytes = 100, .header_bytes = 40};
    EXPECT_EQ(time_of(platform, 2, 2, 1000), 200_ns + 100_ns);
    EXPECT_EQ(time_of(platform, 2, 2, 0), 200_ns);
}

TEST(ZeroLoad, AMessageArrivesAtItsInstantAndNotBefore) {
    NetworkUnderTest network({.link = kSlow});
    const std::size_t message = network.send(Instant{1000}, 0, 1, 1000);
    const Instant expected = Instant{1000} + 1200_ns;
    network.run_until(expected - 1_ps);
    EXPECT_EQ(network.arrived(message), kNever);
    EXPECT_EQ(network->messages_in_flight(), 1U);
    EXPECT_EQ(network->next_event_time(), expected);
    network.run_until(expected);
    EXPECT_EQ(network.arrived(message), expected);
    EXPECT_EQ(network->messages_in_flight(), 0U);
    EXPECT_EQ(network->next_event_time(), kNever);
}

TEST(ZeroLoad, MinimumLatencyIsThatOfAnEmptyMessageToTheNearestHost) {
    NetworkUnderTest network(tree(kSlow, kFast, 0, 20));
    EXPECT_EQ(network->minimum_latency(), 210_ns + 20_ns);
    EXPECT_EQ(network->loopback_latency(), 200_ns);
    NetworkUnderTest single({.numbers = {{"hosts", 1}}});
    EXPECT_EQ(single->minimum_latency(), 200_ns);
}

/// Answers each message until none is left.
class PingPong {
   public:
    PingPong(Network& network, int legs, std::uint64_t size_bytes)
        : x_network(network), x_legs(legs), x_size_bytes(size_bytes) {}
    void arrived(Instant when, std::uint64_t leg) {
        x_end = when;
        const auto host = static_cast<HostId>((leg + 1) % 2);
        if (static_cast<int>(leg) + 1 < x_legs) {
            EXPECT_TRUE(x_network.inject(when, host, 1 - host, x_size_bytes, host, leg, leg + 1));
        }
    }
    Instant end() const { return x_end; }

   private:
    Network& x_network;
    int x_legs;
    std::uint64_t x_size_bytes;
    Instant x_end{};
};

TEST(ZeroLoad, PingPongTakesItsLegs) {
    NetworkUnderTest network({.link = kSlow, .switch_latency = 50_ns, .packet_bytes = 256});
    PingPong game(*network, 1000, 1024);
    ASSERT_TRUE(network->inject(Instant{}, 0, 1, 1024, 0, 0, 0));
    while (network->next_event_time() != kNever) network->execute_next(game);
    EXPECT_EQ(game.end() - Instant{}, 1000 * (250_ns + 1024_ns));
}

}  // namespace
}  // namespace kumi::network
