#include "network/power/states/idle_course.hpp"

#include <algorithm>

namespace kumi::network {

Duration longest_wake(const PowerDescription& power, std::uint32_t modes) {
    Duration longest{};
    for (std::uint32_t number = 0; number < modes; ++number) {
        const PowerMode& mode = power.modes[number];
        Duration wake = mode.wake_time;
        if (power.data_in_sleep == DataInSleep::kWait) wake += mode.sleep_time;
        if (power.data_in_sleep == DataInSleep::kWakeAgain)
            wake = std::max(wake, mode.early_wake_time);
        longest = std::max(longest, wake);
    }
    return longest;
}

IdleCourse::IdleCourse(const PowerDescription& power, Duration before_sleep, Duration before_deep) {
    const Duration waits[PowerDescription::kMostModes] = {before_sleep, before_deep};
    Duration end{};
    for (std::uint32_t mode = 0; mode < power.mode_count && waits[mode] < kForever; ++mode) {
        end += waits[mode];
        x_ends[x_parts++] = end;
        end += power.modes[mode].sleep_time;
        x_ends[x_parts++] = end;
    }
}

std::uint32_t IdleCourse::part_after(Duration idle) const {
    // What comes in the moment in which the link would go to sleep finds it active.
    std::uint32_t part = x_parts == 0 || idle <= x_ends[0] ? 0 : 1;
    if (part == 0) return part;
    while (part < x_parts && x_ends[part] <= idle) ++part;
    return part;
}

PowerState IdleCourse::state_after(Duration idle) const { return part_state(part_after(idle)); }

Duration IdleCourse::sleep_end(Duration idle) const {
    const std::uint32_t part = part_after(idle);
    return part < x_parts ? x_ends[part] : idle;
}

BestCourse::BestCourse(const PowerDescription& power, Duration idle, bool must_wake)
    : x_idle(idle) {
    take(power, 0, {});
    Duration down{};
    for (std::uint32_t mode = 0; mode < power.mode_count; ++mode) {
        const Duration wake = must_wake ? power.modes[mode].wake_time : Duration{};
        down += power.modes[mode].sleep_time;
        if (down + wake > idle) break;
        BestCourse other = *this;
        other.take(power, mode + 1, wake);
        if (other.x_energy < x_energy) *this = other;
    }
}

void BestCourse::take(const PowerDescription& power, std::uint32_t modes, Duration wake_time) {
    x_modes = modes;
    x_wake_time = wake_time;
    for (std::uint32_t mode = 0; mode < modes; ++mode) {
        x_sleep_times[mode] = power.modes[mode].sleep_time;
    }
    PowerTimes times;
    walk([&](PowerState state, Duration begin, Duration end) {
        times.add(power, state, end - begin);
    });
    x_energy = times.energy(power);
}

}  // namespace kumi::network
