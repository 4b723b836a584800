#include "engine/queues.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <vector>

#include "base/testing/arena_for_tests.hpp"

namespace kumi::engine {
namespace {

TEST(RingQueue, TakesNoMemoryUntilItIsUsed) {
    ArenaForTests arena;
    const std::size_t used = arena->used_bytes();
    RingQueue<int> queue;
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(arena->used_bytes(), used);
}

TEST(RingQueue, GivesItsOldMemoryBackWhenItGrows) {
    ArenaForTests arena;
    RingQueue<std::uint64_t> queue;
    for (std::uint64_t i = 0; i < 1024; ++i) queue.push(*arena, i);
    const std::size_t used = arena->used_bytes();
    RingQueue<std::uint64_t> other;
    for (std::uint64_t i = 0; i < 512; ++i) other.push(*arena, i);
    EXPECT_EQ(arena->used_bytes(), used);
}

RC_GTEST_PROP(RingQueue, BehavesLikeADeque, ()) {
    ArenaForTests arena;
    RingQueue<std::uint32_t> queue;
    std::deque<std::uint32_t> expected;
    const auto steps = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint32_t>>>(
        rc::gen::pair(rc::gen::inRange<std::uint8_t>(0, 5), rc::gen::arbitrary<std::uint32_t>()));
    for (const auto& [step, number] : steps) {
        if (step < 3) {
            queue.push(*arena, number);
            expected.push_back(number);
        } else if (!expected.empty()) {
            queue.pop();
            expected.pop_front();
        }
        RC_ASSERT(queue.size() == expected.size());
        RC_ASSERT(queue.empty() == expected.empty());
        if (expected.empty()) continue;
        RC_ASSERT(queue.front() == expected.front());
        RC_ASSERT(queue.back() == expected.back());
    }
}

struct Entry {
    std::uint32_t number = 0;
    std::uint32_t next = 0;
};

TEST(ListQueue, UsesTheRoomOfWhatWasTakenOut) {
    ArenaForTests arena;
    Pool<Entry> pool(&*arena);
    ListQueue<Entry> queue;
    for (std::uint32_t i = 0; i < 1000; ++i) queue.push(pool, {i});
    const std::size_t used = arena->used_bytes();
    for (std::uint32_t i = 0; i < 100'000; ++i) {
        ASSERT_EQ(queue.take(pool).number, i);
        queue.push(pool, {i + 1000});
    }
    EXPECT_EQ(arena->used_bytes(), used);
    EXPECT_EQ(pool.live(), 1000U);
}

RC_GTEST_PROP(ListQueue, QueuesOfOnePoolBehaveLikeDeques, ()) {
    ArenaForTests arena;
    Pool<Entry> pool(&*arena);
    constexpr std::size_t kQueues = 3;
    std::vector<ListQueue<Entry>> queues(kQueues);
    std::vector<std::deque<std::uint32_t>> expected(kQueues);
    const auto steps = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint32_t>>>(
        rc::gen::pair(rc::gen::inRange<std::uint8_t>(0, 5), rc::gen::arbitrary<std::uint32_t>()));
    for (const auto& [step, number] : steps) {
        const std::size_t which = number % kQueues;
        if (step < 3) {
            queues[which].push(pool, {number});
            expected[which].push_back(number);
        } else if (!expected[which].empty()) {
            RC_ASSERT(queues[which].take(pool).number == expected[which].front());
            expected[which].pop_front();
        }
        RC_ASSERT(queues[which].empty() == expected[which].empty());
        if (!expected[which].empty()) {
            RC_ASSERT(queues[which].back(pool).number == expected[which].back());
        }
    }
}

}  // namespace
}  // namespace kumi::engine
