#pragma once

#include <sys/time.h>
#include <time.h>

#include <cstdint>

#include "mpi/clocks/rank_clock.hpp"

/// What functions of time do for the program, whichever way it has called them. Not for
/// Stage::kOutside, nor for MPI libraries.
namespace kumi::mpi {

/// As clock_gettime.
int program_clock_gettime(clockid_t id, timespec* time);
/// As gettimeofday; `zone` may be null.
void program_gettimeofday(timeval* time, struct timezone* zone);
/// As time.
time_t program_time(time_t* time);

/// As clock_nanosleep: 0 or an error number.
int program_sleep(clockid_t id, int flags, const timespec* request, timespec* remaining);

/// The CPU time that the program sees, in nanoseconds: the time since the process started, as the
/// calling thread sees it, without its sleeps. MPI libraries wait by polling, so that a rank uses
/// its core all the time. A `reading` pays for itself.
std::int64_t cpu_time_ns(ClockUse use);

}  // namespace kumi::mpi
