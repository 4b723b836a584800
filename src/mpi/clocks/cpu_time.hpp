#pragma once

#include <cstdint>

#include "mpi/clocks/rank_clock.hpp"

namespace kumi::mpi {

/// The CPU time that the program sees, in nanoseconds: the time since the process started, as the
/// calling thread sees it, without its sleeps. MPI libraries wait by polling, so that a rank uses
/// its core all the time. A `reading` pays for itself.
std::int64_t cpu_time_ns(ClockUse use);

}  // namespace kumi::mpi
