#include "mpi/core_share.hpp"

#include <gtest/gtest.h>

namespace kumi::mpi {
namespace {

using namespace literals;

TEST(CoreShare, OneCoreComputesForOneThreadAfterTheOther) {
    constexpr CoreShare share{.cores = 1, .ranks = 1};
    EXPECT_EQ(share.least_time(3_ms, 7_ms), 7_ms);
    EXPECT_EQ(share.capacity(3_ms), 3_ms);
}

TEST(CoreShare, ManyCoresAreDoneWithTheLongest) {
    constexpr CoreShare share{.cores = 8, .ranks = 1};
    EXPECT_EQ(share.least_time(3_ms, 24_ms), 3_ms);
    EXPECT_EQ(share.least_time(3_ms, 32_ms), 4_ms);
}

TEST(CoreShare, RanksOfAHostShareItsCores) {
    constexpr CoreShare share{.cores = 6, .ranks = 4};
    EXPECT_EQ(share.least_time(1_ms, 6_ms), 4_ms);
    EXPECT_EQ(share.capacity(4_ms), 6_ms);
}

}  // namespace
}  // namespace kumi::mpi
