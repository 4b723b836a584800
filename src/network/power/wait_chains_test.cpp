#include "network/power/wait_chains.hpp"

#include <gtest/gtest.h>

#include "network/testing/power_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;

/// Four hosts at a switch: links 2 n and 2 n + 1 are host n's, up and down.
class WaitChainsTest : public testing::Test {
   protected:
    static constexpr LinkId up(HostId host) { return 2 * host; }
    static constexpr LinkId down(HostId host) { return 2 * host + 1; }

    /// A message of one packet, which waits for both of its links, without coming to its end.
    void send(HostId source, HostId target, Duration wait_up, Duration wait_down) {
        x_chains.follow(up(source), WaitChains::kFromHost, wait_up);
        x_chains.follow(down(target), up(source), wait_down);
    }

    NetworkUnderTest x_network{papers_platform({})};
    LinkHistory x_links[8];
    WaitChains x_chains{x_network.arena(), x_network.fabric(), x_links};
};

TEST_F(WaitChainsTest, AddUpAlongAPath) {
    send(0, 1, 3_us, 4_us);
    EXPECT_EQ(x_chains.at(up(0)), 3_us);
    EXPECT_EQ(x_chains.at(down(1)), 7_us);
}

TEST_F(WaitChainsTest, GoOnWithTheHostThatAMessageHasReached) {
    send(0, 1, 3_us, 4_us);
    send(1, 2, 1_us, 0_us);
    EXPECT_EQ(x_chains.at(up(1)), 1_us) << "before the message has arrived";
    x_chains.arrive(up(0), down(1));
    send(1, 2, 1_us, 0_us);
    EXPECT_EQ(x_chains.at(up(1)), 8_us);
    EXPECT_EQ(x_chains.at(down(2)), 8_us);
}

TEST_F(WaitChainsTest, GoOnWithTheHostWhoseMessageIsDelivered) {
    send(0, 1, 0_us, 4_us);
    x_chains.arrive(up(0), down(1));
    send(0, 2, 1_us, 0_us);
    EXPECT_EQ(x_chains.at(down(2)), 5_us);
    send(3, 2, 2_us, 0_us);
    EXPECT_EQ(x_chains.at(up(3)), 2_us) << "which no message has reached";
}

TEST_F(WaitChainsTest, AreAsLongAsTheLongestOfThoseThatMeet) {
    send(0, 2, 4_us, 0_us);
    send(1, 2, 3_us, 0_us);
    EXPECT_EQ(x_chains.at(down(2)), 4_us) << "at a link: waits at the same time cost it once";
    send(1, 3, 6_us, 0_us);
    x_chains.arrive(up(1), down(3));
    x_chains.arrive(up(0), down(2));
    send(0, 1, 0_us, 0_us);
    EXPECT_EQ(x_chains.at(down(1)), 4_us);
    send(1, 0, 0_us, 0_us);
    EXPECT_EQ(x_chains.at(down(0)), 6_us);
}

}  // namespace
}  // namespace kumi::network
