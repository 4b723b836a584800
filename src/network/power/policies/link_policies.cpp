#include <algorithm>
#include <bit>

#include "network/power/policies/link_policy.hpp"

namespace kumi::network {

void LinkHistory::note(const PowerDescription& power, Duration idle, Duration wake,
                       const PowerTimes& times) {
    const int log2 = std::bit_width(static_cast<std::uint64_t>(idle.ps)) - 1;
    const std::uint32_t length = std::min(static_cast<std::uint32_t>(log2), kClasses - 1);
    ++idles[length];
    idle_time[length] += idle;
    waited += wake;
    held_up += wake;
    if (power.on_uw == 0) return;
    const Energy drawn = times.energy(power);
    const Energy active = (drawn + power.on_uw - 1) / power.on_uw;
    saved += idle + wake - Duration{static_cast<std::int64_t>(active)};
}

namespace policies {
extern const LinkPolicy prewake, perfbound;
}

namespace {

constexpr LinkPolicy kAlwaysOn{.name = "always_on",
                               .help = "Links never sleep.",
                               .course = [](const PowerDescription& power, const LinkHistory*,
                                            Instant, bool) { return IdleCourse::awake(power); }};

constexpr LinkPolicy kOnOff{
    .name = "on_off",
    .help = "A link goes to sleep as soon as it has nothing to carry, and wakes when data come.",
    .course = [](const PowerDescription& power, const LinkHistory*, Instant, bool) {
        return IdleCourse(power, {}, power.deep_after);
    }};

constexpr LinkPolicy kThreshold{
    .name = "threshold",
    .help =
        "A link goes to sleep when it has had nothing to carry for the time of "
        "`link_power.threshold`, and wakes when data come.",
    .course = [](const PowerDescription& power, const LinkHistory*, Instant, bool) {
        return IdleCourse(power, power.threshold, power.deep_after);
    }};

constexpr LinkPolicy kIdeal{
    .name = "ideal",
    .help =
        "An oracle: a link sleeps whenever that saves energy, and is awake again exactly when "
        "data come. No link can do that; it is the measure of the others.",
    .foresees = true};

}  // namespace

std::span<const LinkPolicy* const> link_policies() {
    // Not by registration before main: ranks run networks that another process has built, and must
    // find each policy at the same place.
    static constexpr const LinkPolicy* kAll[] = {
        &kAlwaysOn, &kOnOff, &kThreshold, &policies::prewake, &policies::perfbound, &kIdeal};
    return kAll;
}

std::uint32_t find_link_policy(std::string_view name) {
    const auto all = link_policies();
    const auto found = std::ranges::find(all, name, &LinkPolicy::name);
    return static_cast<std::uint32_t>(found - all.begin());
}

}  // namespace kumi::network
