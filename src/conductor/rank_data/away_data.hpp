#pragma once

#include <atomic>
#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::conductor {

/// How far a process computes that is away, as others can see while it does. Plain data in the
/// segment.
struct ComputeProgress {
    static constexpr std::int64_t kUnseen = -1;

    // Counted work. Written with the baton held, before the process goes away.
    std::uint64_t counter = 0;  ///< Its address in the process; 0: it cannot be seen.
    std::uint64_t flops_per_kilocycle = 0;
    std::uint64_t charged = 0;  ///< So much of the counter is in the rank's clock.
    std::int64_t rest = 0;      ///< As for time_of_work.
    // Measured work.
    std::atomic<std::int32_t> thread{0};  ///< The rank's, by the system's number; 0: the only one.
    /// The CPU time of that thread when it began to compute. Written by the process: it says
    /// kUnseen before it looks how much it has computed.
    std::atomic<std::int64_t> began_cpu_ns{kUnseen};
};

/// What others see of a process that is away.
struct alignas(64) AwayData {
    ComputeProgress progress;
    Instant reached{};            ///< The smallest clock that the rank has, as others have found.
    std::uint64_t looked_at = 0;  ///< The last choice for which they looked.
    /// The free core that its process watches while it waits.
    std::uint32_t watched_core = 0;
};

}  // namespace kumi::conductor
