#pragma once

#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::network {

/// What a link does with data, or a wake frame, that comes while it goes to sleep.
enum class DataInSleep : std::uint8_t {
    kAtOnce,     ///< It is active again at once, as if it had not begun.
    kWakeAgain,  ///< It gives up going to sleep and wakes, in `early_wake_time`.
    kWait,       ///< It goes to sleep first, and then wakes.
};

/// One low-power mode of a link.
struct PowerMode {
    Duration sleep_time{};       ///< From active, or from the mode before, into this one.
    Duration wake_time{};        ///< From this mode to active.
    Duration early_wake_time{};  ///< To active if it is asked while it goes to sleep: kWakeAgain.
    std::uint64_t low_uw = 0;    ///< What the link draws in this mode.
    /// In this mode the link is quiet for so long, then refreshes, and so on; 0: never refreshes.
    Duration quiet_time{};
    Duration refresh_time{};
};

/// How links save power. Plain data. The same for all links but loopbacks.
struct PowerDescription {
    static constexpr std::uint32_t kMostModes = 2;

    std::uint32_t mode_count = 0;  ///< 0: links have no power model, and the rest means nothing.
    /// The deeper mode, if there is one, is entered from the first.
    PowerMode modes[kMostModes];
    std::uint64_t on_uw = 0;       ///< What the link draws while it is active, busy or not.
    std::uint64_t sleep_uw = 0;    ///< While it goes to sleep.
    std::uint64_t wake_uw = 0;     ///< While it wakes.
    std::uint64_t refresh_uw = 0;  ///< While it refreshes.
    DataInSleep data_in_sleep = DataInSleep::kAtOnce;

    std::uint32_t policy = 0;        ///< A place in `link_policies()`.
    Duration threshold{};            ///< How long the link stays active without data, if asked.
    Duration linger{};               ///< The same if wake frames are taken.
    Duration deep_after{};           ///< How long it stays in the first mode before the second.
    std::uint32_t slowdown_ppm = 0;  ///< Millionths of the run that waking may cost, if asked.
    /// Whether that holds for all that one message after the other may wait, or for each link.
    bool bounds_program = true;

    bool wakes_all_at_once = true;  ///< Wake frames run ahead of the links that they wake.
    std::uint64_t frame_bytes = 0;  ///< Of a wake frame that crosses the links that it wakes.
    bool queues_wake = false;       ///< Wake frames also go ahead of data that wait for a link.

    /// Going to sleep and waking again: an idle time that is no longer saves nothing.
    Duration shortest_sleep() const { return modes[0].sleep_time + modes[0].wake_time; }
};

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
