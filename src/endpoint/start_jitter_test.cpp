#include "endpoint/start_jitter.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kumi::endpoint {
namespace {

using namespace literals;

TEST(StartJitter, ErrorsReachBothEndsOfTheRange) {
    const StartJitter jitter({3}, 7);
    std::set<std::int64_t> found;
    for (std::uint32_t rank = 0; rank < 100; ++rank) found.insert(jitter.error(rank, 0).ps);
    EXPECT_EQ(found, (std::set<std::int64_t>{0, 1, 2, 3}));
}

TEST(StartJitter, ErrorsAreNamedBySeedRankAndStart) {
    const StartJitter jitter(1_ms, 7), again(1_ms, 7), other(1_ms, 8);
    std::set<std::int64_t> found;
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
        for (std::uint64_t start = 0; start < 8; ++start) {
            const Duration error = jitter.error(rank, start);
            EXPECT_EQ(error, again.error(rank, start));
            EXPECT_NE(error, other.error(rank, start));
            found.insert(error.ps);
        }
    }
    EXPECT_EQ(found.size(), 64u);
}

TEST(StartJitter, WithoutJitterThereIsNoError) {
    EXPECT_EQ(StartJitter().error(5, 3), 0_ns);
    EXPECT_EQ(StartJitter(0_ns, 9).error(5, 3), 0_ns);
}

}  // namespace
}  // namespace kumi::endpoint
