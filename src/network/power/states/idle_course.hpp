#pragma once

#include <cstdint>

#include "network/power/states/power_times.hpp"

namespace kumi::network {

/// A span that never ends, and may be added to a few others.
inline constexpr Duration kForever{std::int64_t{1} << 61};

/// The longest that a link may take from being asked to being active, if it goes no further than
/// to its first `modes` modes.
Duration longest_wake(const PowerDescription& power, std::uint32_t modes);

/// What a link does from the moment on at which it has nothing to do: it stays active, goes to
/// sleep, stays in its first mode, goes to the deeper one if there is one, and stays there.
class IdleCourse {
   public:
    /// `before_sleep` and `before_deep`: how long the link stays active, and in its first mode.
    IdleCourse(const PowerDescription& power, Duration before_sleep, Duration before_deep);

    /// A link that stays active.
    static IdleCourse awake(const PowerDescription& power) { return {power, kForever, kForever}; }

    /// What the link is doing after it has been idle for `idle`.
    PowerState state_after(Duration idle) const;
    /// When it will have reached the mode that it is on its way to after `idle`.
    Duration sleep_end(Duration idle) const;

    /// Calls step(PowerState, Duration begin, Duration end) for each part of an idle time that
    /// ends after `idle`; begin and end count from its start.
    template <class Step>
    void walk(Duration idle, Step&& step) const {
        Duration begin{};
        for (std::uint32_t part = 0; part <= x_parts && begin < idle; ++part) {
            const Duration end = part < x_parts && x_ends[part] < idle ? x_ends[part] : idle;
            if (begin < end) step(part_state(part), begin, end);
            begin = end;
        }
    }

   private:
    static constexpr std::uint32_t kMostParts = 2 * PowerDescription::kMostModes;

    static constexpr PowerState part_state(std::uint32_t part) {
        if (part == 0) return PowerState::kActive;
        return state_of(part % 2 == 1 ? PowerState::kSleep : PowerState::kLowPower, (part - 1) / 2);
    }

    std::uint32_t part_after(Duration idle) const;

    Duration x_ends[kMostParts];  ///< Where each part ends; the one after them does not.
    std::uint32_t x_parts = 0;
};

/// What a link would do that knew how long it will be idle: stay active, or spend the time in the
/// mode that costs least, and be active again at the end if it `must_wake`.
class BestCourse {
   public:
    BestCourse(const PowerDescription& power, Duration idle, bool must_wake);

    /// As IdleCourse::walk, of the whole idle time.
    template <class Step>
    void walk(Step&& step) const {
        Duration begin{};
        const auto part = [&](PowerState state, Duration span) {
            if (span.ps > 0) step(state, begin, begin + span);
            begin += span;
        };
        if (x_modes == 0) return part(PowerState::kActive, x_idle);
        Duration rest = x_idle - x_wake_time;
        for (std::uint32_t mode = 0; mode < x_modes; ++mode) {
            part(state_of(PowerState::kSleep, mode), x_sleep_times[mode]);
            rest -= x_sleep_times[mode];
        }
        part(state_of(PowerState::kLowPower, x_modes - 1), rest);
        part(state_of(PowerState::kWake, x_modes - 1), x_wake_time);
    }

    Energy energy() const { return x_energy; }

   private:
    /// Takes the way through `modes` modes, for whose transitions there is time.
    void take(const PowerDescription& power, std::uint32_t modes, Duration wake_time);

    Duration x_idle;
    Duration x_sleep_times[PowerDescription::kMostModes] = {};
    Duration x_wake_time{};
    std::uint32_t x_modes = 0;
    Energy x_energy = 0;
};

}  // namespace kumi::network
