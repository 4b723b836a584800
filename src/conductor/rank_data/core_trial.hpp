#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace kumi::conductor {

/// Whether a run gets on faster with several busy cores than with one, as measured in the run
/// itself: now and then both are tried for some milliseconds, and the MPI calls that begin
/// meanwhile are counted. Cores that bring less than a tenth are left to others, and are not even
/// tried where programs compute too little between their calls. Where they mostly compute for long
/// at a stretch, several are chosen at once: there a trial would count the phases of their steps.
/// Runs begin on several cores, since their first stretch may be a long one, and go on with one
/// if it was not. Results do not depend on it. Plain data in the segment.
class CoreTrial {
   public:
    /// A process that computes for that long hardly notices that it does so on another core.
    static constexpr std::int64_t kLong_ns = 500'000;

    /// `now_ns` is real time, by any clock; `calls` have begun so far, of all ranks. Returns
    /// whether several cores may be busy now.
    bool allows_several(std::int64_t now_ns, std::uint64_t calls) {
        if (now_ns >= x_until_ns) go_on(now_ns, calls);
        return x_several_now;
    }
    /// Several cores may be busy until something else is measured.
    void allow_several() {
        x_several_pay = x_several_now = true;
        x_window = kRests;
        x_rest_ns = kFirstRest_ns;
    }
    /// As many cores as there are may be busy from now on, whatever is measured.
    void end_trials() {
        allow_several();
        x_until_ns = std::numeric_limits<std::int64_t>::max();
    }
    /// On one core: whether programs are to say how long they compute between MPI calls.
    bool measures_computing() const { return x_window == kComputing; }
    /// `measuring_ns`: what it took to find out, which is none of it.
    void note_computing(std::int64_t ns, std::int64_t measuring_ns) {
        x_computed_ns += ns;
        x_measuring_ns += measuring_ns;
        if (ns >= kLong_ns) note_long(ns);
    }
    /// A program has computed for `ns` at stretches of kLong_ns or more.
    void note_long(std::int64_t ns) { x_long_ns += ns; }

   private:
    static constexpr std::int64_t kWindow_ns = 8'000'000;  ///< Of a trial, which has four.
    /// If fewer calls begin in a window, trials have longer ones, for twice as many calls.
    static constexpr double kFewCalls = 200;
    static constexpr std::int64_t kLongestWindow_ns = 8 * kWindow_ns;
    /// Between trials. Four times as long after each that has changed nothing.
    static constexpr std::int64_t kFirstRest_ns = 8 * kWindow_ns;
    static constexpr std::int64_t kLongestRest_ns = 256 * kWindow_ns;
    static constexpr std::uint32_t kWindows = 4;
    static constexpr std::uint32_t kRests = kWindows;
    /// On one core, a window before the trial: for how long programs compute in it.
    static constexpr std::uint32_t kComputing = kWindows + 1;
    /// On several, the first of all windows.
    static constexpr std::uint32_t kBegins = kWindows + 2;
    /// What several cores must bring, if one was chosen before.
    static constexpr double kLeastGain = 1.15;

    struct Measured {
        double calls = 0, ns = 0;
        double rate() const { return std::max(calls, 1.0) / std::max(ns, 1.0); }
    };

    void go_on(std::int64_t now_ns, std::uint64_t calls) {
        const Measured last{static_cast<double>(calls - x_calls_before),
                            static_cast<double>(now_ns - x_began_ns)};
        const bool was_long = static_cast<double>(std::exchange(x_long_ns, 0)) > last.ns / 2;
        x_began_ns = now_ns;
        x_calls_before = calls;
        if (x_until_ns == 0) return begin();
        if (x_window == kBegins) {
            if (!was_long) return measure_computing();
            allow_several();
            return rest(kFirstRest_ns / 4);
        }
        if (x_window >= kRests) {
            if (!x_several_pay && x_window == kRests) return measure_computing();
            if (!x_several_pay && !may_pay(last)) return keep();
            if (!x_several_pay && std::exchange(x_is_new, false)) return measure_computing();
            if (was_long) return choose_several();
            const double few_ns = kFewCalls / last.rate();
            if (few_ns > kWindow_ns && !x_several_pay && mostly_computes(last))
                return choose_several();
            if (few_ns > kLongestWindow_ns) return keep();
            return begin_trial(few_ns);
        }
        Measured& sum = x_measured[x_several_now ? 1 : 0];
        sum.calls += last.calls;
        sum.ns += last.ns;
        ++x_window;
        decide();
    }
    /// The first window.
    void begin() {
        x_window = kBegins;
        x_several_now = true;
        x_until_ns = x_began_ns + kWindow_ns;
    }
    /// Twice at first: what a program touches for the first time makes its first steps slow.
    void measure_computing() {
        x_window = kComputing;
        x_several_now = false;
        x_computed_ns = x_measuring_ns = 0;
        x_until_ns = x_began_ns + kWindow_ns;
    }
    /// Cores do in parallel only what programs compute between their calls.
    bool may_pay(const Measured& last) const {
        const double all_ns = without_measuring(last);
        return all_ns > kLeastGain * (all_ns - static_cast<double>(x_computed_ns));
    }
    bool mostly_computes(const Measured& last) const {
        return static_cast<double>(x_computed_ns) > without_measuring(last) / 2;
    }
    double without_measuring(const Measured& last) const {
        return last.ns - static_cast<double>(x_measuring_ns);
    }
    /// What was chosen before is right.
    void keep() {
        x_rest_ns = std::min(4 * x_rest_ns, kLongestRest_ns);
        rest(x_rest_ns);
    }
    /// Without a trial.
    void choose_several() {
        if (x_several_pay) return keep();
        allow_several();
        rest(x_rest_ns);
    }
    /// `few_ns`: what kFewCalls take.
    void begin_trial(double few_ns) {
        const auto twice_ns = static_cast<std::int64_t>(2 * few_ns);
        x_window_ns = few_ns > kWindow_ns ? std::min(twice_ns, kLongestWindow_ns) : kWindow_ns;
        x_window = 0;
        x_measured[0] = x_measured[1] = {};
        try_for_a_window();
    }
    /// What is tried comes first and last, what was chosen before twice in between.
    void try_for_a_window() {
        x_several_now = (x_window == 1 || x_window == 2) == x_several_pay;
        x_until_ns = x_began_ns + x_window_ns;
    }
    void rest(std::int64_t for_ns) {
        x_window = kRests;
        x_several_now = x_several_pay;
        x_until_ns = x_began_ns + for_ns;
    }
    void decide() {
        if (x_window != kWindows / 2 && x_window != kWindows) return try_for_a_window();
        const double gain = x_measured[1].rate() / x_measured[0].rate();
        const bool is_clear = gain < 0.9 || gain > 1.4;
        if (x_window != kWindows && !is_clear) return try_for_a_window();
        if (x_measured[0].calls + x_measured[1].calls < kFewCalls) return keep();
        const bool pay = gain > (x_several_pay ? 1.1 : kLeastGain);
        if (pay == x_several_pay) return keep();
        x_several_pay = pay;
        x_rest_ns = kFirstRest_ns;
        rest(x_rest_ns);
    }

    bool x_several_pay = false;  ///< As far as is known.
    bool x_several_now = false;
    bool x_is_new = true;             ///< Computing was not measured twice yet.
    std::uint32_t x_window = kRests;  ///< Of the trial.
    std::int64_t x_window_ns = kWindow_ns;
    std::int64_t x_rest_ns = kFirstRest_ns / 4;
    std::int64_t x_until_ns = 0;  ///< 0: nothing has begun.
    std::int64_t x_began_ns = 0;
    std::uint64_t x_calls_before = 0;
    std::int64_t x_computed_ns = 0, x_measuring_ns = 0;
    std::int64_t x_long_ns = 0;  ///< Computed at long stretches since x_began_ns.
    Measured x_measured[2];      ///< On one core, and on several.
};

}  // namespace kumi::conductor
