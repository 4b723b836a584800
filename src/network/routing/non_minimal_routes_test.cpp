// Valiant's paths and UGAL through a dragonfly.

#include "network/routing/non_minimal_routes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "base/testing/arena_for_tests.hpp"
#include "network/routing/pair_order.hpp"
#include "network/testing/network_under_test.hpp"

namespace kumi::network {
namespace {

RC_GTEST_PROP(PairOrder, HandsOverAsANaiveOneDoes, ()) {
    ArenaForTests arena;
    PairOrder order;
    const auto pairs = *rc::gen::container<std::vector<std::pair<HostId, HostId>>>(
        rc::gen::pair(rc::gen::inRange<HostId>(0, 30), rc::gen::inRange<HostId>(0, 30)));
    std::map<std::pair<HostId, HostId>, std::vector<std::uint32_t>> expected;
    std::vector<std::uint32_t> under_way;
    for (std::uint32_t message = 0; message < pairs.size(); ++message) {
        order.note(*arena, message, pairs[message].first, pairs[message].second);
        order.enter(*arena, message);
        RC_ASSERT(order.source(message) == pairs[message].first);
        RC_ASSERT(order.target(message) == pairs[message].second);
        expected[pairs[message]].push_back(message);
        under_way.push_back(message);
    }
    std::map<std::pair<HostId, HostId>, std::vector<std::uint32_t>> handed_over;
    while (!under_way.empty()) {
        const auto place = *rc::gen::inRange<std::size_t>(0, under_way.size());
        const std::uint32_t arrived = under_way[place];
        under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(place));
        if (!order.arrive(arrived)) continue;
        for (std::uint32_t message = arrived; message != PairOrder::kNone;) {
            handed_over[pairs[message]].push_back(message);
            message = order.hand_over(message);
        }
    }
    RC_ASSERT(handed_over == expected);
}

TEST(PairOrderDeathTest, AnEarlierMessageComesFirst) {
    ArenaForTests arena;
    PairOrder order;
    for (const std::uint32_t message : {0U, 1U}) {
        order.note(*arena, message, 3, 4);
        order.enter(*arena, message);
    }
    EXPECT_FALSE(order.arrive(1));
    EXPECT_DEATH(order.hand_over(1), "before an earlier one");
}

using namespace literals;

// Five groups of two switches with two hosts each; one cable between each two groups.
constexpr std::uint32_t kGroups = 5;
constexpr HostId kGroupHosts = 4;

PlatformUnderTest dragonfly(RoutePolicy policy, std::uint64_t seed = 0) {
    return {.kind = "dragonfly",
            .numbers = dragonfly_numbers(kGroups, 2, 2, 2),
            .route_policy = policy,
            .seed = seed};
}

/// The times of all non-minimal routes of a message through the idle network.
std::set<Duration> times_around(const NetworkUnderTest& network, HostId source, HostId target,
                                std::uint64_t size_bytes) {
    std::set<Duration> times;
    const DragonflyShape& shape = *network.fabric().dragonfly;
    for (std::uint32_t group = 0; group < kGroups; ++group) {
        if (group == source / kGroupHosts || group == target / kGroupHosts) continue;
        const DragonflyPath path = shape.over(group, 0, 0, source, target);
        const std::vector<LinkId> links(path.links, path.links + path.length);
        times.insert(zero_load_time(network.fabric(), links, size_bytes));
    }
    return times;
}

/// The groups that packets have entered over global links.
std::multiset<std::uint32_t> groups_entered(NetworkUnderTest& network) {
    std::multiset<std::uint32_t> groups;
    const auto group_of = [&](std::uint32_t vertex) {
        return (vertex - network.fabric().hosts) / network.fabric().dragonfly->group_switches;
    };
    for (LinkId id = network.fabric().dragonfly->first_global; id < network->links(); ++id) {
        for (std::uint64_t packet = 0; packet < network->link_statistics(id).packets; ++packet)
            groups.insert(group_of(network.fabric().links[id].target_vertex));
    }
    return groups;
}

/// The path that is taken is part of what a message takes without contention, not of queueing.
TEST(Valiant, TheZeroLoadTimeIsThatOfThePathTaken) {
    for (const std::uint64_t size_bytes : {0U, 1000U, 10'500U}) {
        for (const std::uint64_t buffer_bytes : {0U, 1U << 20}) {
            PlatformUnderTest platform = dragonfly(RoutePolicy::kValiant);
            platform.packet_bytes = 1000;
            platform.buffering.buffer_bytes = buffer_bytes;
            NetworkUnderTest network(platform);
            network->keep_arrivals();
            // One that takes a non-minimal route, one within its group, one to its own host.
            for (const HostId target : {6U, 2U, 0U}) {
                const Duration time = network.time_of(network->now(), 0, target, size_bytes);
                EXPECT_EQ(network->arrival().zero_load, time);
                const Duration minimal = network->zero_load_time(0, target, size_bytes);
                EXPECT_EQ(network->arrival().zero_load > minimal, target == 6);
            }
        }
    }
}

TEST(Valiant, AMessageGoesOverAThirdGroup) {
    std::set<std::uint32_t> entered;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        NetworkUnderTest network(dragonfly(RoutePolicy::kValiant, seed));
        const Duration time = network.time_of(Instant{}, 0, 6, 1000);
        EXPECT_TRUE(times_around(network, 0, 6, 1000).contains(time));
        const std::multiset<std::uint32_t> groups = groups_entered(network);
        EXPECT_EQ(groups.size(), 2U);
        EXPECT_EQ(groups.count(1), 1U);
        entered.insert(groups.begin(), groups.end());
    }
    EXPECT_EQ(entered, (std::set<std::uint32_t>{1, 2, 3, 4}));
}

TEST(Valiant, MessagesOfAGroupStayInIt) {
    NetworkUnderTest network(dragonfly(RoutePolicy::kValiant));
    EXPECT_EQ(network.time_of(Instant{}, 1, 2, 1000), 300_ns + 1000_ns);
    EXPECT_TRUE(groups_entered(network).empty());
}

TEST(Valiant, WithTwoGroupsThereIsNoThird) {
    PlatformUnderTest platform = dragonfly(RoutePolicy::kValiant);
    platform.numbers.insert_or_assign("groups", 2);
    NetworkUnderTest network(platform);
    EXPECT_EQ(network.time_of(Instant{}, 0, 7, 1000), network->zero_load_time(0, 7, 1000));
}

TEST(Valiant, AMessageThatOvertakesIsHandedOverAfterItsPredecessor) {
    bool one_was_held_back = false;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        PlatformUnderTest platform = dragonfly(RoutePolicy::kValiant, seed);
        platform.switch_links = {{8'000'000'000, 500_ns}, {8'000'000'000, 100_ns}};
        NetworkUnderTest network(platform);
        for (int message = 0; message < 3; ++message) network.send(Instant{}, 0, 4, 10);
        network.run();
        EXPECT_EQ(network.arrivals(), (std::vector<std::size_t>{0, 1, 2}));
        one_was_held_back |= network.arrived(0) == network.arrived(1);
    }
    EXPECT_TRUE(one_was_held_back);
}

TEST(Ugal, InAnIdleNetworkEveryPathIsMinimal) {
    NetworkUnderTest network(dragonfly(RoutePolicy::kUgal));
    Instant when{};
    for (HostId source = 0; source < network.fabric().hosts; ++source) {
        for (HostId target = 0; target < network.fabric().hosts; ++target) {
            EXPECT_EQ(network.time_of(when, source, target, 1000),
                      network->zero_load_time(source, target, 1000));
            when = network->now() + 1_us;
        }
    }
}

TEST(Ugal, AQueueBeforeTheMinimalPathSendsAMessageAround) {
    // A message of host 0 holds the link that leads from the switch towards group 1 from 100 ns to
    // `length` later; 100 ns before its end, host 1 wants the link too.
    const auto arrival = [](RoutePolicy policy, Duration before_end) {
        NetworkUnderTest network(dragonfly(policy));
        network.send(Instant{}, 0, 4, 10'000);
        const Instant when = Instant{} + 10'100_ns - before_end;
        const Duration time = network.time_of(when, 1, 5, 100);
        return std::pair(time, times_around(network, 1, 5, 100));
    };
    const auto [waits, unused] = arrival(RoutePolicy::kMinimal, 5'000_ns);
    const auto [goes_around, times] = arrival(RoutePolicy::kUgal, 5'000_ns);
    EXPECT_EQ(times.count(goes_around), 1U);
    EXPECT_LT(goes_around, waits);
    // At the end of the queue there is nothing left to avoid.
    EXPECT_EQ(arrival(RoutePolicy::kUgal, 0_ps).first, arrival(RoutePolicy::kMinimal, 0_ps).first);
}

/// The time of every host's sending ten messages to the next group, for which minimal paths have
/// one cable only.
Duration time_of_adversary(const PlatformUnderTest& platform) {
    NetworkUnderTest network(platform);
    const HostId hosts = network.fabric().hosts;
    for (int message = 0; message < 10; ++message) {
        for (HostId host = 0; host < hosts; ++host) {
            network.send(Instant{}, host, (host + kGroupHosts) % hosts, 1000);
        }
    }
    network.run();
    EXPECT_FALSE(network->is_stuck());
    return network->now() - Instant{};
}

TEST(Ugal, SpreadsTrafficThatMinimalPathsWouldPutOnOneCable) {
    for (const std::uint64_t buffer_bytes : {0, 2000}) {
        const auto platform = [&](RoutePolicy policy) {
            PlatformUnderTest described = dragonfly(policy);
            described.numbers = dragonfly_numbers(kGroups, 4, 1, 1);
            described.packet_bytes = 500;
            described.buffering = {.buffer_bytes = buffer_bytes, .channels = 0};
            return described;
        };
        const Duration minimal = time_of_adversary(platform(RoutePolicy::kMinimal));
        // Forty messages of a group cross one cable.
        EXPECT_GE(minimal, 40 * 1000_ns);
        EXPECT_LT(time_of_adversary(platform(RoutePolicy::kValiant)), minimal);
        EXPECT_LT(time_of_adversary(platform(RoutePolicy::kUgal)), minimal);
    }
}

}  // namespace
}  // namespace kumi::network
