#pragma once

// Random networks and messages for properties.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "network/testing/naive_network.hpp"
#include "network/testing/network_under_test.hpp"

namespace kumi::network {

using Sent = NaiveNetwork::Sent;
using Messages = std::vector<Sent>;

inline rc::Gen<LinkParameters> any_link() {
    return rc::gen::construct<LinkParameters>(
        rc::gen::element<std::uint64_t>(1'000'000'000, 3'000'000'000, 8'000'000'000,
                                        8'000'000'000'000),
        rc::gen::construct<Duration>(rc::gen::element<std::int64_t>(0, 1, 5'000, 100'000)));
}

/// A network of one of the kinds; of any kind if there are none.
inline PlatformUnderTest any_platform(std::vector<std::string> kinds = {}) {
    if (kinds.empty()) {
        kinds = {"star", "fully_connected", "tree",      "torus",
                 "mesh", "fat_tree",        "butterfly", "dragonfly"};
    }
    PlatformUnderTest platform{.kind = *rc::gen::elementOf(kinds)};
    const auto some = [](int end) { return Numbers(*rc::gen::inRange<std::uint64_t>(1, end)); };
    const auto list = [](int end) {
        return Numbers(*rc::gen::container<std::vector<std::uint64_t>>(
            2, rc::gen::inRange<std::uint64_t>(1, end)));
    };
    if (platform.kind == "tree") {
        platform.numbers = {{"leaves", some(4)}, {"hosts_per_leaf", some(4)}, {"spines", some(4)}};
    } else if (platform.kind == "torus" || platform.kind == "mesh") {
        platform.numbers = {{"sizes", list(5)}, {"hosts_per_switch", some(3)}};
    } else if (platform.kind == "fat_tree") {
        platform.numbers = {{"children", list(4)}, {"parents", list(3)}, {"cables", list(3)}};
    } else if (platform.kind == "butterfly") {
        platform.numbers = {{"radix", 2}, {"stages", some(4)}};
    } else if (platform.kind == "dragonfly") {
        platform.numbers = {{"groups", some(6)},
                            {"switches_per_group", 2},
                            {"global_links_per_switch", 2},
                            {"hosts_per_switch", some(3)}};
    } else {
        platform.numbers = {{"hosts", *rc::gen::inRange(1, 7)}};
    }
    platform.link = *any_link();
    if (*rc::gen::arbitrary<bool>()) platform.switch_links = {*any_link()};
    platform.loopback = *any_link();
    platform.switch_latency = {*rc::gen::element<std::int64_t>(0, 1, 50'000)};
    platform.packet_bytes = *rc::gen::element<std::uint64_t>(0, 1, 64, 100, 1024);
    platform.header_bytes = *rc::gen::element<std::uint64_t>(0, 1, 24);
    return platform;
}

/// Messages of random hosts; times, sizes and senders from few values, so that ties are common.
inline Messages any_traffic(std::uint32_t hosts, std::uint64_t largest_bytes) {
    const auto host = rc::gen::inRange<HostId>(0, hosts);
    const auto size_bytes = rc::gen::oneOf(rc::gen::element<std::uint64_t>(0, 1, 64, 100),
                                           rc::gen::inRange<std::uint64_t>(0, 2000),
                                           rc::gen::inRange<std::uint64_t>(0, largest_bytes + 1));
    const auto when =
        rc::gen::construct<Instant>(rc::gen::oneOf(rc::gen::element<std::int64_t>(0, 1000, 100'000),
                                                   rc::gen::inRange<std::int64_t>(0, 3'000'000)));
    auto messages = *rc::gen::container<Messages>(rc::gen::construct<Sent>(
        when, host, host, size_bytes, rc::gen::inRange<std::uint32_t>(0, 4),
        rc::gen::just<std::uint64_t>(0)));
    for (std::size_t i = 0; i < messages.size(); ++i) messages[i].order_sequence = i;
    return messages;
}

inline void inject_all(NetworkUnderTest& network, const Messages& messages) {
    for (const Sent& sent : messages) {
        const std::size_t number = network.note_message();
        RC_ASSERT(network->inject(sent.when, sent.source, sent.target, sent.size_bytes,
                                  sent.order_source, sent.order_sequence, number));
    }
}

/// Sends messages through a network, to the end; returns when each has arrived.
inline const std::vector<Instant>& run_all(NetworkUnderTest& network, const Messages& messages) {
    inject_all(network, messages);
    network.run();
    return network.arrival_times();
}

/// Sends random messages through a network, to the end.
inline Messages run_any_traffic(NetworkUnderTest& network, std::uint64_t largest_bytes) {
    auto messages = any_traffic(network.fabric().hosts, largest_bytes);
    run_all(network, messages);
    return messages;
}

/// Each link has carried the packets of the messages whose paths have it; no message was faster
/// than alone.
inline void check_packets_of_paths(NetworkUnderTest& network, const Messages& messages) {
    std::vector<std::uint64_t> bytes(network->links());
    std::vector<std::uint64_t> packets(network->links());
    std::vector<LinkId> path;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const Sent& sent = messages[i];
        RC_ASSERT(network.arrived(i) - sent.when >=
                  network->zero_load_time(sent.source, sent.target, sent.size_bytes));
        if (sent.source == sent.target) continue;
        const Packets cut = cut_into_packets(sent.size_bytes, network.fabric().packet_bytes,
                                             network.fabric().header_bytes);
        network.topology().route(sent.source, sent.target, path);
        for (const LinkId link : path) {
            bytes[link] += cut.total_bytes();
            packets[link] += cut.count;
        }
    }
    for (LinkId link = 0; link < network->links(); ++link) {
        RC_ASSERT(network->link_statistics(link).bytes == bytes[link]);
        RC_ASSERT(network->link_statistics(link).packets == packets[link]);
    }
}

/// A message that has the network for itself takes the time that the network predicts.
inline void check_zero_load_time(NetworkUnderTest& network) {
    const HostId source = *rc::gen::inRange<HostId>(0, network.fabric().hosts);
    const HostId target = *rc::gen::inRange<HostId>(0, network.fabric().hosts);
    const auto size_bytes = *rc::gen::inRange<std::uint64_t>(0, 50'000);
    const Duration expected = network->zero_load_time(source, target, size_bytes);
    RC_ASSERT(network.time_of(Instant{3}, source, target, size_bytes) == expected);
    std::vector<LinkId> path;
    if (source != target) network.topology().route(source, target, path);
    RC_ASSERT(zero_load_time(network.fabric(), path, size_bytes) == expected);
    RC_ASSERT(expected >=
              (source == target ? network->loopback_latency() : network->minimum_latency()));
}

/// Whether the messages of each two hosts arrived in the order in which they were injected.
inline bool keeps_pairs_in_order(const NetworkUnderTest& network, const Messages& messages) {
    // The order of injection, as the network gets it.
    std::vector<std::size_t> injected(messages.size());
    std::iota(injected.begin(), injected.end(), std::size_t{0});
    std::ranges::sort(injected, {}, [&](std::size_t i) { return messages[i].key(); });
    const auto by_pair = [&](const std::vector<std::size_t>& order) {
        std::map<std::pair<HostId, HostId>, std::vector<std::size_t>> pairs;
        for (const std::size_t i : order) {
            pairs[{messages[i].source, messages[i].target}].push_back(i);
        }
        return pairs;
    };
    return by_pair(network.arrivals()) == by_pair(injected);
}

/// Sends the same random traffic through two equal networks, in opposite orders; both
/// must do the same.
inline void check_order_of_telling(NetworkUnderTest& first, NetworkUnderTest& second) {
    const auto messages = any_traffic(first.fabric().hosts, 5'000);
    auto times = run_all(second, {messages.rbegin(), messages.rend()});
    std::ranges::reverse(times);
    RC_ASSERT(run_all(first, messages) == times);
    RC_ASSERT(first->event_hash() == second->event_hash());
    RC_ASSERT(first->event_count() == second->event_count());
}

}  // namespace kumi::network
