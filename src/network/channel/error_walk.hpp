#pragma once

#include <cstdint>

#include "base/random/random_stream.hpp"
#include "network/channel/axis_errors.hpp"
#include "network/channel/channel.hpp"

namespace kumi::network {

/// An axis with errors.
struct AxisError {
    std::uint64_t axis = 0;
    std::uint32_t pattern = 0;  ///< Of its wrong bits, bit 0 the least significant.
};

/// Goes over a row of axes from one with errors to the next, without looking at those between:
/// costs a draw or two for each error, and two for each burst.
class ErrorWalk {
   public:
    /// @param outside, inside  Of bursts; they must outlive the walk.
    ErrorWalk(const ErrorPatterns& outside, const ErrorPatterns& inside, const Bursts& bursts,
              RandomStream random, std::uint64_t axes);

    /// The next one; false after the last.
    bool next(AxisError& error);

   private:
    void change_state();

    const ErrorPatterns* x_patterns[2];
    Bursts x_bursts;
    RandomStream x_random;
    std::uint64_t x_axes;
    std::uint64_t x_at = 0;         ///< The first axis not looked at.
    std::uint64_t x_state_end = 0;  ///< Where this burst, or the time between two, ends.
    bool x_in_burst = false;
};

}  // namespace kumi::network
