#include "matching/account.hpp"

#include <gtest/gtest.h>

namespace kumi::matching {
namespace {

TEST(QueueAccount, CountsByPowersOfTwo) {
    QueueAccount account;
    for (const std::uint64_t depth : {0, 1, 2, 3, 4, 7, 8})
        account.note(depth, {.found = depth > 2, .searched = depth}, Duration{10});
    EXPECT_EQ(account.searches, 7U);
    EXPECT_EQ(account.found, 4U);
    EXPECT_EQ(account.searched, 25U);
    EXPECT_EQ(account.deepest, 8U);
    EXPECT_EQ(account.spent, Duration{70});
    const std::uint64_t expected[] = {1, 1, 2, 2, 1, 0};
    for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(account.depths[i], expected[i]);
}

TEST(QueueAccount, TheLastBinHasAllBeyond) {
    QueueAccount account;
    for (const std::uint64_t depth : {1ULL << 21, (1ULL << 22) - 1, 1ULL << 22, 1ULL << 40})
        account.note(depth, {}, {});
    EXPECT_EQ(account.depths[22], 2U);
    EXPECT_EQ(account.depths[QueueAccount::kDepths - 1], 2U);
}

}  // namespace
}  // namespace kumi::matching
