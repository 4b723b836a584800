#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "network/power/states/power_times.hpp"

namespace kumi::network {

/// What one link remembers of itself, for policies that learn. Known to the link alone, but for
/// what packets bring along.
struct LinkHistory {
    static constexpr std::uint32_t kClasses = 48;

    /// Idle times so far, by the binary logarithm of their length in ps: how many, and their sum.
    std::uint32_t idles[kClasses] = {};
    Duration idle_time[kClasses] = {};
    Duration waited{};   ///< That the link took to wake.
    Duration held_up{};  ///< That links took to wake, one after the other: see WaitChains.
    /// How long an active link can be on for the energy that this one has saved. Below 0 if it has
    /// drawn more than an active one.
    Duration saved{};
    std::uint32_t links = 0;  ///< Of the network.

    /// The link was idle for `idle`, not 0, then took `wake` to wake, and did in both what `times`
    /// say.
    void note(const PowerDescription& power, Duration idle, Duration wake, const PowerTimes& times);
};

}  // namespace kumi::network
