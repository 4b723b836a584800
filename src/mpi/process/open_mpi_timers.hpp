#pragma once

namespace kumi::mpi {

/// Gives Open MPI, once it has started, timers that do not read the processor's counter: in a rank
/// each such reading is a trap, and Open MPI reads whenever it makes progress. They show real time,
/// as all clocks do to its code. Does nothing where readings are no traps.
void give_timers_to_open_mpi();

}  // namespace kumi::mpi
