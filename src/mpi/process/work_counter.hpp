#pragma once

namespace kumi::mpi {

/// The work that the calling thread counts is the rank's from now on. Ends the run with a message
/// if the program does not count.
void follow_work_of_this_thread();

}  // namespace kumi::mpi
