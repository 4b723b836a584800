#include "network/power/link_power.hpp"

namespace kumi::network {

void LinkPower::wake(const PowerDescription& power, const IdleCourse& course, Duration idle,
                     Instant now) {
    const PowerState state = course.state_after(idle);
    x_mode = mode_of(state);
    const PowerMode& mode = power.modes[x_mode];
    const PowerState kind = kind_of(state);
    if (kind == PowerState::kActive) return;
    if (kind == PowerState::kSleep && power.data_in_sleep == DataInSleep::kAtOnce) {
        // As if it had not begun: the link is where it was before.
        if (x_mode == 0) return;
        begin_wake();
        x_awake_at = now + power.modes[--x_mode].wake_time;
        return;
    }
    begin_wake();
    if (kind == PowerState::kSleep && power.data_in_sleep == DataInSleep::kWakeAgain) {
        x_awake_at = now + mode.early_wake_time;
        return;
    }
    if (kind == PowerState::kSleep) x_asleep_at = now + (course.sleep_end(idle) - idle);
    x_awake_at = x_asleep_at + mode.wake_time;
}

void LinkPower::remember(const PowerDescription& power, const IdleCourse& course, Duration idle,
                         LinkHistory& history) const {
    PowerTimes times;
    course.walk(idle, [&](PowerState state, Duration begin, Duration end) {
        times.add(power, state, end - begin);
    });
    const auto part = [&](PowerState state, Instant begin, Instant end) {
        times.add(power, state, end - begin);
    };
    walk_busy(x_awake_at, part);
    history.note(power, idle, x_awake_at - x_told, times);
}

}  // namespace kumi::network
