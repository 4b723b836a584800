// What must hold for any traffic in networks with finite buffers, with non-minimal routes, and with
// both.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "network/testing/any_traffic.hpp"
#include "network/testing/naive_credit_network.hpp"

namespace kumi::network {
namespace {

using namespace literals;

/// Buffers from one packet on, so that they are full most of the time.
void give_buffers(PlatformUnderTest& platform) {
    platform.packet_bytes = *rc::gen::element<std::uint64_t>(64, 100, 1024);
    const std::uint64_t packet = platform.packet_bytes + platform.header_bytes;
    platform.buffering = {
        .buffer_bytes = packet * *rc::gen::inRange<std::uint64_t>(1, 5),
        .channels = 0,
        .arbitration = *rc::gen::element(Arbitration::kRoundRobin, Arbitration::kFirstCome)};
}

PlatformUnderTest any_buffered_platform() {
    PlatformUnderTest platform = any_platform();
    give_buffers(platform);
    return platform;
}

/// With finite buffers or non-minimal routes or both.
PlatformUnderTest any_platform_with_settings() {
    if (!*rc::gen::arbitrary<bool>()) return any_buffered_platform();
    PlatformUnderTest platform = any_platform({"dragonfly"});
    platform.route_policy = *rc::gen::element(RoutePolicy::kValiant, RoutePolicy::kUgal);
    platform.seed = *rc::gen::arbitrary<std::uint64_t>();
    if (*rc::gen::arbitrary<bool>()) give_buffers(platform);
    return platform;
}

RC_GTEST_PROP(NetworkWithSettings, LosesAndReordersNothing, ()) {
    NetworkUnderTest network(any_platform_with_settings());
    const auto messages = run_any_traffic(network, 20'000);
    RC_ASSERT(!network->is_stuck());
    RC_ASSERT(network->messages_in_flight() == 0U);
    RC_ASSERT(network->buffered_bytes() == 0U);
    RC_ASSERT(network->counters().arrived_messages == messages.size());
    RC_ASSERT(network->counters().arrived_bytes == network->counters().injected_bytes);
    RC_ASSERT(keeps_pairs_in_order(network, messages));
    const LinkUseTable use = network->link_use();
    for (LinkId link = 0; link < network->links(); ++link) {
        RC_ASSERT(std::accumulate(use.busy_ps[link].begin(), use.busy_ps[link].end(),
                                  std::int64_t{0}) == network->link_statistics(link).busy.ps);
    }
}

RC_GTEST_PROP(NetworkWithSettings, BuffersAgreeWithTheNaiveNetwork, ()) {
    PlatformUnderTest platform = any_buffered_platform();
    // What takes no time has no order that both would share.
    platform.header_bytes = 8;
    platform.buffering.buffer_bytes += 4 * platform.header_bytes;
    platform.link.latency = platform.link.latency + 1_ps;
    for (LinkParameters& switch_link : platform.switch_links)
        switch_link.latency = switch_link.latency + 1_ps;
    NetworkUnderTest network(platform);
    auto messages = any_traffic(network.fabric().hosts, 10'000);
    std::erase_if(messages, [](const Sent& sent) { return sent.source == sent.target; });
    NaiveCreditNetwork naive(network.fabric(), network.topology());
    RC_ASSERT(run_all(network, messages) == naive.run(messages));
}

RC_GTEST_PROP(NetworkWithSettings, EachLinkCarriesThePacketsOfItsPaths, ()) {
    NetworkUnderTest network(any_buffered_platform());
    const auto messages = run_any_traffic(network, 20'000);
    check_packets_of_paths(network, messages);
}

RC_GTEST_PROP(NetworkWithSettings, AloneAMessageTakesItsZeroLoadTime, ()) {
    PlatformUnderTest platform = any_buffered_platform();
    platform.buffering.buffer_bytes = 1U << 30;
    NetworkUnderTest network(platform);
    check_zero_load_time(network);
}

RC_GTEST_PROP(NetworkWithSettings, IsTheSameTwiceAndInWhateverOrderItIsTold, ()) {
    PlatformUnderTest platform = any_platform_with_settings();
    NetworkUnderTest first(platform);
    platform.finds_paths = true;
    NetworkUnderTest second(platform);
    check_order_of_telling(first, second);
}

RC_GTEST_PROP(NetworkWithSettings, NoMessageIsFasterThanTheLeastLatency, ()) {
    NetworkUnderTest network(any_platform_with_settings());
    const auto messages = run_any_traffic(network, 2'000);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const bool stays = messages[i].source == messages[i].target;
        RC_ASSERT(network.arrived(i) - messages[i].when >=
                  (stays ? network->loopback_latency() : network->minimum_latency()));
    }
}

}  // namespace
}  // namespace kumi::network
