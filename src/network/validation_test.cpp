// Closed forms that the network as a whole must keep to; deviations are printed.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <set>

#include "base/random/random_stream.hpp"
#include "network/testing/shape_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;

// Links of 1 ns a byte and 100 ns: the defaults of PlatformUnderTest.
constexpr Duration kLinkLatency = 100_ns;
constexpr Duration kSwitchLatency = 30_ns;
constexpr std::int64_t kBytes = 700;
constexpr Duration kSerialisation = kBytes * 1_ns;

struct Shape {
    const char* kind;
    std::map<std::string, Numbers> numbers;
    std::set<std::uint32_t> path_lengths;
};

const std::vector<Shape> kShapes{
    {"star", {{"hosts", 5}}, {2}},
    {"fully_connected", {{"hosts", 5}}, {1}},
    {"tree", {{"leaves", 3}, {"hosts_per_leaf", 3}, {"spines", 2}}, {2, 4}},
    {"torus", {{"sizes", Numbers({5, 4, 3})}, {"hosts_per_switch", 2}}, {2, 3, 4, 5, 6, 7}},
    {"mesh", {{"sizes", Numbers({4, 3})}, {"hosts_per_switch", 1}}, {3, 4, 5, 6, 7}},
    {"fat_tree",
     {{"children", Numbers({3, 2, 2})}, {"parents", Numbers({1, 2, 2})}, {"cables", 1}},
     {2, 4, 6}},
    {"butterfly", {{"radix", 3}, {"stages", 3}}, {4}},
    {"dragonfly", dragonfly_numbers(9, 4, 2, 2), {2, 3, 4, 5}},
    // Three switches in a row, with a host at each.
    {"graph",
     {{"hosts", 3},
      {"switches", 3},
      {"sources", Numbers({0, 3, 1, 4, 2, 5, 3, 4, 4, 5})},
      {"targets", Numbers({3, 0, 4, 1, 5, 2, 4, 3, 5, 4})},
      {"bandwidth_bps", Numbers(std::vector<std::uint64_t>(10, 8'000'000'000))},
      {"latency_ps", Numbers(std::vector<std::uint64_t>(10, 100'000))}},
     {3, 4}},
};

/// Every message alone takes the latencies of its way and one serialisation; returns the lengths of
/// the paths there are.
std::set<std::uint32_t> lengths_seen(const PlatformUnderTest& platform) {
    std::set<std::uint32_t> lengths;
    NetworkUnderTest network(platform);
    for (HostId source = 0; source < network.fabric().hosts; ++source) {
        for (HostId target = 0; target < network.fabric().hosts; ++target) {
            if (source == target) continue;
            const auto hops = std::ssize(path_of(network.topology(), source, target));
            lengths.insert(static_cast<std::uint32_t>(hops));
            EXPECT_EQ(network.time_of(network->now(), source, target, kBytes),
                      hops * kLinkLatency + (hops - 1) * kSwitchLatency + kSerialisation);
        }
    }
    return lengths;
}

TEST(Validation, ZeroLoadLatencyOfEveryTopologyAndPathLength) {
    for (const Shape& shape : kShapes) {
        for (const std::uint64_t buffer_bytes : {0, 2000}) {
            SCOPED_TRACE(shape.kind);
            EXPECT_EQ(lengths_seen({.kind = shape.kind,
                                    .numbers = shape.numbers,
                                    .switch_latency = kSwitchLatency,
                                    .packet_bytes = 1000,
                                    .buffering = {.buffer_bytes = buffer_bytes, .channels = 0}}),
                      shape.path_lengths);
        }
    }
}

/// The time of an all-to-all in which every host sends a message to each other one, nearest number
/// first, all at once.
Duration time_of_all_to_all(const PlatformUnderTest& platform, std::uint64_t size_bytes) {
    NetworkUnderTest network(platform);
    const HostId hosts = network.fabric().hosts;
    for (HostId step = 1; step < hosts; ++step) {
        for (HostId host = 0; host < hosts; ++host) {
            network.send(Instant{}, host, (host + step) % hosts, size_bytes);
        }
    }
    network.run();
    return network->now() - Instant{};
}

/// `crossings` messages must cross the busiest link: the time is that of their bytes, and of what
/// the first takes to get there and the last to get on.
void expect_bandwidth_bound(const char* what, const PlatformUnderTest& platform,
                            std::int64_t crossings) {
    constexpr std::int64_t kMessageBytes = 100'000;
    const Duration bound = crossings * kMessageBytes * 1_ns;
    const Duration time = time_of_all_to_all(platform, kMessageBytes);
    const double ratio = static_cast<double>(time.ps) / static_cast<double>(bound.ps);
    std::printf("%s: %.4f of the closed form\n", what, ratio);
    EXPECT_GE(time, bound);
    EXPECT_LE(ratio, 1.1) << what;
}

TEST(Validation, AllToAllOnATorusIsBoundByItsBisection) {
    // On a ring of n (even), each upward link carries 1 + 2 + ... + n/2 messages of each ring's
    // pairs: of two halfway round, all go upwards.
    const auto torus = [](std::initializer_list<std::uint64_t> sizes) {
        return PlatformUnderTest{.kind = "torus",
                                 .numbers = {{"sizes", Numbers(sizes)}, {"hosts_per_switch", 1}},
                                 .packet_bytes = 1000};
    };
    expect_bandwidth_bound("torus 16", torus({16}), 8 * 9 / 2);
    // In two dimensions each pair of a row's positions is used by as many messages as the other
    // dimension is long.
    expect_bandwidth_bound("torus 16 x 4", torus({16, 4}), 8 * 9 / 2 * 4);
}

TEST(Validation, AllToAllOnATaperedFatTreeIsBoundByItsBisection) {
    // Leaves of 8 hosts with 2 cables up: each cable carries a half of 8 x 24 messages.
    const PlatformUnderTest platform{
        .kind = "fat_tree",
        .numbers = {{"children", Numbers({8, 4})}, {"parents", Numbers({1, 2})}, {"cables", 1}},
        .packet_bytes = 1000};
    expect_bandwidth_bound("fat tree 8:2", platform, 8 * 24 / 2);
}

/// Mean wait in ns of messages of 1000 ns that come to a link of a switch at random (Poisson).
double mean_wait_ns(double utilisation, std::uint64_t seed) {
    constexpr std::uint32_t kSources = 16;
    constexpr int kMessages = 40'000;
    // Hosts' links are a thousand times faster than the one that is looked at, so that messages
    // come to it as they are sent.
    NetworkUnderTest network(
        {.kind = "tree",
         .numbers = {{"leaves", 2}, {"hosts_per_leaf", kSources}, {"spines", 1}},
         .link = {800'000'000'000'000, 0_ps},
         .switch_links = {{8'000'000'000, 0_ps}}});
    RandomStream random = RandomStreams(seed, "test").stream();
    const double mean_gap_ps = 1e6 / utilisation;
    double when_ps = 0;
    for (int message = 0; message < kMessages; ++message) {
        when_ps -= std::log(1 - random.uniform()) * mean_gap_ps;
        const auto source = static_cast<HostId>(random.below(kSources));
        network.send(Instant{static_cast<std::int64_t>(when_ps)}, source, kSources + source, 1000);
    }
    network.run();
    const LinkId uplink = 2 * 2 * kSources;  // The first after those of the hosts.
    const LinkStatistics& link = network->link_statistics(uplink);
    EXPECT_EQ(link.packets, std::uint64_t{kMessages});
    return static_cast<double>(link.queue_wait.ps) / 1e3 / kMessages;
}

TEST(Validation, WaitsAreThoseOfAnMD1Queue) {
    constexpr int kRuns = 20;
    for (const double utilisation : {0.3, 0.6, 0.8}) {
        double sum = 0;
        double squares = 0;
        for (std::uint64_t run = 0; run < kRuns; ++run) {
            const double wait_ns = mean_wait_ns(utilisation, run);
            sum += wait_ns;
            squares += wait_ns * wait_ns;
        }
        const double mean_ns = sum / kRuns;
        const double variance = (squares - sum * mean_ns) / (kRuns - 1);
        const double error_ns = std::sqrt(variance / kRuns);
        // Pollaczek and Khinchine for a constant service of 1000 ns.
        const double expected_ns = utilisation * 1000 / (2 * (1 - utilisation));
        std::printf(
            "M/D/1 at %.1f: %.2f ns of %.2f ns expected, %+.2f %%, standard error %.2f ns\n",
            utilisation, mean_ns, expected_ns, 100 * (mean_ns / expected_ns - 1), error_ns);
        // Independent runs: a mean of 20 is beyond four standard errors once in a thousand times.
        EXPECT_NEAR(mean_ns, expected_ns, 4 * error_ns);
        EXPECT_LT(error_ns, 0.02 * expected_ns);
    }
}

}  // namespace
}  // namespace kumi::network
