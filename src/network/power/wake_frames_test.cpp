// Wake frames ahead of messages, and ahead of data that wait for a link.

#include <gtest/gtest.h>

#include "network/testing/power_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;

constexpr Instant kData{100'000'000};

PowerDescription prewake(bool all_at_once, bool queues_wake = false) {
    PowerDescription power = papers_links("prewake");
    power.wakes_all_at_once = all_at_once;
    power.queues_wake = queues_wake;
    return power;
}

/// Five switches in a row, with one host each.
PlatformUnderTest row(const PowerDescription& power) {
    PlatformUnderTest platform = papers_platform(power);
    platform.kind = "mesh";
    platform.numbers = {{"sizes", {5, 1}}, {"hosts_per_switch", 1}};
    return platform;
}

/// Sends a wake frame `lead` before a message; returns how much later than on active links that
/// arrives.
Duration delay(NetworkUnderTest& network, Duration lead, Duration hold) {
    network->send_wake_frame(kData - lead, 0, 1, hold, 1, 0, 0);
    return network.time_of(kData, 0, 1, kBytes) - kWay;
}

Duration delay(bool all_at_once, Duration lead, Duration hold) {
    NetworkUnderTest network(papers_platform(prewake(all_at_once)));
    return delay(network, lead, hold);
}

TEST(WakeFrames, WakeAllLinksOfAPathAtOnce) {
    NetworkUnderTest network(papers_platform(prewake(true)));
    EXPECT_EQ(network->wake_lead(0, 1), 4_us);
    EXPECT_EQ(network->wake_lead(0, 0), 0_us);
    EXPECT_EQ(delay(network, 4_us, 0_us), 0_us);
    EXPECT_EQ(network->link_statistics(0).packets, 1U);
    EXPECT_EQ(network->link_power(0, kData + kWay).wake_stall, 0_us);
    EXPECT_EQ(delay(true, 4_us - 1_ps, 0_us), 1_ps);
    EXPECT_EQ(delay(true, 1_us, 0_us), 3_us);
    EXPECT_EQ(delay(true, 0_us, 0_us), 4_us);
}

TEST(WakeFrames, WakeOneLinkAfterTheOther) {
    constexpr Duration kFrame = 102'400_ps;  // 64 bytes, which the data must not meet.
    NetworkUnderTest network(papers_platform(prewake(false)));
    EXPECT_EQ(network->wake_lead(0, 1), 8_us + kFrame);
    EXPECT_EQ(delay(network, 8_us + kFrame, 0_us), 0_us);
    EXPECT_EQ(network->link_statistics(0).packets, 2U);
    EXPECT_EQ(network->link_statistics(0).bytes, kBytes + 64);
    EXPECT_EQ(network->link_power(0, kData + kWay).wake_stall, 0_us);
    EXPECT_EQ(network->link_power(0, kData + kWay).frame_wait, 4_us);
    EXPECT_EQ(network->power()->wake_frames(), 1U);
    EXPECT_EQ(delay(false, 8_us + kFrame - 1_ps, 0_us), 1_ps);
    EXPECT_EQ(delay(false, 6_us, 0_us), 2_us + kFrame);
}

/// How long a link sleeps that wake frames wake for two messages, so far apart, in its first mode.
Duration asleep(const PowerDescription& power, Duration apart) {
    NetworkUnderTest network(papers_platform(power));
    const Duration lead = network->wake_lead(0, 1);
    const Instant second = kData + kLength + apart;
    network->send_wake_frame(kData - lead, 0, 1, 1_us, 1, 0, 0);
    network->send_wake_frame(second - lead, 0, 1, 1_us, 1, 0, 1);
    network.send(kData, 0, 1, kBytes);
    network.send(second, 0, 1, kBytes);
    network.run();
    return spent(network->link_power(0, second + kWay), PowerState::kLowPower);
}

TEST(WakeFrames, LeaveNoTimeToSleepBetweenMessagesThatAreTooNear) {
    // A deeper mode, from which it takes longer to wake, makes leads longer than is needed here.
    PowerDescription power = prewake(true);
    power.mode_count = 2;
    power.modes[1] = power.modes[0];
    power.modes[1].wake_time = power.modes[1].early_wake_time = 9_us;
    power.linger = 1_us;
    const Duration shortest = 1_us + 3_us + 9_us;
    NetworkUnderTest network(papers_platform(power));
    EXPECT_EQ(network->power()->shortest_announced_idle(), shortest);
    EXPECT_EQ(asleep(power, shortest), asleep(power, 2_us));
    EXPECT_EQ(asleep(power, shortest + 1_us), asleep(power, 2_us) + 1_us);
}

TEST(WakeFrames, AreInVainIfTheyComeTooEarly) {
    // The links go to sleep when the time is up, for 3 µs in which data still leave at once.
    EXPECT_EQ(delay(true, 4_us + 3_us - 1_ps, 0_us), 0_us);
    EXPECT_EQ(delay(true, 4_us + 3_us, 0_us), 8_us);
    EXPECT_EQ(delay(true, 4_us + 5_us + 3_us - 1_ps, 5_us), 0_us);
    EXPECT_EQ(delay(true, 4_us + 5_us + 3_us, 5_us), 8_us);
}

TEST(WakeFrames, HoldLinksUntilTheMessageHasCome) {
    NetworkUnderTest network(papers_platform(prewake(true)));
    EXPECT_EQ(delay(network, 10_us, 50_us), 0_us);
    const LinkPowerSummary up = network->link_power(0, kData + 100_us);
    // Before the frame, it sleeps when it has been idle for as long as that and waking take.
    EXPECT_EQ(spent(up, PowerState::kActive), 7_us + 6_us + kLength);
    EXPECT_EQ(spent(up, PowerState::kLowPower), (83_us - 3_us) + (100_us - kLength - 3_us));
}

TEST(WakeFrames, LinksOfWhichNobodyKnowsKeepTheThreshold) {
    NetworkUnderTest network(papers_platform(prewake(true)));
    const auto arrives_late = [&](Duration after, Duration late) {
        return network.time_of(kData + after, 0, 1, kBytes) == late + kWay;
    };
    EXPECT_TRUE(arrives_late(0_us, 8_us)) << "data wake the links";
    EXPECT_TRUE(arrives_late(50_us, 0_us)) << "which stay active";
    network->send_wake_frame(kData + 80_us, 0, 1, 20_us, 1, 0, 0);
    EXPECT_TRUE(arrives_late(90_us, 0_us));
    EXPECT_TRUE(arrives_late(96_us, 8_us)) << "messages are announced again";
    EXPECT_TRUE(arrives_late(140_us, 0_us));
}

TEST(WakeFrames, HoldLinksForAsManyMessagesAsTheyAnnounce) {
    NetworkUnderTest network(papers_platform(prewake(true)));
    network->send_wake_frame(kData - 4_us, 0, 1, 60_us, 2, 0, 0);
    for (const Duration after : {0_us, 30_us, 60_us}) network.send(kData + after, 0, 1, kBytes);
    network.run();
    EXPECT_EQ(network.arrival_times(),
              (Instants{kData + kWay, kData + 30_us + kWay, kData + 60_us + 8_us + kWay}));
}

TEST(WakeFrames, ForgetWhatTheyAnnouncedWhenTheirTimeIsUp) {
    NetworkUnderTest network(papers_platform(prewake(true)));
    network->send_wake_frame(kData - 50_us, 0, 1, 10_us, 1, 0, 0);
    network->send_wake_frame(kData - 4_us, 0, 1, 10_us, 1, 0, 1);
    for (const Duration after : {0_us, 8_us}) network.send(kData + after, 0, 1, kBytes);
    network.run();
    EXPECT_EQ(network.arrival_times(), (Instants{kData + kWay, kData + 8_us + 8_us + kWay}));
}

TEST(WakeFrames, LeadTheWayThroughManySwitches) {
    for (const bool all_at_once : {true, false}) {
        PlatformUnderTest platform = row(prewake(all_at_once));
        platform.switch_latency = 50_ns;
        NetworkUnderTest network(platform);
        EXPECT_EQ(network->wake_lead(0, 4), all_at_once ? 4_us : 24_us + 102'400_ps);
        network->send_wake_frame(kData - network->wake_lead(0, 4), 0, 4, 30_us, 1, 0, 0);
        EXPECT_EQ(network.time_of(kData, 0, 4, kBytes), network->zero_load_time(0, 4, kBytes));
    }
}

TEST(WakeFrames, FindLinksThatLingerActive) {
    PowerDescription power = prewake(true);
    power.data_in_sleep = DataInSleep::kWakeAgain;
    power.linger = 1_us;
    NetworkUnderTest network(papers_platform(power));
    network->send_wake_frame(kData - 4_us, 0, 1, 0_us, 1, 0, 0);
    const Instant next = kData + kLength + 1_us;
    for (const Instant when : {kData, next}) network.send(when, 0, 1, kBytes);
    network.run();
    EXPECT_EQ(network.arrival_times(), (Instants{kData + kWay, next + kWay}));
    EXPECT_EQ(network->link_power(0, next + 10_us).wakes, 1U);
}

TEST(WakeFrames, LinksThatHaveCarriedNothingDoNotWaitForTheThreshold) {
    for (const Duration first : {7_us, 9_us, 10_us}) {
        NetworkUnderTest network(papers_platform(prewake(true)));
        const Duration woken = first < 10_us ? 0_us : 8_us;
        EXPECT_EQ(network.time_of(Instant{} + first, 0, 1, kBytes), kWay + woken);
    }
}

TEST(WakeFrames, AreNotSentWhenTheProgramsAreOver) {
    for (const bool all_at_once : {true, false}) {
        NetworkUnderTest network(papers_platform(prewake(all_at_once)));
        network->send_wake_frame(kData, 0, 1, 0_us, 1, 0, 0);
        network->send_wake_frame(kData + 1_ps, 2, 3, 0_us, 1, 2, 0);
        network->end_wake_frames(kData);
        network.run();
        const Instant end = kData + 100_us;
        EXPECT_EQ(network->link_power(0, end).wakes, 1U);
        EXPECT_EQ(network->link_power(2, end).wakes, 0U);
    }
}

TEST(WakeFrames, AreTakenByThatPolicyOnly) {
    for (const char* policy : {"always_on", "on_off", "threshold", "perfbound", "ideal"}) {
        NetworkUnderTest network(papers_platform(papers_links(policy)));
        EXPECT_FALSE(network->takes_wake_frames()) << policy;
    }
    EXPECT_TRUE(NetworkUnderTest(papers_platform(prewake(true)))->takes_wake_frames());
}

// By then all links sleep.
constexpr Instant kQuiet = kData - 10_us;
// 5 µs on a link: longer than waking one.
constexpr std::uint64_t kLongBytes = 3125;
// Of host 2 at a star: each has a link up, and one down.
constexpr LinkId kDown = 5;
// Until a message has crossed it, from when it left.
constexpr Duration kCrossed = kWay - 100_ns;

/// How much longer than on active links an unannounced message takes.
Duration delay_of_one(const PowerDescription& power) {
    NetworkUnderTest network(row(power));
    return network.time_of(kData, 0, 4, kBytes) - network->zero_load_time(0, 4, kBytes);
}

/// The same of one that waits in its interface behind a message that has been announced.
Duration delay_of_second(const PowerDescription& power, std::uint64_t first_bytes) {
    NetworkUnderTest network(papers_platform(power));
    network->send_wake_frame(kData - network->wake_lead(0, 1), 0, 1, 1_us, 1, 0, 0);
    network.send(kData, 0, 1, first_bytes);
    const Duration queued{static_cast<std::int64_t>(first_bytes) * 1600};
    return network.time_of(kData, 0, 2, kBytes) - (queued + kWay);
}

TEST(WakeAhead, DataThatWakeALinkWakeAllThatFollow) {
    EXPECT_EQ(delay_of_one(prewake(true)), 24_us);
    EXPECT_EQ(delay_of_one(prewake(true, true)), 4_us);
    // A frame that crosses links as a packet is no faster than the data.
    EXPECT_EQ(delay_of_one(prewake(false, true)), 24_us);
}

TEST(WakeAhead, DataThatWaitBehindOthersFindLinksAwake) {
    EXPECT_EQ(delay_of_second(prewake(true), kLongBytes), 4_us);
    EXPECT_EQ(delay_of_second(prewake(true, true), kLongBytes), 0_us);
    EXPECT_EQ(delay_of_second(prewake(false, true), kLongBytes), 0_us);
    // As early as they come, the frame cannot be more than that ahead.
    EXPECT_EQ(delay_of_second(prewake(true, true), kBytes), 4_us - kLength);
}

TEST(WakeAhead, LinksWakeNoEarlierThanThatAndStayActiveUntilDataCome) {
    NetworkUnderTest network(papers_platform(prewake(true, true)));
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
    NetworkUnderTest network(papers_platform(prewake(true, true)));
    const Duration before = spent(network->link_power(kDown, kQuiet), PowerState::kSleep);
    network->send_wake_frame(kData - 4_us, 0, 1, 1_us, 1, 0, 0);
    network->send_wake_frame(kData - 4_us, 3, 2, 1_us, 1, 3, 0);
    network.send(kData, 0, 1, kLongBytes);
    // Has crossed the link down 2.6 µs before the data, which is less than going to sleep takes,
    // and after their frame.
    network.send(kData, 3, 2, kBytes);
    EXPECT_EQ(network.time_of(kData, 0, 2, kBytes), 5_us + kWay);
    const LinkPowerSummary down = network->link_power(kDown, kData + 5_us + kCrossed);
    EXPECT_EQ(spent(down, PowerState::kSleep), before);
}

TEST(WakeAhead, QueuesDoNotKnowWhatWillCome) {
    NetworkUnderTest network(papers_platform(prewake(true, true)));
    // Of the link down nothing is known: it keeps the threshold when it has been woken ahead.
    network.send(kData, 0, 2, kBytes);
    EXPECT_EQ(network.time_of(kData + 40_us, 1, 2, kBytes), 4_us + kWay);
    EXPECT_EQ(network->link_power(kDown, kData + 44_us + kWay).wakes, 1U);
}

TEST(WakeAhead, GoesAheadOfPacketsInEachSwitch) {
    PlatformUnderTest platform = row(prewake(true, true));
    platform.packet_bytes = 500;
    NetworkUnderTest network(platform);
    EXPECT_EQ(network.time_of(kData, 0, 4, kBytes), 4_us + network->zero_load_time(0, 4, kBytes));
}

}  // namespace
}  // namespace kumi::network
