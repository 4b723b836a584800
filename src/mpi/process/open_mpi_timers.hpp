#pragma once

namespace kumi::mpi {

/// Gives Open MPI, once it has started, timers that do not read the processor's counter: each such
/// reading is a trap in a rank, and its progress makes one whenever it is called. They show real
/// time, as what its code reads always does. Does nothing where no reading traps, or if its timers
/// do not read the counter.
void give_timers_to_open_mpi();

}  // namespace kumi::mpi
