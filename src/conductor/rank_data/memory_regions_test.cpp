#include "conductor/rank_data/memory_regions.hpp"

#include <gtest/gtest.h>

#include "base/testing/arena_for_tests.hpp"

namespace kumi::conductor {
namespace {

class MemoryRegionsTest : public testing::Test {
   protected:
    ArenaForTests arena{std::size_t{1} << 16};
    MemoryRegions regions;
};

TEST_F(MemoryRegionsTest, ResolvesOnlyWhatLiesInTheRegion) {
    regions.expose(*arena, 5, 1000, 100);
    EXPECT_EQ(regions.resolve(5, 0, 100), 1000U);
    EXPECT_EQ(regions.resolve(5, 99, 1), 1099U);
    EXPECT_EQ(regions.resolve(5, 100, 0), 1100U);
    EXPECT_EQ(regions.resolve(5, 99, 2), std::nullopt);
    EXPECT_EQ(regions.resolve(5, 101, 0), std::nullopt);
    EXPECT_EQ(regions.resolve(5, 1, ~std::uint64_t{0}), std::nullopt);
    EXPECT_EQ(regions.resolve(6, 0, 1), std::nullopt);
}

TEST_F(MemoryRegionsTest, KeepsOthersWhenOneIsWithdrawn) {
    for (std::uint64_t key = 0; key < 100; ++key) regions.expose(*arena, key, key * 1000, 10);
    for (std::uint64_t key = 0; key < 100; key += 2) regions.withdraw(key);
    for (std::uint64_t key = 0; key < 100; ++key)
        EXPECT_EQ(regions.resolve(key, 1, 1).has_value(), key % 2 == 1) << key;
}

TEST_F(MemoryRegionsTest, TheLatestRangeOfAKeyCounts) {
    regions.expose(*arena, 5, 1000, 100);
    regions.expose(*arena, 5, 2000, 10);
    EXPECT_EQ(regions.resolve(5, 0, 10), 2000U);
    EXPECT_EQ(regions.resolve(5, 0, 11), std::nullopt);
    regions.withdraw(5);
    EXPECT_EQ(regions.resolve(5, 0, 1), std::nullopt);
}

}  // namespace
}  // namespace kumi::conductor
