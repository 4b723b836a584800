// Networks in which some hosts have no path to others.

#include <gtest/gtest.h>

#include "network/testing/gap_under_test.hpp"
#include "network/testing/network_under_test.hpp"
#include "network/testing/power_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;

class Unconnected : public ::testing::TestWithParam<bool> {
   protected:
    NetworkUnderTest x_network{
        {.kind = "routes", .numbers = lonely_host().numbers, .finds_paths = GetParam()}};
};

TEST_P(Unconnected, WhoIsConnectedIsNotTouched) {
    const std::size_t there = x_network.send(Instant{}, 0, 1, 1000);
    const std::size_t to_itself = x_network.send(Instant{}, 2, 2, 0);
    x_network.run();
    EXPECT_EQ(x_network.arrived(there) - Instant{}, 100_ns + 1000_ns);
    EXPECT_EQ(x_network.arrived(to_itself) - Instant{}, 200_ns);
    EXPECT_EQ(x_network->minimum_latency(), 100_ns);
}

TEST_P(Unconnected, AMessageWithoutAPathDoesNotEnter) {
    EXPECT_FALSE(x_network->inject(Instant{}, 0, 2, 8, 0, 0, 0));
    EXPECT_FALSE(x_network->inject(Instant{}, 2, 1, 8, 2, 0, 0));
    EXPECT_EQ(x_network->counters().injected_messages, 0U);
    EXPECT_EQ(x_network->messages_in_flight(), 0U);
    EXPECT_EQ(x_network->next_event_time(), kNever);
}

INSTANTIATE_TEST_SUITE_P(WithTableAndFinder, Unconnected, ::testing::Bool());

TEST(UnconnectedHosts, WakeFramesGoNowhere) {
    NetworkUnderTest network(
        {.kind = "routes", .numbers = lonely_host().numbers, .power = papers_links("prewake")});
    ASSERT_TRUE(network->takes_wake_frames());
    network->send_wake_frame(Instant{}, 0, 2, 1_us, 1, 0, 0);
    EXPECT_EQ(network->next_event_time(), kNever);
    EXPECT_EQ(network->wake_lead(0, 2), Duration{});
}

TEST(UnconnectedHosts, WithoutAnyTwoTheLoopbackIsTheShortestWay) {
    auto numbers = lonely_host().numbers;
    numbers.at("path_links") = {2, 2, 2, 2, 2, 2};
    NetworkUnderTest network({.kind = "routes", .numbers = numbers});
    EXPECT_EQ(network->minimum_latency(), 200_ns);
}

}  // namespace
}  // namespace kumi::network
