// What must hold for any traffic on any network.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "network/testing/any_traffic.hpp"

namespace kumi::network {
namespace {

RC_GTEST_PROP(Network, AgreesWithTheNaiveNetwork, ()) {
    NetworkUnderTest network(any_platform());
    const auto messages = run_any_traffic(network, 20'000);
    NaiveNetwork naive(network.fabric(), network.topology());
    RC_ASSERT(network.arrival_times() == naive.run(messages));
}

RC_GTEST_PROP(Network, IsTheSameWithPathsFoundOneByOne, ()) {
    PlatformUnderTest platform = any_platform();
    NetworkUnderTest with_table(platform);
    platform.finds_paths = true;
    NetworkUnderTest with_finder(platform);
    const auto messages = any_traffic(with_table.fabric().hosts, 20'000);
    RC_ASSERT(run_all(with_finder, messages) == run_all(with_table, messages));
    RC_ASSERT(with_finder->event_hash() == with_table->event_hash());
    RC_ASSERT(with_finder->minimum_latency() <= with_table->minimum_latency());
    RC_ASSERT(with_finder->loopback_latency() == with_table->loopback_latency());
}

RC_GTEST_PROP(Network, AloneAMessageTakesItsZeroLoadTime, ()) {
    NetworkUnderTest network(any_platform());
    check_zero_load_time(network);
}

RC_GTEST_PROP(Network, NeverReordersThePairs, ()) {
    NetworkUnderTest network(any_platform());
    const auto messages = run_any_traffic(network, 5'000);
    RC_ASSERT(keeps_pairs_in_order(network, messages));
}

RC_GTEST_PROP(Network, LosesAndInventsNothing, ()) {
    NetworkUnderTest network(any_platform());
    const auto messages = run_any_traffic(network, 20'000);
    check_packets_of_paths(network, messages);
    std::uint64_t payload_bytes = 0;
    for (const Sent& sent : messages) payload_bytes += sent.size_bytes;
    RC_ASSERT(network->messages_in_flight() == 0U);
    RC_ASSERT(network->counters().arrived_messages == messages.size());
    RC_ASSERT(network->counters().arrived_bytes == payload_bytes);
    RC_ASSERT(network->counters().injected_bytes == payload_bytes);
    const LinkUseTable use = network->link_use();
    for (LinkId link = 0; link < network->links(); ++link) {
        const LinkStatistics& statistics = network->link_statistics(link);
        RC_ASSERT(statistics.busy <= network->now() - Instant{});
        const auto& busy_ps = use.busy_ps[link];
        RC_ASSERT(busy_ps.size() <= 256U);
        RC_ASSERT(std::accumulate(busy_ps.begin(), busy_ps.end(), std::int64_t{0}) ==
                  statistics.busy.ps);
        for (const std::int64_t in_bin_ps : busy_ps) RC_ASSERT(in_bin_ps <= use.bin_ps);
    }
}

RC_GTEST_PROP(Network, IsTheSameTwiceAndInWhateverOrderItIsTold, ()) {
    const PlatformUnderTest platform = any_platform();
    NetworkUnderTest first(platform);
    NetworkUnderTest second(platform);
    check_order_of_telling(first, second);
}

RC_GTEST_PROP(Network, HasFewOutstandingEvents, ()) {
    NetworkUnderTest network(any_platform());
    Messages messages = any_traffic(network.fabric().hosts, 20'000);
    // Senders that inject in order, as ranks that do not share a host.
    std::ranges::sort(messages, {},
                      [](const Sent& sent) { return std::pair(sent.when, sent.order_sequence); });
    for (Sent& sent : messages) sent.order_source = sent.source;
    inject_all(network, messages);
    const std::uint32_t most = 2 * (network->links() + network->hosts()) + network->hosts();
    while (network->next_event_time() != kNever) {
        RC_ASSERT(network->outstanding_events() <= most);
        network->execute_next(network);
    }
}

TEST(Network, TheHashTellsDifferentRunsApart) {
    const auto hash_of = [](std::int64_t when_ps, HostId target, std::uint64_t size_bytes) {
        NetworkUnderTest network({});
        network.send(Instant{when_ps}, 0, target, size_bytes);
        network.run();
        return network->event_hash();
    };
    const std::uint64_t hash = hash_of(0, 1, 100);
    EXPECT_EQ(hash_of(0, 1, 100), hash);
    EXPECT_NE(hash_of(1, 1, 100), hash);
    EXPECT_NE(hash_of(0, 2, 100), hash);
    EXPECT_NE(hash_of(0, 1, 101), hash);
}

}  // namespace
}  // namespace kumi::network
