// Wake frames that go ahead of data that wait for a link.

#include <gtest/gtest.h>

#include "network/testing/power_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;

constexpr Instant kData{100'000'000};
// By then all links sleep.
constexpr Instant kQuiet = kData - 10_us;
// 5 µs on a link: longer than waking one.
constexpr std::uint64_t kLongBytes = 3125;
// Of host 2 at a star: each has a link up, and one down.
constexpr LinkId kDown = 5;
// Until a message has crossed it, from when it left.
constexpr Duration kCrossed = kWay - 100_ns;

PowerDescription prewake(bool queues_wake, bool all_at_once = true) {
    PowerDescription power = papers_links("prewake");
    power.queues_wake = queues_wake;
    power.wakes_all_at_once = all_at_once;
    return power;
}

/// Five switches in a row, with one host each.
PlatformUnderTest row(const PowerDescription& power) {
    PlatformUnderTest platform = papers_platform(power);
    platform.kind = "mesh";
    platform.numbers = {{"sizes", {5, 1}}, {"hosts_per_switch", 1}};
    return platform;
}

/// How much longer than on active links an unannounced message takes.
Duration delay_of_one(const PowerDescription& power) {
    NetworkUnderTest network(row(power));
    const std::size_t number = network.send(kData, 0, 4, kBytes);
    network.run();
    return network.arrived(number) - kData - network->zero_load_time(0, 4, kBytes);
}

/// The same of one that waits in its interface behind a message that has been announced.
Duration delay_of_second(const PowerDescription& power, std::uint64_t first_bytes) {
    NetworkUnderTest network(papers_platform(power));
    network->send_wake_frame(kData - network->wake_lead(0, 1), 0, 1, 1_us, 1, 0, 0);
    network.send(kData, 0, 1, first_bytes);
    const std::size_t number = network.send(kData, 0, 2, kBytes);
    network.run();
    const Duration queued{static_cast<std::int64_t>(first_bytes) * 1600};
    return network.arrived(number) - (kData + queued + kWay);
}

TEST(WakeAhead, DataThatWakeALinkWakeAllThatFollow) {
    EXPECT_EQ(delay_of_one(prewake(false)), 24_us);
    EXPECT_EQ(delay_of_one(prewake(true)), 4_us);
    // A frame that crosses links as a packet is no faster than the data.
    EXPECT_EQ(delay_of_one(prewake(true, false)), 24_us);
}

TEST(WakeAhead, DataThatWaitBehindOthersFindLinksAwake) {
    EXPECT_EQ(delay_of_second(prewake(false), kLongBytes), 4_us);
    EXPECT_EQ(delay_of_second(prewake(true), kLongBytes), 0_us);
    EXPECT_EQ(delay_of_second(prewake(true, false), kLongBytes), 0_us);
    // As early as they come, the frame cannot be more than that ahead.
    EXPECT_EQ(delay_of_second(prewake(true), kBytes), 4_us - kLength);
}

TEST(WakeAhead, LinksWakeNoEarlierThanThatAndStayActiveUntilDataCome) {
    NetworkUnderTest network(papers_platform(prewake(true)));
    const Duration before = spent(network->link_power(kDown, kQuiet), PowerState::kActive);
    network->send_wake_frame(kData - 4_us, 0, 1, 1_us, 1, 0, 0);
    network.send(kData, 0, 1, 2 * kLongBytes);
    network.send(kData, 0, 2, kBytes);
    network.run();
    const LinkPowerSummary down = network->link_power(kDown, kData + 10_us + kCrossed);
    EXPECT_EQ(down.wakes, 1U);
    EXPECT_EQ(down.wake_stall, 0_us);
    EXPECT_EQ(spent(down, PowerState::kWake), 4_us);
    EXPECT_EQ(spent(down, PowerState::kActive), before + kLength);
}

TEST(WakeAhead, ALinkThatIsActiveWaitsForThem) {
    NetworkUnderTest network(papers_platform(prewake(true)));
    const Duration before = spent(network->link_power(kDown, kQuiet), PowerState::kSleep);
    network->send_wake_frame(kData - 4_us, 0, 1, 1_us, 1, 0, 0);
    network->send_wake_frame(kData - 4_us, 3, 2, 1_us, 1, 3, 0);
    network.send(kData, 0, 1, kLongBytes);
    // Has crossed the link down 2.6 µs before the data, which is less than going to sleep takes,
    // and after their frame.
    network.send(kData, 3, 2, kBytes);
    const std::size_t number = network.send(kData, 0, 2, kBytes);
    network.run();
    EXPECT_EQ(network.arrived(number), kData + 5_us + kWay);
    const LinkPowerSummary down = network->link_power(kDown, kData + 5_us + kCrossed);
    EXPECT_EQ(spent(down, PowerState::kSleep), before);
}

TEST(WakeAhead, QueuesDoNotKnowWhatWillCome) {
    NetworkUnderTest network(papers_platform(prewake(true)));
    // Of the link down nothing is known: it keeps the threshold when it has been woken ahead.
    network.send(kData, 0, 2, kBytes);
    const std::size_t next = network.send(kData + 40_us, 1, 2, kBytes);
    network.run();
    EXPECT_EQ(network.arrived(next), kData + 44_us + kWay);
    EXPECT_EQ(network->link_power(kDown, kData + 44_us + kWay).wakes, 1U);
}

TEST(WakeAhead, GoesAheadOfPacketsInEachSwitch) {
    PlatformUnderTest platform = row(prewake(true));
    platform.packet_bytes = 500;
    NetworkUnderTest network(platform);
    const std::size_t number = network.send(kData, 0, 4, kBytes);
    network.run();
    EXPECT_EQ(network.arrived(number), kData + 4_us + network->zero_load_time(0, 4, kBytes));
}

}  // namespace
}  // namespace kumi::network
