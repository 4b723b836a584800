#pragma once

#include <array>
#include <cstdint>

#include "base/call_name.hpp"

namespace kumi {

/// How long a process will compute after an MPI call, from how long it did after earlier calls of
/// that name: one that computes for long is worth a context switch elsewhere. By samples of a
/// coarse clock, which cost next to nothing: the result is right on the average.
class ComputeForecast {
   public:
    /// MPI call `name` ends. Returns for how long the process is expected to compute.
    std::int64_t leave_ns(const CallName& name);
    /// The next one begins.
    void enter();

   private:
    static constexpr std::uint32_t kPlaces = 64;

    std::array<std::int64_t, kPlaces> x_average_ns{};
    std::uint32_t x_place = 0;
    std::int64_t x_left_ns = 0;  ///< 0: not in virtual time yet.
};

}  // namespace kumi
