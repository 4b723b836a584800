#include <algorithm>

#include "network/power/link_policy.hpp"

namespace kumi::policies {
namespace {

constexpr std::uint32_t kShortest = 16;  // 2^16 ps, about 66 ns.

/// The threshold, as a power of two in ps, that would have gained most: with it the link sleeps
/// through what is left of the longer idle times, or through as many as it may wake from.
std::uint32_t best_threshold(const LinkHistory& history, std::int64_t wakes_allowed) {
    std::uint32_t best = kShortest;
    std::int64_t most_ps = 0;
    std::int64_t count = 0;
    std::int64_t total_ps = 0;
    for (std::uint32_t exponent = LinkHistory::kClasses; exponent-- > kShortest;) {
        count += history.idles[exponent];
        total_ps += history.idle_time[exponent].ps;
        std::int64_t asleep_ps = total_ps - (count << exponent);
        if (count > wakes_allowed) asleep_ps = asleep_ps / count * wakes_allowed;
        if (asleep_ps < most_ps) continue;
        most_ps = asleep_ps;
        best = exponent;
    }
    return best;
}

/// After PerfBound [Saravanan18]: only what the link itself has seen decides. It never
/// goes to sleep before one more wake keeps it within the share of the time so far that it may
/// spend on waking, so that the bound is kept at all times.
IdleCourse course(const PowerDescription& power, const LinkHistory* history, Instant when,
                  bool /*was_called*/) {
    constexpr std::int64_t kMillion = 1'000'000;
    if (power.slowdown_ppm == 0) return IdleCourse::awake(power);
    const Duration wake = power.modes[0].wake_time;
    const Duration allowed = scaled(when - Instant{}, power.slowdown_ppm, kMillion);
    const std::uint32_t exponent =
        best_threshold(*history, wake.ps == 0 ? kNever.ps : allowed.ps / wake.ps);
    const Duration threshold{std::int64_t{1} << exponent};
    const Instant next_wake =
        Instant{} + scaled(history->waited + wake, kMillion, power.slowdown_ppm);
    return IdleCourse(power, std::max(threshold, next_wake - when), power.deep_after);
}

}  // namespace

extern const LinkPolicy perfbound{
    .name = "perfbound",
    .help =
        "As threshold; but each link sets its own, the least one with which data have waited "
        "for it for no more than `link_power.slowdown` of the time.",
    .learns = true,
    .course = &course};

}  // namespace kumi::policies
