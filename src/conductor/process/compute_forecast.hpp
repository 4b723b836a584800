#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "base/call_name.hpp"
#include "base/random/random_stream.hpp"
#include "conductor/system/real_time.hpp"

namespace kumi::conductor {

/// How long a process will compute after an MPI call, from how long it did after earlier calls of
/// that name, in which it also got what it waits for, or did not: one
/// that computes for long is worth a context switch elsewhere. By samples of a coarse clock, which
/// cost next to nothing: the result is right on the average.
class ComputeForecast {
   public:
    /// MPI call `name` ends, in which a receive was complete (`has_received`) or none. Returns for
    /// how long the process is expected to compute: for ever after the first such call, since not
    /// to let others go on may cost much, and to let them costs little once.
    std::int64_t leave_ns(const CallName& name, bool has_received);
    /// The next one begins. Returns the time that the process has computed at stretches of
    /// `long_ns` or more since the last call: right on the average, too, since only one stretch of
    /// four is timed exactly, and counts as four then.
    std::int64_t enter(std::int64_t long_ns);
    /// In between, the process waits for its turn, and computes on.
    void pause() {
        if (x_left_ns != 0) x_spent_ns += now_ns() - x_left_ns;
    }
    void resume() {
        if (x_left_ns != 0) x_left_ns = now_ns();
    }

   private:
    static constexpr std::uint32_t kNames = 64;
    static constexpr std::int64_t kExactEach = 4;
    static constexpr std::int64_t kUnknown_ns = std::numeric_limits<std::int64_t>::max();

    std::int64_t now_ns() const { return x_is_exact ? real_ns() : coarse_real_ns(); }
    /// Whether the next stretch is timed exactly: at random, since programs repeat themselves.
    bool draw();

    struct Average {
        std::int64_t ns = 0;
        std::int64_t samples = 0;
    };
    std::array<Average, 2 * kNames> x_averages{};
    std::uint32_t x_place = 0;
    std::int64_t x_spent_ns = 0;  ///< Since the last call ended, until the last pause.
    std::int64_t x_left_ns = 0;   ///< 0: inside of MPI, or not in virtual time yet.
    bool x_is_exact = false;
    std::uint64_t x_until_exact = 1;
    RandomStream x_gaps = RandomStreams(0, "conductor.stretches").stream();
};

}  // namespace kumi::conductor
