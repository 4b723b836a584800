#include "calibration/host_speed.hpp"

#include <gtest/gtest.h>

namespace kumi::calibration {
namespace {

TEST(HostSpeed, IsThatOfAComputerOfOurTime) {
    const std::int64_t flops = measure_host_speed(1);
    EXPECT_GT(flops, 10'000'000);
    EXPECT_LT(flops, 1'000'000'000'000);
}

}  // namespace
}  // namespace kumi::calibration
