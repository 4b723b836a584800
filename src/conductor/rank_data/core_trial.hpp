#pragma once

#include <algorithm>
#include <cstdint>

namespace kumi::conductor {

/// Whether a run gets on faster with several busy cores than with one, as measured in the run
/// itself: now and then both are tried for some milliseconds, and the MPI calls that begin
/// meanwhile are counted. Cores that bring less than a tenth are left to others. Results do not
/// depend on it. Plain data in the segment.
class CoreTrial {
   public:
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

   private:
    static constexpr std::int64_t kWindow_ns = 8'000'000;  ///< Of a trial, which has four.
    /// Between trials. Four times as long after each that has changed nothing.
    static constexpr std::int64_t kFirstRest_ns = 8 * kWindow_ns;
    static constexpr std::int64_t kLongestRest_ns = 256 * kWindow_ns;
    /// Too few calls in a window say nothing. Ranks that call so seldom compute for long.
    static constexpr std::uint64_t kFewCalls = 200;
    static constexpr std::uint32_t kWindows = 4;
    static constexpr std::uint32_t kRests = kWindows;

    struct Measured {
        double calls = 0, ns = 0;
        double rate() const { return std::max(calls, 1.0) / std::max(ns, 1.0); }
    };

    void go_on(std::int64_t now_ns, std::uint64_t calls) {
        const Measured last{static_cast<double>(calls - x_calls_before),
                            static_cast<double>(now_ns - x_began_ns)};
        x_began_ns = now_ns;
        x_calls_before = calls;
        if (x_until_ns == 0) return rest(kWindow_ns);
        if (x_window == kRests) {
            if (last.rate() * kWindow_ns < kFewCalls) {
                allow_several();
                return rest(x_rest_ns);
            }
            x_window = 0;
            x_measured[0] = x_measured[1] = {};
            return try_for_a_window();
        }
        Measured& sum = x_measured[x_several_now ? 1 : 0];
        sum.calls += last.calls;
        sum.ns += last.ns;
        ++x_window;
        if (!decide()) return try_for_a_window();
        rest(x_rest_ns);
    }
    /// What is tried comes first and last, what was chosen before twice in between.
    void try_for_a_window() {
        x_several_now = (x_window == 1 || x_window == 2) == x_several_pay;
        x_until_ns = x_began_ns + kWindow_ns;
    }
    void rest(std::int64_t for_ns) {
        x_window = kRests;
        x_several_now = x_several_pay;
        x_until_ns = x_began_ns + for_ns;
    }
    /// False: not yet.
    bool decide() {
        if (x_window != kWindows / 2 && x_window != kWindows) return false;
        const double gain = x_measured[1].rate() / x_measured[0].rate();
        const bool is_clear = gain < 0.9 || gain > 1.4;
        if (x_window != kWindows && !is_clear) return false;
        const bool pay = gain > (x_several_pay ? 1.1 : 1.15);
        x_rest_ns = pay == x_several_pay ? std::min(4 * x_rest_ns, kLongestRest_ns) : kFirstRest_ns;
        x_several_pay = pay;
        return true;
    }

    bool x_several_pay = true;  ///< As far as is known.
    bool x_several_now = true;
    std::uint32_t x_window = kRests;  ///< Of the trial.
    std::int64_t x_rest_ns = kFirstRest_ns / 4;
    std::int64_t x_until_ns = 0;  ///< 0: nothing has begun.
    std::int64_t x_began_ns = 0;
    std::uint64_t x_calls_before = 0;
    Measured x_measured[2];  ///< On one core, and on several.
};

}  // namespace kumi::conductor
