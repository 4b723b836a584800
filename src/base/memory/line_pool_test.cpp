#include "base/memory/line_pool.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "base/testing/arena_for_tests.hpp"
#include "base/testing/pool_model.hpp"

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
    expect_set_of_numbers(
        pool, [](const Object& one) { return one.first == 1 && one.last[22] == 0; },
        [](Object& one, std::uint64_t value) { one.first = one.last[22] = value; },
        [](const Object& one, std::uint64_t value) {
            return one.first == value && one.last[22] == value;
        });
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
