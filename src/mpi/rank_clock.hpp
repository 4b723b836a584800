#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "mpi/rank_stage.hpp"
#include "mpi/run_link.hpp"

/// What the program's clocks show in this process, in each thread.
namespace kumi::mpi {

/// The rank's clock, for code that does not spend its time: other threads, and the MPI library.
Instant clock_of_others();

/// Nanoseconds since the process started, as the calling thread sees them (program_time.hpp). A
/// `reading` pays for itself in virtual time. Not for Stage::kOutside.
enum class ClockUse : std::uint8_t { kReading, kPeek };
std::int64_t elapsed_ns(ClockUse use);

/// The calling thread has slept, or waited in vain, for `span_ns`: in virtual time only where it
/// spends that, else in real time already. Does nothing outside virtual time.
void pass_time(std::int64_t span_ns);

/// How long the calling thread has slept and waited in vain so far.
std::int64_t slept_ns();

/// What the calling thread has seen its clocks show last.
std::int64_t last_seen_ns();

/// From now on clocks go on in real time, from `shown_ns` since the process started.
void end_virtual_time(std::int64_t shown_ns);

}  // namespace kumi::mpi
