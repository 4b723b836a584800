#include "base/memory/line_pool.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/testing/arena_for_tests.hpp"

namespace kumi::inline base {
namespace {

struct alignas(64) Object {
    std::uint64_t first = 1;
    std::uint64_t last[23] = {};
};
static_assert(sizeof(Object) == 192);

constexpr std::size_t kArenaBytes = std::size_t{1} << 24;

RC_GTEST_PROP(LinePool, BehavesLikeASetOfNumbers, ()) {
    ArenaForTests arena(kArenaBytes);
    LinePool<Object> pool(&*arena);
    std::map<std::uint32_t, std::uint64_t> live;
    const auto steps = *rc::gen::container<std::vector<std::pair<bool, std::uint64_t>>>(
        rc::gen::arbitrary<std::pair<bool, std::uint64_t>>());
    for (const auto& [is_release, value] : steps) {
        if (is_release && !live.empty()) {
            auto victim = live.begin();
            std::advance(victim, value % live.size());
            pool.release(victim->first);
            live.erase(victim);
        } else {
            const std::uint32_t number = pool.acquire();
            RC_ASSERT(pool.at(number).first == 1U);
            RC_ASSERT(pool.at(number).last[22] == 0U);
            RC_ASSERT(live.emplace(number, value).second);
            pool.at(number).first = pool.at(number).last[22] = value;
        }
        RC_ASSERT(pool.live() == live.size());
        for (const auto& [number, value] : live) {
            RC_ASSERT(pool.at(number).first == value);
            RC_ASSERT(pool.at(number).last[22] == value);
        }
    }
}

TEST(LinePool, GrowsOverManyChunksAndUsesTheLastReleasedFirst) {
    ArenaForTests arena(kArenaBytes);
    LinePool<Object> pool(&*arena);
    std::vector<std::uint32_t> numbers;
    // Between chunks lies other memory.
    for (std::uint64_t i = 0; i < 5000; ++i) {
        numbers.push_back(pool.acquire());
        pool.at(numbers.back()).first = i;
        if (i % 7 == 0) arena->allocate(100);
    }
    for (std::uint64_t i = 0; i < 5000; ++i) EXPECT_EQ(pool.at(numbers[i]).first, i);
    std::set<std::uint32_t> seen;
    pool.for_each([&](std::uint32_t number) { EXPECT_TRUE(seen.insert(number).second); });
    EXPECT_EQ(seen.size(), pool.capacity());
    for (const std::uint32_t number : numbers) EXPECT_TRUE(seen.contains(number));
    pool.release(numbers[7]);
    pool.release(numbers[4242]);
    EXPECT_EQ(pool.acquire_raw(), numbers[4242]);
    EXPECT_EQ(pool.at(pool.acquire_raw()).first, 7U) << "made anew";
}

TEST(LinePool, KnowsWhatMayBeRead) {
    ArenaForTests arena(kArenaBytes);
    LinePool<Object> pool(&*arena);
    const std::uint32_t number = pool.acquire();
    EXPECT_TRUE(pool.may_be(number));
    EXPECT_FALSE(pool.may_be(number + kArenaBytes / 64));
    EXPECT_FALSE(pool.may_be(UINT32_MAX));
    EXPECT_FALSE(pool.may_be(static_cast<std::uint32_t>(arena->used_bytes() / 64)));
}

}  // namespace
}  // namespace kumi::inline base
