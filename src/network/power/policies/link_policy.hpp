#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/time/time.hpp"
#include "network/power/policies/link_history.hpp"
#include "network/power/states/idle_course.hpp"
#include "network/power/states/power_description.hpp"

namespace kumi::network {

/// When links go to sleep. A policy is one file, and one line in link_policies.cpp.
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

}  // namespace kumi::network
