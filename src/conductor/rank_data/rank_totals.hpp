#pragma once

#include <cstdint>

#include "base/assertions.hpp"
#include "base/time/time.hpp"

namespace kumi::conductor {

/// What is counted of a rank by message and by handover.
struct alignas(64) RankTotals {
    Duration by_state[3] = {};  ///< By RankState.
    std::uint64_t messages_sent = 0, bytes_sent = 0;
    std::uint64_t messages_received = 0, bytes_received = 0;
    std::uint64_t handovers = 0;
    std::uint64_t answers_sent = 0;  ///< By its interface; gives each its sequence number.
};

/// What is counted of a rank less often.
struct SeldomTotals {
    std::uint64_t wake_frames = 0;     ///< That the rank has asked for.
    std::uint64_t clock_readings = 0;  ///< Of the program.
    Duration clock_time{};             ///< Of these outside of calls: in RankState::kCompute.
    std::uint64_t common_starts = 0;   ///< Number of those that the rank has left.
    AssertionTally asserted[kAssertions] = {};
    Duration slept{};  ///< Of the time in RankState::kWait.
};

/// CPU time of a rank's process, for the launcher only.
struct CpuTimes {
    std::int64_t joined_ns = 0;    ///< Until it joined.
    std::int64_t finished_ns = 0;  ///< Until it finished; 0: it has not.
    std::int64_t measured_ns = 0;  ///< What was measured as the program's computing.
};

/// What records of a rank's schedule must know.
struct RecordedTotals {
    /// Of those in the inbox, from the first: messages from before virtual time. Only counted if
    /// the run's schedule is recorded, in which they have no place.
    std::uint32_t messages_before_start = 0;
    // Only counted if the run's calls are recorded.
    std::uint32_t logged_requests = 0;  ///< Number of sends and receives on record.
    Duration computed{};                ///< By its process, which may be ahead of its clock.
    Duration computed_in_calls{};       ///< By the program, in callbacks of its MPI library.
};

}  // namespace kumi::conductor
