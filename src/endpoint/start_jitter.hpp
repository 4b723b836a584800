#pragma once

#include <cstdint>

#include "base/random/random_stream.hpp"
#include "base/time/time.hpp"

namespace kumi::endpoint {

/// How late each rank notices a common start. Plain data: it may lie in a segment.
///
/// Stands for errors of a node's synchroniser: clocks of different phase, packets that take longer
/// than their known latency, and the time until the processor learns of the start. The error of one
/// start is drawn from [0, largest], and is an error of the rank's clock until the next start. It
/// is a function of the run's seed, the rank and the number of the start.
class StartJitter {
   public:
    /// No jitter.
    StartJitter() : StartJitter(Duration{}, 0) {}
    /// @param largest  Not negative.
    /// @param seed     Of the run.
    StartJitter(Duration largest, std::uint64_t seed)
        : x_largest(largest), x_streams(seed, "collectives.jitter") {}

    /// @param start  Number of common starts that the rank has left before, with any group.
    Duration error(std::uint32_t rank, std::uint64_t start) const {
        if (x_largest == Duration{}) return {};
        const auto choices = static_cast<std::uint64_t>(x_largest.ps) + 1;
        return {static_cast<std::int64_t>(x_streams.of(rank).stream(start).below(choices))};
    }

   private:
    Duration x_largest;
    RandomStreams x_streams;
};

}  // namespace kumi::endpoint
