#include "base/memory/memory_budget.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace kumi::inline base {
namespace {

TEST(MemoryBudget, SizesHaveUnitsOrNone) {
    EXPECT_EQ(parse_memory_size("4096"), 4096U);
    EXPECT_EQ(parse_memory_size("3KiB"), 3072U);
    EXPECT_EQ(parse_memory_size("512 MiB"), std::uint64_t{512} << 20);
    EXPECT_EQ(parse_memory_size("2 GiB"), std::uint64_t{2} << 30);
}

TEST(MemoryBudget, OtherTextIsRefused) {
    for (const char* text : {"", "MiB", "-1", "1 MB", "1.5 GiB", "99999999999999 GiB", "1 GiB "}) {
        EXPECT_THROW(parse_memory_size(text), std::invalid_argument) << text;
    }
}

TEST(MemoryBudget, TheEnvironmentComesFirst) {
    ::setenv("KUMI_MEMORY", "7 MiB", 1);
    EXPECT_EQ(memory_budget_bytes(), std::uint64_t{7} << 20);
    ::setenv("KUMI_MEMORY", "much", 1);
    EXPECT_THROW(memory_budget_bytes(), std::invalid_argument);
    ::unsetenv("KUMI_MEMORY");
}

TEST(MemoryBudget, IsAtMostWhatTheComputerHas) {
    const auto physical = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                          static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    EXPECT_LE(memory_budget_bytes(), physical);
    EXPECT_GT(memory_budget_bytes(), 0U);
}

}  // namespace
}  // namespace kumi::inline base
