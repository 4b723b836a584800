#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/time/time.hpp"
#include "network/power/states/idle_course.hpp"
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

/// When links go to sleep. The simple ones are in link_policies.cpp, where all of them are
/// listed; the others have a file of their own.
///
/// The functions must depend on their arguments only: they are asked again, in any process.
struct LinkPolicy {
    const char* name = nullptr;
    const char* help = nullptr;      ///< One sentence for users.
    bool takes_wake_frames = false;  ///< Else none are sent.
    bool foresees = false;           ///< Knows how long the link will be idle: an oracle.
    bool learns = false;             ///< Wants a LinkHistory.
    /// What the link does from `when` on, as long as it is idle. Not asked of an oracle. `history`
    /// is nullptr unless the policy learns. `was_called`: a wake frame has asked for the link since
    /// data had to wake it.
    IdleCourse (*course)(const PowerDescription&, const LinkHistory* history, Instant when,
                         bool was_called) = nullptr;
};

/// All policies; a policy's place among them is its number in a PowerDescription.
std::span<const LinkPolicy* const> link_policies();

/// The number of a policy, or that of no policy: the number of policies.
std::uint32_t find_link_policy(std::string_view name);

/// Throws std::invalid_argument with a plain sentence if no link can be like that.
void check_power(const PowerDescription& power);

}  // namespace kumi::network
