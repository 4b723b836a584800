#pragma once

#include <cstdint>

#include "network/power/states/power_description.hpp"

namespace kumi::network {

/// What a link is doing, as far as its power goes.
enum class PowerState : std::uint8_t {
    kActive = 0,  ///< Carries data, or could at once.
    // Of the first mode; those of the second follow in the same order.
    kSleep = 1,     ///< On its way into the mode.
    kLowPower = 2,  ///< In the mode.
    kRefresh = 3,   ///< In the mode, awake for a moment to keep both ends in step.
    kWake = 4,      ///< On its way back.
};
inline constexpr std::uint32_t kPowerStates = 1 + 4 * PowerDescription::kMostModes;

/// The state of a mode; kActive is of no mode.
constexpr PowerState state_of(PowerState state, std::uint32_t mode) {
    return static_cast<PowerState>(static_cast<std::uint32_t>(state) + 4 * mode);
}
constexpr std::uint32_t mode_of(PowerState state) {
    return state == PowerState::kActive ? 0 : (static_cast<std::uint32_t>(state) - 1) / 4;
}
/// The state without its mode: one of the five above.
constexpr PowerState kind_of(PowerState state) {
    return static_cast<PowerState>(static_cast<std::uint32_t>(state) - 4 * mode_of(state));
}

/// "active", "sleep", "low_power", "refresh", "wake", and of the second mode with "deep_" before.
const char* name_of(PowerState state);

/// An energy in 10^-18 J: picoseconds times microwatts.
__extension__ using Energy = unsigned __int128;

/// What a link draws in a state, in microwatts.
std::uint64_t power_in(const PowerDescription& power, PowerState state);

/// How long a link was in each state.
struct PowerTimes {
    Duration spent[kPowerStates] = {};

    /// The link has been in `state` for `span`; in kLowPower since it reached that: parts of it are
    /// refreshes then.
    void add(const PowerDescription& power, PowerState state, Duration span);
    Duration total() const;
    Energy energy(const PowerDescription& power) const;
};

}  // namespace kumi::network
