// What must hold for any traffic on any network whose links save power.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "network/testing/any_traffic.hpp"
#include "network/testing/power_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;

rc::Gen<Duration> any_span(std::int64_t most_ps) {
    return rc::gen::construct<Duration>(rc::gen::oneOf(rc::gen::element<std::int64_t>(0, 1, 1000),
                                                       rc::gen::inRange<std::int64_t>(0, most_ps)));
}

PowerDescription any_power(std::uint32_t policy) {
    PowerDescription power;
    power.policy = policy;
    power.mode_count = *rc::gen::element(1U, 2U);
    power.on_uw = *rc::gen::inRange<std::uint64_t>(10, 1000);
    std::uint64_t most_uw = power.on_uw;
    Duration shortest_wake{};
    for (std::uint32_t number = 0; number < power.mode_count; ++number) {
        PowerMode& mode = power.modes[number];
        mode.sleep_time = *any_span(200'000);
        mode.wake_time = shortest_wake = shortest_wake + *any_span(200'000);
        mode.early_wake_time = mode.wake_time + *any_span(100'000);
        mode.low_uw = *rc::gen::inRange<std::uint64_t>(0, most_uw + 1);
        most_uw = mode.low_uw;
    }
    // With two modes, changing from one to the other may spare a refresh, which no oracle does.
    if (power.mode_count == 1) {
        power.modes[0].quiet_time = 1_ps + *any_span(300'000);
        // To refresh takes no longer than to wake for nothing, which delays the next refresh.
        const Duration round_trip = power.modes[0].sleep_time + power.modes[0].wake_time;
        power.modes[0].refresh_time = std::min(round_trip, *any_span(30'000));
    }
    // What is done in a transition, or to refresh, costs no less than to be active.
    power.sleep_uw = power.wake_uw = power.on_uw;
    power.refresh_uw = *rc::gen::inRange(most_uw, power.on_uw + 1);
    power.data_in_sleep =
        *rc::gen::element(DataInSleep::kAtOnce, DataInSleep::kWakeAgain, DataInSleep::kWait);
    power.threshold = *any_span(1'000'000);
    power.linger = *any_span(300'000);
    power.deep_after = *rc::gen::oneOf(rc::gen::just(kForever), any_span(500'000));
    power.bounds_program = *rc::gen::arbitrary<bool>();
    power.slowdown_ppm = *rc::gen::inRange<std::uint32_t>(0, 500'000);
    power.wakes_all_at_once = *rc::gen::arbitrary<bool>();
    power.frame_bytes = *rc::gen::inRange<std::uint64_t>(0, 100);
    power.queues_wake = *rc::gen::arbitrary<bool>();
    return power;
}

/// With room for two packets.
void give_buffers(PlatformUnderTest& platform, std::uint64_t packet_bytes) {
    platform.packet_bytes = packet_bytes;
    platform.buffering.buffer_bytes = 2 * (packet_bytes + platform.header_bytes);
}

std::uint32_t any_policy() {
    return *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(link_policies().size()));
}

/// Wake frames of random hosts, if the network takes any.
void send_any_wake_frames(NetworkUnderTest& network) {
    if (!network->takes_wake_frames()) return;
    const auto host = rc::gen::inRange<HostId>(0, network.fabric().hosts);
    const auto count = *rc::gen::inRange<std::uint64_t>(0, 20);
    for (std::uint64_t i = 0; i < count; ++i) {
        network->send_wake_frame(Instant{} + *any_span(3'000'000), *host, *host,
                                 *any_span(1'000'000), *rc::gen::inRange(0U, 3U), 0, i);
    }
}

/// Random messages and wake frames, to the end; returns how many messages.
std::size_t run_with_wake_frames(NetworkUnderTest& network) {
    const auto messages = any_traffic(network.fabric().hosts, 5'000);
    inject_all(network, messages);
    send_any_wake_frames(network);
    network.run();
    return messages.size();
}

/// Of all these messages.
Instant last_arrival(NetworkUnderTest& network, const Messages& messages) {
    Instant last{};
    for (const Instant when : run_all(network, messages)) last = later(last, when);
    return last;
}

RC_GTEST_PROP(LinkPower, TimesAddUpAndNoOracleIsBeaten, ()) {
    PlatformUnderTest platform = any_platform();
    platform.power = any_power(any_policy());
    NetworkUnderTest network(platform);
    run_with_wake_frames(network);
    const Instant end = network->now() + *any_span(1'000'000);
    for (LinkId link = 0; link < network->links(); ++link) {
        const LinkPowerSummary summary = network->link_power(link, end);
        RC_ASSERT(summary.times.total() == end - Instant{});
        // A wake frame may still cross a link when the run ends.
        if (!network->takes_wake_frames()) {
            RC_ASSERT(spent(summary, PowerState::kActive) >= network->link_statistics(link).busy);
        }
        RC_ASSERT(summary.energy >= summary.oracle_energy);
        const Energy always = static_cast<Energy>(end.ps) * platform.power.on_uw;
        RC_ASSERT(summary.energy <= always);
        if (network->power()->policy().foresees) RC_ASSERT(summary.energy == summary.oracle_energy);
        if (link_policies()[platform.power.policy]->name == std::string_view("always_on")) {
            RC_ASSERT(summary.energy == always);
        }
    }
    RC_ASSERT(network->messages_in_flight() == 0U);
}

/// What links carried, and how long they were waited for.
void check_same_statistics(NetworkUnderTest& one, NetworkUnderTest& other) {
    for (LinkId link = 0; link < one->links(); ++link) {
        RC_ASSERT(one->link_statistics(link) == other->link_statistics(link));
        RC_ASSERT(one->credit_wait(link) == other->credit_wait(link));
    }
}

RC_GTEST_PROP(LinkPower, AnOracleAndLinksThatAreAlwaysOnChangeNoTime, ()) {
    PlatformUnderTest platform = any_platform();
    if (*rc::gen::arbitrary<bool>()) give_buffers(platform, 256);
    NetworkUnderTest plain(platform);
    platform.power = any_power(find_link_policy("always_on"));
    NetworkUnderTest awake(platform);
    platform.power.policy = find_link_policy("ideal");
    NetworkUnderTest ideal(platform);
    const auto messages = any_traffic(plain.fabric().hosts, 5'000);
    RC_ASSERT(run_all(ideal, messages) == run_all(plain, messages));
    run_all(awake, messages);
    RC_ASSERT(awake->event_hash() == plain->event_hash());
    RC_ASSERT(ideal->event_hash() == plain->event_hash());
    check_same_statistics(plain, awake);
    check_same_statistics(plain, ideal);
    for (LinkId link = 0; link < plain->links(); ++link) {
        RC_ASSERT(ideal->link_power(link, plain->now()).energy <=
                  awake->link_power(link, plain->now()).energy);
    }
}

/// On a star nothing that is late lets anything else be early: the last message of all arrives no
/// sooner than on links that are always on. (In larger networks it may: see the documentation.)
RC_GTEST_PROP(LinkPower, NoPolicyIsFasterThanLinksThatAreAlwaysOn, ()) {
    PlatformUnderTest platform = any_platform({"star"});
    platform.packet_bytes = 0;
    NetworkUnderTest plain(platform);
    platform.power = any_power(any_policy());
    NetworkUnderTest saving(platform);
    auto messages = any_traffic(plain.fabric().hosts, 5'000);
    std::erase_if(messages, [](const Sent& sent) { return sent.source == sent.target; });
    RC_ASSERT(last_arrival(saving, messages) >= last_arrival(plain, messages));
}

RC_GTEST_PROP(LinkPower, PerfboundKeepsItsBoundAtEveryMoment, ()) {
    PlatformUnderTest platform = any_platform();
    platform.power = any_power(find_link_policy("perfbound"));
    if (*rc::gen::arbitrary<bool>()) give_buffers(platform, 256);
    NetworkUnderTest network(platform);
    // Long enough for all links to have slept.
    auto messages = any_traffic(network.fabric().hosts, 5'000);
    const std::int64_t stretch = *rc::gen::inRange(1, 100);
    for (Sent& sent : messages) sent.when = Instant{sent.when.ps * stretch};
    inject_all(network, messages);
    while (network->next_event_time() < kNever) {
        network->execute_next(network);
        const Instant now = network->now();
        const Duration allowed = scaled(now - Instant{}, platform.power.slowdown_ppm, 1'000'000);
        for (LinkId link = 0; link < network->links(); ++link) {
            const Duration held_up = network->power()->chains()->at(link);
            const Duration wake_stall = network->link_power(link, now).wake_stall;
            RC_ASSERT(wake_stall <= held_up);
            RC_ASSERT(wake_stall <= allowed);
            if (platform.power.bounds_program) RC_ASSERT(held_up <= allowed);
        }
    }
}

RC_GTEST_PROP(LinkPower, PerfboundHoldsAChainOfMessagesUpForNoLongerThanItsBound, ()) {
    PlatformUnderTest platform = any_platform();
    NetworkUnderTest awake(platform);
    platform.power = any_power(find_link_policy("perfbound"));
    platform.power.bounds_program = true;
    NetworkUnderTest bound(platform);
    const auto hop =
        rc::gen::pair(rc::gen::inRange<HostId>(0, bound.fabric().hosts), any_span(3'000'000));
    const auto hops = *rc::gen::container<std::vector<std::pair<HostId, Duration>>>(100, hop);
    // Each host works for a while before it sends on what it has got.
    const auto pass_on = [&](NetworkUnderTest& network) {
        Instant when{};
        HostId source = 0;
        for (const auto& [target, work] : hops) {
            when = when + work + network.time_of(when + work, source, target, 1000);
            source = target;
        }
        return when;
    };
    const Instant fastest = pass_on(awake);
    const Instant end = pass_on(bound);
    RC_ASSERT(end - fastest <= scaled(end - Instant{}, platform.power.slowdown_ppm, 1'000'000));
    RC_CLASSIFY(end > fastest);
}

RC_GTEST_PROP(LinkPower, IsTheSameTwiceAndInWhateverOrderItIsTold, ()) {
    PlatformUnderTest platform = any_platform();
    platform.power = any_power(any_policy());
    NetworkUnderTest first(platform);
    NetworkUnderTest second(platform);
    check_order_of_telling(first, second);
    for (LinkId link = 0; link < first->links(); ++link) {
        const Instant end = first->now();
        RC_ASSERT(first->link_power(link, end).energy == second->link_power(link, end).energy);
    }
}

RC_GTEST_PROP(LinkPower, FiniteBuffersLoseNothing, ()) {
    PlatformUnderTest platform = any_platform();
    give_buffers(platform, *rc::gen::element<std::uint64_t>(64, 256));
    platform.power = any_power(any_policy());
    NetworkUnderTest network(platform);
    const std::size_t messages = run_with_wake_frames(network);
    RC_ASSERT(!network->is_stuck());
    RC_ASSERT(network->counters().arrived_messages == messages);
    for (LinkId link = 0; link < network->links(); ++link) {
        const LinkPowerSummary summary = network->link_power(link, network->now());
        RC_ASSERT(summary.energy >= summary.oracle_energy);
    }
}

/// One link, picosecond by picosecond: what LinkPower must be, written without any cleverness.
class NaiveLink {
   public:
    NaiveLink(const PowerDescription& power, Duration before_sleep)
        : x_power(power), x_before_sleep(before_sleep) {}

    /// Carries something that asks at `when` and takes `length`. Returns when it starts.
    std::int64_t carry(std::int64_t when, std::int64_t length) {
        while (x_now < when) tick(false);
        for (;;) {
            settle(true);
            if (x_busy == 0 && x_state == PowerState::kActive) break;
            tick(true);
        }
        const std::int64_t start = x_now;
        x_busy = length;
        x_idle = 0;
        return start;
    }
    void pass(std::int64_t until) {
        while (x_now < until) tick(false);
    }
    std::int64_t spent(PowerState state) const { return x_spent[static_cast<int>(state)]; }

   private:
    void change(PowerState state) {
        x_state = state;
        x_in_state = 0;
    }
    void tick(bool asked) {
        settle(asked);
        ++x_spent[static_cast<int>(x_state)];
        ++x_in_state;
        ++x_now;
        if (x_busy > 0 && --x_busy == 0)
            x_idle = 0;
        else if (x_busy == 0)
            ++x_idle;
        if (x_state == PowerState::kWake && x_in_state >= x_wake) {
            change(PowerState::kActive);
            x_idle = 0;
        }
    }
    /// What changes before the next picosecond.
    void settle(bool asked) {
        const PowerMode& mode = x_power.modes[0];
        if (x_state == PowerState::kActive && x_busy == 0 && !asked && x_idle >= x_before_sleep.ps)
            change(PowerState::kSleep);
        if (x_state == PowerState::kSleep && x_in_state >= mode.sleep_time.ps)
            change(PowerState::kLowPower);
        if (!asked) return;
        if (x_state == PowerState::kLowPower) wake(mode.wake_time.ps);
        if (x_state != PowerState::kSleep) return;
        if (x_power.data_in_sleep == DataInSleep::kAtOnce) change(PowerState::kActive);
        if (x_power.data_in_sleep == DataInSleep::kWakeAgain) wake(mode.early_wake_time.ps);
    }
    void wake(std::int64_t span) {
        x_wake = span;
        change(PowerState::kWake);
    }

    PowerDescription x_power;
    Duration x_before_sleep;
    PowerState x_state = PowerState::kActive;
    std::int64_t x_now = 0, x_in_state = 0, x_busy = 0, x_idle = 0, x_wake = 0;
    std::int64_t x_spent[kPowerStates] = {};
};

RC_GTEST_PROP(LinkPower, AgreesWithANaiveLink, ()) {
    // One picosecond a byte; spans above zero, so that no two changes fall into one picosecond.
    PowerDescription power;
    power.mode_count = 1;
    const auto span = rc::gen::construct<Duration>(rc::gen::inRange<std::int64_t>(1, 30));
    power.modes[0].sleep_time = *span;
    power.modes[0].wake_time = *span;
    power.modes[0].early_wake_time = power.modes[0].wake_time + *span;
    power.on_uw = 10;
    power.data_in_sleep =
        *rc::gen::element(DataInSleep::kAtOnce, DataInSleep::kWakeAgain, DataInSleep::kWait);
    power.threshold = {*rc::gen::inRange<std::int64_t>(0, 30)};
    power.policy = find_link_policy("threshold");
    power.deep_after = kForever;
    PlatformUnderTest platform;
    platform.kind = "fully_connected";
    platform.numbers = {{"hosts", 2}};
    platform.link = {8'000'000'000'000, {0}};
    platform.power = power;
    NetworkUnderTest network(platform);
    NaiveLink naive(power, power.threshold);

    std::int64_t when = 0;
    std::vector<std::pair<std::size_t, std::int64_t>> expected;
    const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(1, 90), rc::gen::inRange(1, 20)));
    std::int64_t naive_free = 0;
    for (const auto& [gap, length] : steps) {
        when += gap;
        const std::size_t number =
            network.send(Instant{when}, 0, 1, static_cast<std::uint64_t>(length));
        naive_free = naive.carry(when, length) + length;
        expected.emplace_back(number, naive_free);
    }
    network.run();
    for (const auto& [number, arrival] : expected) {
        RC_ASSERT(network.arrived(number) == Instant{arrival});
    }
    const std::int64_t end = std::max(naive_free, when) + *rc::gen::inRange(0, 100);
    naive.pass(end);
    const LinkPowerSummary summary = network->link_power(0, Instant{end});
    for (const PowerState state :
         {PowerState::kActive, PowerState::kSleep, PowerState::kLowPower, PowerState::kWake}) {
        RC_ASSERT(spent(summary, state).ps == naive.spent(state));
    }
}

}  // namespace
}  // namespace kumi::network
