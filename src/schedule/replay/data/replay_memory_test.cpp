#include "schedule/replay/data/replay_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace kumi::schedule {
namespace {

/// Lets this process have so much more address space, makes memory, and ends with 0.
[[noreturn]] void reserve_within(std::size_t more_bytes) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const rlim_t limit = pages * page_bytes + more_bytes;
    const rlimit limits = {limit, limit};
    if (::setrlimit(RLIMIT_AS, &limits) != 0) std::_Exit(2);
    try {
        ReplayMemory memory;
        constexpr std::size_t kBlockBytes = 1 << 20;
        static_cast<char*>(memory.arena().allocate(kBlockBytes))[kBlockBytes - 1] = 1;
        std::_Exit(0);
    } catch (const std::system_error& error) {
        std::_Exit(error.code() == std::errc::not_enough_memory ? 1 : 3);
    }
}

TEST(ReplayMemory, TakesAPartOfALimitedAddressSpace) {
    EXPECT_EXIT(reserve_within(std::size_t{2} << 30), testing::ExitedWithCode(0), "");
}

TEST(ReplayMemory, SaysThatThereIsNone) {
    EXPECT_EXIT(reserve_within(std::size_t{64} << 20), testing::ExitedWithCode(1), "");
}

}  // namespace
}  // namespace kumi::schedule
