#include "calibration/calibration.hpp"

#include <gtest/gtest.h>

#include <map>

namespace kumi::calibration {
namespace {

TEST(HostSpeed, IsThatOfAComputerOfOurTime) {
    const std::int64_t flops = measure_host_speed(1);
    EXPECT_GT(flops, 10'000'000);
    EXPECT_LT(flops, 1'000'000'000'000);
}

TEST(OperationCosts, AreThoseOfAProcessor) {
    std::map<std::string, std::vector<std::int64_t>> costs;
    for (const ModelLine& line : measure_operation_costs(3)) costs[line.key] = line.values;
    ASSERT_EQ(costs["integer"].size(), 2U);
    EXPECT_EQ(costs["integer"][0], 1000) << "a cycle is the latency of an addition";
    for (const auto& [key, values] : costs) {
        for (const std::int64_t value : values) {
            EXPECT_GT(value, 0) << key;
            EXPECT_LT(value, 10'000'000) << key;
        }
    }
    // True of every processor of the last decades, by far more than measurements err.
    EXPECT_GT(costs["float_divide"][0], costs["integer"][0]);
    EXPECT_GT(costs["float_root"][0], costs["integer"][0]);
    EXPECT_GT(costs["atomic"][1], costs["integer"][1]);
}

}  // namespace
}  // namespace kumi::calibration
