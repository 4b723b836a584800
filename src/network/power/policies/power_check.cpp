#include <stdexcept>
#include <string>

#include "network/power/policies/link_policy.hpp"

namespace kumi::network {
namespace {

constexpr Duration kLongest{86'400'000'000'000'000};   // A day.
constexpr std::uint64_t kMost_uw = 1'000'000'000'000;  // A megawatt.

void refuse_if(bool is_wrong, const std::string& what) {
    if (is_wrong) throw std::invalid_argument("link power: " + what);
}

void check_span(const std::string& what, Duration span) {
    refuse_if(span.ps < 0 || span > kLongest, what + " must be between 0 and a day");
}

void check_watts(const std::string& what, std::uint64_t power_uw) {
    refuse_if(power_uw > kMost_uw, what + " is above a megawatt");
}

void check_mode(const PowerDescription& power, const PowerMode& mode) {
    check_span("a sleep time", mode.sleep_time);
    check_span("a wake time", mode.wake_time);
    check_span("an early wake time", mode.early_wake_time);
    check_span("a quiet time", mode.quiet_time);
    check_span("a refresh time", mode.refresh_time);
    refuse_if(mode.low_uw > power.on_uw, "a low-power mode draws more than an active link");
    refuse_if(mode.early_wake_time < mode.wake_time, "an early wake is shorter than a late one");
    refuse_if(mode.refresh_time.ps > 0 && mode.quiet_time.ps == 0,
              "a link that refreshes is never quiet");
}

}  // namespace

void check_power(const PowerDescription& power) {
    if (power.mode_count == 0) return;
    refuse_if(power.mode_count > PowerDescription::kMostModes,
              "a link has at most two low-power modes");
    refuse_if(power.policy >= link_policies().size(), "there is no such policy");
    check_watts("the power of an active link", power.on_uw);
    check_watts("the power of going to sleep", power.sleep_uw);
    check_watts("the power of waking", power.wake_uw);
    check_watts("the power of a refresh", power.refresh_uw);
    check_span("the threshold", power.threshold);
    check_span("the time to linger", power.linger);
    if (power.deep_after != kForever)
        check_span("the time before the deeper mode", power.deep_after);
    for (std::uint32_t mode = 0; mode < power.mode_count; ++mode)
        check_mode(power, power.modes[mode]);
    if (power.mode_count == 1) return;
    refuse_if(power.modes[1].low_uw > power.modes[0].low_uw,
              "the deeper mode draws more than the first");
    refuse_if(power.modes[1].wake_time < power.modes[0].wake_time,
              "the deeper mode wakes sooner than the first");
}

}  // namespace kumi::network
