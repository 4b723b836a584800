#pragma once

#include <atomic>
#include <cstdint>

#include "base/time/time.hpp"
#include "conductor/records/records.hpp"
#include "endpoint/request.hpp"

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
    /// Measured work: the process's CPU time when it began to compute. Written by the process: it
    /// says kUnseen before it looks how much it has computed.
    std::atomic<std::int64_t> began_cpu_ns{kUnseen};
};

/// When a rank's process ran, what it waits for, and where it goes on. Written whenever it is
/// handed the baton, or its rank's clock moves into another state.
struct TurnData {
    std::uint64_t ran_last = 0;  ///< The number of the handover by which it did.
    StateRecord last_stretch{};  ///< Not written yet; ends at 0 if there is none.
    /// The number of awaited requests that are not certain; 0 if that does not matter.
    std::uint32_t uncertain = 0;
    bool awaits_one = false;  ///< It awaits no more than one request.
    bool is_away = false;     ///< Its process computes without the baton; see baton.hpp.
    /// How often its process is inside of a port. If it is, no signal handler may be.
    std::uint8_t visits = 0;
    bool computes_long = false;     ///< In parallel with others, as far as is known.
    bool is_away_for_long = false;  ///< The last time that it went away, as far as was known.
    std::uint32_t core = 0;         ///< On which its process is, or was last.
    std::uint64_t received = 0;     ///< Messages of the rank when it had caught up last.
};

/// Complete requests that are not shown to a process, but held back; see running_ahead.hpp.
struct HeldRequests {
    /// The MPI library may want to answer something that is complete and was not taken yet.
    bool may_answer = false;
    bool holds_internal = false;  ///< Its MPI library's own messages are held back.
    bool sees_internal = false;   ///< They never are any more.
    std::uint32_t first = endpoint::kNone, last = endpoint::kNone;
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
