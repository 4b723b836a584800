#include "engine/ring_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>

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

}  // namespace
}  // namespace kumi::engine
