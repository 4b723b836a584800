#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "network/power/policies/link_policy.hpp"
#include "network/power/states/power_times.hpp"

namespace kumi::network {

/// The power state machine of one link, evaluated when the link is asked for: in between, what
/// it does follows from the time since it had something to do. Plain data.
///
/// A link is woken by data, or by a wake frame; after a frame it stays active until the messages
/// that were announced have crossed it, or until the frame's time is up.
class LinkPower {
   public:
    /// Something wants to cross the link at `now`, which `free_at` says until when it carries what
    /// it was given before. Returns when the link is active. Calls spent(PowerState, Instant begin,
    /// Instant end) for what it did since the last call, if it has been idle. `history` is
    /// nullptr unless the policy learns.
    template <class Spent>
    Instant ask(const PowerDescription& power, const LinkPolicy& policy, LinkHistory* history,
                Instant now, Instant free_at, Spent&& spent);

    /// A wake frame has asked for the link: that stays active until `until` at most, or until
    /// `messages` more have crossed it.
    void announce(Instant until, std::uint32_t messages) {
        x_announced += messages;
        x_hold_until = later(x_hold_until, until);
        x_was_called = true;
    }
    /// Data that wait elsewhere will be here at `arrival`: the link stays active until then.
    /// Whether it was called is as before they asked for it: a queue does not know what else will
    /// come.
    void expect(Instant arrival, bool was_called) {
        x_expected_at = later(x_expected_at, arrival);
        x_was_called = was_called;
    }
    /// When it was awake, or will be, after it was asked for the last time that it slept.
    Instant awake_at() const { return x_awake_at; }
    /// Whether a rank's wake frame has asked for it since data had to wake it.
    bool is_called() const { return x_was_called; }
    /// The last packet of a message crosses the link.
    void message_crosses() {
        if (x_announced > 0) --x_announced;
    }

    /// Calls spent() for all that ask() has not reported, up to `end`. Changes nothing.
    template <class Spent>
    void walk_to(const PowerDescription& power, const LinkPolicy& policy,
                 const LinkHistory* history, Instant end, Instant free_at, Spent&& spent) const;

    std::uint64_t wakes() const { return x_wakes; }
    Duration rest_of_wake(Instant now) const {
        return x_awake_at > now ? x_awake_at - now : Duration{};
    }

   private:
    /// Since when the link has nothing to do, if that is before `now`.
    Instant idle_since(Instant now, Instant free_at) const {
        const Instant since = later(later(free_at, x_awake_at), earlier(now, x_expected_at));
        return x_announced == 0 ? since : later(since, earlier(now, x_hold_until));
    }
    /// From the last call until it is idle.
    template <class Spent>
    void walk_busy(Instant end, Spent&& spent) const;
    void begin_wake() {
        ++x_wakes;
        x_was_called = false;
    }
    void wake(const PowerDescription& power, const IdleCourse& course, Duration idle, Instant now);
    /// Of an idle time that is over now.
    void remember(const PowerDescription& power, const IdleCourse& course, Duration idle,
                  LinkHistory& history) const;

    Instant x_told{};         ///< Everything before has been told.
    Instant x_asleep_at{};    ///< Until then it still goes to sleep, although it was asked for.
    Instant x_awake_at{};     ///< Until then it wakes.
    Instant x_hold_until{};   ///< Until then it waits for announced messages.
    Instant x_expected_at{};  ///< Until then it waits for data that are on their way.
    std::uint32_t x_announced = 0;
    std::uint32_t x_mode = 0;  ///< The mode that it wakes from.
    /// Whether a wake frame has asked for it since it began to wake.
    bool x_was_called = false;
    std::uint64_t x_wakes = 0;
};

template <class Spent>
void LinkPower::walk_busy(Instant end, Spent&& spent) const {
    Instant begin = x_told;
    const auto part = [&](PowerState state, Instant until) {
        until = earlier(until, end);
        if (begin < until) spent(state, begin, until);
        begin = later(begin, until);
    };
    part(state_of(PowerState::kSleep, x_mode), x_asleep_at);
    part(state_of(PowerState::kWake, x_mode), x_awake_at);
    part(PowerState::kActive, end);
}

template <class Spent>
Instant LinkPower::ask(const PowerDescription& power, const LinkPolicy& policy,
                       LinkHistory* history, Instant now, Instant free_at, Spent&& spent) {
    if (now < x_awake_at) return x_awake_at;
    const Instant since = idle_since(now, free_at);
    if (x_hold_until <= now) x_announced = 0;
    if (now <= since) return now;

    const Duration idle = now - since;
    walk_busy(since, spent);
    const auto step = [&](PowerState state, Duration begin, Duration end) {
        spent(state, since + begin, since + end);
    };
    x_told = x_asleep_at = x_awake_at = now;
    if (policy.foresees) {
        const BestCourse course(power, idle, /*must_wake=*/true);
        course.walk(step);
        return now;
    }
    const IdleCourse course = policy.course(power, history, since, x_was_called);
    course.walk(idle, step);
    wake(power, course, idle, now);
    if (history != nullptr) remember(power, course, idle, *history);
    return x_awake_at;
}

template <class Spent>
void LinkPower::walk_to(const PowerDescription& power, const LinkPolicy& policy,
                        const LinkHistory* history, Instant end, Instant free_at,
                        Spent&& spent) const {
    const Instant since = idle_since(end, free_at);
    walk_busy(earlier(since, end), spent);
    if (end <= since) return;
    const auto step = [&](PowerState state, Duration begin, Duration finish) {
        spent(state, since + begin, since + finish);
    };
    if (policy.foresees) {
        BestCourse(power, end - since, /*must_wake=*/false).walk(step);
    } else {
        policy.course(power, history, since, x_was_called).walk(end - since, step);
    }
}

}  // namespace kumi::network
