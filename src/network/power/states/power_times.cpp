#include "network/power/states/power_times.hpp"

#include <iterator>
#include <numeric>

namespace kumi::network {

const char* name_of(PowerState state) {
    static constexpr const char* kNames[kPowerStates] = {
        "active",     "sleep",          "low_power",    "refresh",  "wake",
        "deep_sleep", "deep_low_power", "deep_refresh", "deep_wake"};
    return kNames[static_cast<std::uint32_t>(state)];
}

std::uint64_t power_in(const PowerDescription& power, PowerState state) {
    switch (kind_of(state)) {
        case PowerState::kSleep:
            return power.sleep_uw;
        case PowerState::kLowPower:
            return power.modes[mode_of(state)].low_uw;
        case PowerState::kRefresh:
            return power.refresh_uw;
        case PowerState::kWake:
            return power.wake_uw;
        default:
            return power.on_uw;
    }
}

void PowerTimes::add(const PowerDescription& power, PowerState state, Duration span) {
    const std::uint32_t mode = mode_of(state);
    const PowerMode& about = power.modes[mode];
    Duration refreshing{};
    if (kind_of(state) == PowerState::kLowPower && about.refresh_time.ps > 0) {
        const Duration cycle = about.quiet_time + about.refresh_time;
        const std::int64_t whole = span.ps / cycle.ps;
        const Duration rest = span - cycle * whole;
        refreshing = about.refresh_time * whole;
        if (rest > about.quiet_time) refreshing += rest - about.quiet_time;
        spent[static_cast<std::uint32_t>(state_of(PowerState::kRefresh, mode))] += refreshing;
    }
    spent[static_cast<std::uint32_t>(state)] += span - refreshing;
}

Duration PowerTimes::total() const {
    return std::accumulate(std::begin(spent), std::end(spent), Duration{});
}

Energy PowerTimes::energy(const PowerDescription& power) const {
    Energy energy = 0;
    for (std::uint32_t state = 0; state < kPowerStates; ++state) {
        energy +=
            static_cast<Energy>(spent[state].ps) * power_in(power, static_cast<PowerState>(state));
    }
    return energy;
}

}  // namespace kumi::network
