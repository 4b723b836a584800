#include <algorithm>

#include "network/power/policies/link_policy.hpp"

namespace kumi::network::policies {
namespace {

constexpr std::uint32_t kShortest = 16;  // 2^16 ps, about 66 ns.
constexpr std::int64_t kMillion = 1'000'000;

/// `span` x numerator / denominator, or kForever if that is less.
Duration scaled_within_time(Duration span, std::int64_t numerator, std::int64_t denominator) {
    __extension__ using Wide = __int128;
    const Wide exact = static_cast<Wide>(span.ps) * numerator / denominator;
    return exact < kForever.ps ? Duration{static_cast<std::int64_t>(exact)} : kForever;
}

/// The threshold, as a power of two in ps, that would have gained most: with it the link sleeps
/// through what is left of the longer idle times, or through as many as it may wake from. Each time
/// costs it `cost`. Longer than any idle time was, if none would have gained.
Duration best_threshold(const LinkHistory& history, std::int64_t wakes_allowed, Duration cost) {
    Duration best{std::int64_t{1} << LinkHistory::kClasses};
    std::int64_t most_ps = 0;
    std::int64_t count = 0;
    std::int64_t total_ps = 0;
    for (std::uint32_t exponent = LinkHistory::kClasses; exponent-- > kShortest;) {
        count += history.idles[exponent];
        total_ps += history.idle_time[exponent].ps;
        const Duration threshold{std::int64_t{1} << exponent};
        const std::int64_t each_ps = count == 0 ? 0 : total_ps / count - (threshold + cost).ps;
        if (each_ps < 0) continue;
        const std::int64_t asleep_ps = each_ps * std::min(count, wakes_allowed);
        if (asleep_ps < most_ps) continue;
        most_ps = asleep_ps;
        best = threshold;
    }
    return best;
}

/// How often the link may have been woken until `when`, if it keeps the part that it has had in
/// what may be spent on waking.
std::int64_t wakes_allowed(const PowerDescription& power, const LinkHistory& history, Instant when,
                           Duration wake) {
    if (wake.ps == 0) return kNever.ps;
    const Duration all = scaled(when - Instant{}, power.slowdown_ppm, kMillion);
    const std::int64_t own = (history.waited + wake).ps;
    return scaled(all, own, (history.held_up + wake).ps).ps / wake.ps;
}

/// When so much waiting will be `slowdown` of the time so far. Rounded up, so that the share is
/// never exceeded.
Instant allowed_at(const PowerDescription& power, Duration waits) {
    return Instant{} + scaled_within_time(waits, kMillion, power.slowdown_ppm) + Duration{1};
}

/// The threshold from which on this link earns what waits cost: it draws power for as long as the
/// program is held up, which is `waits` if it must wake again. A link that has been idle for long
/// will, as far as is known, be idle for as long again.
Duration paying_threshold(const PowerDescription& power, const LinkHistory& history,
                          Duration waits) {
    const std::uint64_t spared_uw = power.on_uw - power.modes[0].low_uw;
    if (spared_uw == 0) return kForever;
    const Duration debt = waits - history.saved;
    if (debt.ps <= 0) return {};
    return power.modes[0].sleep_time + scaled_within_time(debt,
                                                          static_cast<std::int64_t>(power.on_uw),
                                                          static_cast<std::int64_t>(spared_uw));
}

/// After PerfBound [Saravanan18]: what the link itself has seen decides, and what packets brought
/// of other links. It never goes to sleep, nor deeper, before one more wake keeps the bound, so
/// that the bound is kept at all times.
IdleCourse course(const PowerDescription& power, const LinkHistory* history, Instant when,
                  bool /*was_called*/) {
    if (power.slowdown_ppm == 0) return IdleCourse::awake(power);
    const Duration wake = longest_wake(power, 1);
    const Duration deep_wake = longest_wake(power, power.mode_count);
    // Until this link hears of it, all others may hold up what comes, one after the other.
    const Duration others =
        scaled_within_time(deep_wake, power.bounds_program ? history->links - 1 : 0, 1);
    const Duration before = history->held_up + others;

    const Duration best = best_threshold(*history, wakes_allowed(power, *history, when, wake),
                                         power.modes[0].sleep_time + wake);
    const Duration threshold = std::max({best, paying_threshold(power, *history, before + wake),
                                         allowed_at(power, before + wake) - when});
    const Instant asleep = when + threshold + power.modes[0].sleep_time;
    const Duration before_deep =
        std::max(power.deep_after, allowed_at(power, before + deep_wake) - asleep);
    return IdleCourse(power, threshold, before_deep);
}

}  // namespace

extern const LinkPolicy perfbound{
    .name = "perfbound",
    .help =
        "As threshold; but each link sets its own, from what it has seen, so that no chain of "
        "messages is held up by more than `link_power.slowdown` of the time; or, with "
        "`link_power.bound`, by one link.",
    .learns = true,
    .course = &course};

}  // namespace kumi::network::policies
