#include "network/routing/pair_order.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

#include "base/testing/arena_for_tests.hpp"

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

}  // namespace
}  // namespace kumi::network
