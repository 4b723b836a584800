// Every transition to the picosecond, on the pre-wake paper's links.

#include <gtest/gtest.h>

#include <tuple>

#include "network/testing/power_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;

constexpr LinkId kUp = 0;    ///< Of host 0.
constexpr LinkId kDown = 3;  ///< Of host 1.

Instant at_us(std::int64_t us) { return Instant{us * 1'000'000}; }

/// When messages from host 0 to host 1, sent at these times, arrived.
struct Sent {
    Sent(const PowerDescription& power, std::initializer_list<Instant> times)
        : network(papers_platform(power)) {
        for (const Instant when : times) network.send(when, 0, 1, kBytes);
        network.run();
        arrived = network.arrival_times();
    }
    LinkPowerSummary summary(LinkId link, Instant end) { return network->link_power(link, end); }

    NetworkUnderTest network;
    std::vector<Instant> arrived;
};

TEST(LinkPower, AlwaysOnIsTheNetworkWithoutPower) {
    Sent sent(papers_links("always_on"), {at_us(100), at_us(200)});
    EXPECT_EQ(sent.arrived[0], at_us(100) + kWay);
    const LinkPowerSummary up = sent.summary(kUp, at_us(300));
    EXPECT_EQ(spent(up, PowerState::kActive), 300_us);
    EXPECT_EQ(up.energy, 300'000'000ULL * 12'000'000);
    EXPECT_EQ(up.wakes, 0U);
}

TEST(LinkPower, WakesOfAPathAreSerial) {
    Sent sent(papers_links("on_off"), {at_us(100), at_us(200)});
    const Duration way = 4_us + 4_us + kWay;
    EXPECT_EQ(sent.arrived, (Instants{at_us(100) + way, at_us(200) + way}));
    const Instant end = at_us(300);
    const LinkPowerSummary up = sent.summary(kUp, end);
    EXPECT_EQ(up.wakes, 2U);
    EXPECT_EQ(up.wake_stall, 8_us);
    EXPECT_EQ(spent(up, PowerState::kActive), 2 * kLength);
    EXPECT_EQ(spent(up, PowerState::kWake), 8_us);
    EXPECT_EQ(spent(up, PowerState::kSleep), 9_us);
    EXPECT_EQ(spent(up, PowerState::kLowPower), 300_us - 2 * kLength - 17_us);
    EXPECT_EQ(up.times.total(), end - Instant{});
    // The other hosts' links slept all the time.
    EXPECT_EQ(spent(sent.summary(5, end), PowerState::kLowPower), 297_us);
}

/// Three messages at once, to a link that sleeps: the first waits for the link, the others for
/// those before them.
void expect_waits_apart(const PlatformUnderTest& platform) {
    NetworkUnderTest network(platform);
    for (int i = 0; i < 3; ++i) network.send(at_us(100), 0, 1, kBytes);
    network.run();
    EXPECT_EQ(network->link_power(kUp, network->now()).wake_stall, 4_us);
    const LinkStatistics& up = network->link_statistics(kUp);
    EXPECT_EQ(up.queue_wait, 2 * 4_us + 3 * kLength);
    EXPECT_EQ(up.longest_wait, 4_us + 2 * kLength);
    EXPECT_EQ(network->credit_wait(kUp), 0_ps);
    // At the switch's output only the first message finds the link asleep, and those behind it
    // follow each other without a gap.
    EXPECT_EQ(network->link_power(kDown, network->now()).wake_stall, 4_us);
}

TEST(LinkPower, WaitsForALinkToWakeAreNotWaitsInItsQueue) {
    PlatformUnderTest platform = papers_platform(papers_links("on_off"));
    expect_waits_apart(platform);
    platform.packet_bytes = kBytes;
    platform.buffering.buffer_bytes = 100 * kBytes;
    expect_waits_apart(platform);
}

TEST(LinkPower, AThresholdKeepsTheLinkOn) {
    // The first idle time ends at 50 µs, when the link just begins to sleep; then comes one of
    // 49 µs, in which it stays on, and one of 60 µs.
    const Instant second = at_us(100) + 4_us + kLength + 49_us;
    const Instant third = second + kLength + 60_us;
    Sent sent(papers_links("threshold"), {at_us(100), second, third});
    EXPECT_EQ(sent.arrived,
              (Instants{at_us(100) + 8_us + kWay, second + kWay, third + 8_us + kWay}));
    const LinkPowerSummary up = sent.summary(kUp, third + 100_us);
    EXPECT_EQ(up.wakes, 2U);
    // Idle from 0 to 100 µs: on for 50, asleep after 53.
    const Duration last_idle = 100_us - 4_us - kLength;
    EXPECT_EQ(spent(up, PowerState::kLowPower), 47_us + 7_us + last_idle - 53_us);
    EXPECT_EQ(spent(up, PowerState::kSleep), 9_us);
}

TEST(LinkPower, DataInTheSleepTransitionLeaveAtOnce) {
    const Instant first = at_us(2);  // The links have been going to sleep since 0.
    Sent sent(papers_links("on_off"), {first});
    EXPECT_EQ(sent.arrived[0], first + kWay);
    const LinkPowerSummary up = sent.summary(kUp, at_us(3));
    EXPECT_EQ(up.wakes, 0U);
    // One picosecond before the end of the transition, and at its end.
    EXPECT_EQ(Sent(papers_links("on_off"), {at_us(3) - 1_ps}).arrived[0],
              at_us(3) - 1_ps + 4_us + kWay);  // The second link has just gone to sleep.
    EXPECT_EQ(Sent(papers_links("on_off"), {at_us(3)}).arrived[0], at_us(3) + 8_us + kWay);
}

TEST(LinkPower, DataInTheSleepTransitionWakeTheLinkAgainOrWaitForItsEnd) {
    for (const bool wakes_again : {true, false}) {
        PowerDescription power = papers_links("on_off");
        power.data_in_sleep = wakes_again ? DataInSleep::kWakeAgain : DataInSleep::kWait;
        if (wakes_again) power.modes[0].early_wake_time = 7_us;
        // The first link takes that, or the 2 µs that are left and 4 µs to wake; the second has
        // gone to sleep by then.
        const Duration stall = wakes_again ? 7_us : 2_us + 4_us;
        Sent sent(power, {at_us(1)});
        EXPECT_EQ(sent.arrived[0], at_us(1) + stall + 4_us + kWay);
        const LinkPowerSummary up = sent.summary(kUp, at_us(20));
        EXPECT_EQ(spent(up, PowerState::kSleep), (wakes_again ? 1_us : 3_us) + 3_us);
        EXPECT_EQ(spent(up, PowerState::kWake), wakes_again ? 7_us : 4_us);
        EXPECT_EQ(up.wakes, 1U);
        EXPECT_EQ(up.wake_stall, stall);
    }
}

TEST(LinkPower, AnOracleDelaysNothing) {
    Sent sent(papers_links("ideal"), {at_us(100), at_us(105), at_us(200)});
    EXPECT_EQ(sent.arrived, (Instants{at_us(100) + kWay, at_us(105) + kWay, at_us(200) + kWay}));
    const LinkPowerSummary up = sent.summary(kUp, at_us(300));
    // 3.4 µs between the first two are too short; at the end nothing waits for it to wake.
    const Duration low = (100_us - 7_us) + (95_us - kLength - 7_us) + (100_us - kLength - 3_us);
    EXPECT_EQ(spent(up, PowerState::kLowPower), low);
    EXPECT_EQ(up.energy, up.oracle_energy);
}

TEST(LinkPower, TwoModes) {
    // A link with a fast wake and a deep sleep: 70 % after 0.18 µs, 10 % after 0.72 µs more.
    PowerDescription power = papers_links("on_off");
    power.mode_count = 2;
    power.modes[0] = {
        .sleep_time = 180_ns, .wake_time = 340_ns, .early_wake_time = 340_ns, .low_uw = 8'400'000};
    power.modes[1] = {.sleep_time = 720_ns,
                      .wake_time = 5500_ns,
                      .early_wake_time = 5500_ns,
                      .low_uw = 1'200'000};
    power.deep_after = 10_us;
    EXPECT_EQ(Sent(power, {at_us(5)}).arrived[0], at_us(5) + 2 * 340_ns + kWay);
    EXPECT_EQ(Sent(power, {at_us(50)}).arrived[0], at_us(50) + 2 * 5500_ns + kWay);
    // On its way from the first mode to the second at 10.18 µs: as if it had not begun that way.
    Sent between(power, {Instant{10'300'000}});
    EXPECT_EQ(between.arrived[0], Instant{10'300'000} + 340_ns + 340_ns + kWay);
    const LinkPowerSummary up = between.summary(kUp, at_us(20));
    EXPECT_EQ(spent(up, PowerState::kLowPower), 10_us + (20_us - 10'640_ns - kLength - 180_ns));
    EXPECT_EQ(spent(up, state_of(PowerState::kSleep, 1)), 120_ns);
    EXPECT_EQ(spent(up, PowerState::kWake), 340_ns);
    EXPECT_EQ(spent(Sent(power, {}).summary(kUp, at_us(100)), state_of(PowerState::kLowPower, 1)),
              100_us - 10'900_ns);
}

TEST(LinkPower, EnergyOfPeriodicTraffic) {
    // E = P_on (t_tx + n_w Tw + n_s Ts) + P_low t_low, for a message every 20 µs.
    constexpr int kMessages = 500;
    NetworkUnderTest network(papers_platform(papers_links("on_off")));
    for (int i = 1; i <= kMessages; ++i) network.send(at_us(20 * i), 0, 1, kBytes);
    network.run();
    const Instant end = at_us(20 * (kMessages + 1));
    const Duration awake = kMessages * (kLength + 4_us) + (kMessages + 1) * 3_us;
    const Duration low = (end - Instant{}) - awake;
    for (const LinkId link : {kUp, kDown}) {
        EXPECT_EQ(
            network->link_power(link, end).energy,
            static_cast<Energy>(awake.ps) * 12'000'000 + static_cast<Energy>(low.ps) * 1'200'000);
    }
}

TEST(LinkPower, PerfboundKeepsItsBound) {
    // A message every 100 µs waits for two wakes of 4 µs, 8 % of the time; 1 % is allowed.
    constexpr int kMessages = 2000;
    NetworkUnderTest network(papers_platform(papers_links("perfbound")));
    for (int i = 1; i <= kMessages; ++i) network.send(at_us(100 * i), 0, 1, kBytes);
    network.run();
    const Instant end = at_us(100 * (kMessages + 1));
    const LinkPowerSummary up = network->link_power(kUp, end);
    const LinkPowerSummary down = network->link_power(kDown, end);
    EXPECT_LE(up.wake_stall + down.wake_stall, scaled(end - Instant{}, 1, 100));
    EXPECT_GT(up.wake_stall + down.wake_stall, scaled(end - Instant{}, 8, 1000));
    // A link that carries nothing may sleep as soon as all links together may be woken once.
    const LinkPowerSummary unused = network->link_power(5, end);
    EXPECT_EQ(spent(unused, PowerState::kActive), 8 * 4_us * 100 + 1_ps);
    // With 2 ms between messages, a wake costs a fifth of what is allowed.
    NetworkUnderTest seldom(papers_platform(papers_links("perfbound")));
    for (int i = 1; i <= 100; ++i) seldom.send(at_us(2000 * i), 0, 1, kBytes);
    seldom.run();
    EXPECT_GT(spent(seldom->link_power(kUp, at_us(202'000)), PowerState::kLowPower), 195'000_us);
}

/// A message goes from host to host, each of which works for `work` before it sends it on.
struct PassedAround {
    PassedAround(const PowerDescription& power, int messages, Duration work)
        : network(papers_platform(power)) {
        for (int message = 0; message < messages; ++message) {
            const HostId source = static_cast<HostId>(message) % 4;
            end = end + work + network.time_of(end + work, source, (source + 1) % 4, kBytes);
        }
    }
    Energy energy() {
        Energy energy = 0;
        for (LinkId link = 0; link < network->links(); ++link)
            energy += network->link_power(link, end).energy;
        return energy;
    }
    Duration share(std::int64_t part, std::int64_t whole) const {
        return scaled(end - Instant{}, part, whole);
    }

    NetworkUnderTest network;
    Instant end{};  ///< When it has come to its end.
};

TEST(LinkPower, PerfboundBoundsWhatAChainOfMessagesWaits) {
    // Each link is idle for 400 µs, in which it saves much; all eight are on the way.
    PassedAround awake(papers_links("always_on"), 1000, 100_us);
    PassedAround bound(papers_links("perfbound"), 1000, 100_us);
    const Duration late = bound.end - awake.end;
    EXPECT_LE(late, bound.share(1, 100));
    EXPECT_GT(late, scaled(bound.share(1, 100), 6, 10));
    EXPECT_EQ(bound.network->power()->chains()->at(kUp), late) << "the links know";
    EXPECT_LT(bound.energy(), awake.energy());
}

TEST(LinkPower, PerfboundOfLinksSleepsSoonerAndHoldsAChainUpForLonger) {
    PowerDescription power = papers_links("perfbound");
    PassedAround program(power, 1000, 100_us);
    power.bounds_program = false;
    PassedAround links(power, 1000, 100_us);
    PassedAround awake(papers_links("always_on"), 1000, 100_us);
    EXPECT_GT(links.end - awake.end, links.share(1, 100));
    for (LinkId link = 0; link < links.network->links(); ++link)
        EXPECT_LE(links.network->link_power(link, links.end).wake_stall, links.share(1, 100));
    EXPECT_LT(links.energy(), program.energy());
}

TEST(LinkPower, PerfboundDoesNotSleepWhereThatCostsMoreThanItSaves) {
    // All eight links are on for each wake's 4 µs longer, and one sleeps for 21 µs meanwhile.
    PowerDescription power = papers_links("perfbound");
    power.slowdown_ppm = 500'000;
    PassedAround awake(papers_links("always_on"), 4000, 5_us), bound(power, 4000, 5_us);
    EXPECT_LE(bound.energy(), awake.energy());
    EXPECT_LT(bound.end - awake.end, bound.share(1, 100));
}

TEST(LinkPower, PerfboundCountsWakesFromTheDeeperMode) {
    PowerDescription power = papers_links("perfbound");
    power.mode_count = 2;
    power.modes[1] = power.modes[0];
    power.modes[0].wake_time = power.modes[0].early_wake_time = 340_ns;
    power.modes[1].low_uw = 0;
    power.deep_after = 10_us;
    PassedAround awake(papers_links("always_on"), 1000, 100_us), bound(power, 1000, 100_us);
    EXPECT_LE(bound.end - awake.end, bound.share(1, 100));
    EXPECT_GT(bound.end - awake.end, bound.share(6, 1000));
}

TEST(LinkPower, IsPutOnRecord) {
    NetworkUnderTest network(papers_platform(papers_links("on_off")));
    network->keep_power_log();
    network.send(at_us(10), 0, 1, kBytes);
    network.run();
    const PowerLog& log = *network->power()->log();
    ASSERT_EQ(log.size(), 4U);
    const auto record = [&](std::uint32_t place) {
        const PowerRecord& at = log.at(place);
        return std::tuple(at.link, static_cast<PowerState>(at.state), at.begin_ps, at.end_ps);
    };
    EXPECT_EQ(record(0), std::tuple(kUp, PowerState::kSleep, 0, 3'000'000));
    EXPECT_EQ(record(1), std::tuple(kUp, PowerState::kLowPower, 3'000'000, 10'000'000));
    EXPECT_EQ(record(3), std::tuple(kDown, PowerState::kLowPower, 3'000'000, 14'100'000));
    std::vector<PowerState> rest;
    network->finish_power_log(at_us(30), [&](LinkId link, PowerState state, Instant, Instant) {
        if (link == kUp) rest.push_back(state);
    });
    EXPECT_EQ(rest, (std::vector<PowerState>{PowerState::kWake, PowerState::kActive,
                                             PowerState::kSleep, PowerState::kLowPower}));
}

}  // namespace
}  // namespace kumi::network
