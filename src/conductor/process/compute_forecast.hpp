#pragma once

#include <array>
#include <cstdint>

#include "base/call_name.hpp"

namespace kumi::conductor {

/// How long a process will compute after an MPI call, from how long it did after earlier calls of
/// that name, in which it also got what it waits for, or did not: one
/// that computes for long is worth a context switch elsewhere. By samples of a coarse clock, which
/// cost next to nothing: the result is right on the average.
class ComputeForecast {
   public:
    /// MPI call `name` ends, in which a receive was complete (`has_received`) or none. Returns for
    /// how long the process is expected to compute.
    std::int64_t leave_ns(const CallName& name, bool has_received);
    /// The next one begins.
    void enter();
    /// In between, the process waits for its turn, and computes on.
    void pause() {
        if (x_left_ns != 0 && x_pauses++ == 0) x_spent_ns += coarse_ns() - x_left_ns;
    }
    void resume() {
        if (x_left_ns != 0 && --x_pauses == 0) x_left_ns = coarse_ns();
    }
    /// Whether the process has computed for less than 8 µs between its calls, on the average over
    /// the last ones (some thousands, if there were as many): no second core pays for that.
    bool is_little() const { return x_all.samples >= kEnough && x_all.ns < kLittle_ns; }

   private:
    /// Goes on in steps of some milliseconds.
    static std::int64_t coarse_ns();

    static constexpr std::uint32_t kNames = 64;
    static constexpr std::int64_t kEnough = 128;
    static constexpr std::int64_t kLittle_ns = 8'000;

    struct Average {
        std::int64_t ns = 0;
        std::int64_t samples = 0;

        /// One sample counts for such a part of the average: at first, and after many.
        void add(std::int64_t sample_ns, std::int64_t first_weight, std::int64_t last_weight);
    };
    std::array<Average, 2 * kNames> x_averages{};
    Average x_all;
    std::uint32_t x_place = 0;
    std::int64_t x_spent_ns = 0;  ///< Since the last call ended, until the last pause.
    std::int64_t x_left_ns = 0;   ///< 0: inside of MPI, or not in virtual time yet.
    std::uint32_t x_pauses = 0;   ///< Begun, one within the other.
};

}  // namespace kumi::conductor
