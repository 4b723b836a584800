#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "mpi/clocks/rank_stage.hpp"
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

/// What the calling thread has computed since it looked last is in its clock from now on: its own,
/// or the rank's if that is what it spends.
void count_own_computing();
/// What the calling thread's own clock says. That is behind the rank's if it has not looked since.
std::int64_t own_clock_ns();
/// The calling thread waits until `time_ns`, if that is still to come.
void come_to(std::int64_t time_ns);
/// Where a thread's clock begins that the calling one makes now; 0 if that is the rank's.
std::int64_t clock_to_begin_at_ns();
/// The calling thread begins, at that time.
void begin_thread_at(std::int64_t time_ns);
/// From now on the calling thread spends the rank's time, of which its own clock knows nothing.
void note_rank_thread();

/// How long the calling thread has slept and waited in vain so far.
std::int64_t slept_ns();

/// From now on clocks go on in real time, from `shown_ns` since the process started.
void end_virtual_time(std::int64_t shown_ns);

}  // namespace kumi::mpi
