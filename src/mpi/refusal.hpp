#pragma once

namespace kumi::mpi {

/// If this process is a rank: ends the run, saying that the MPI function `name` cannot be had in
/// it, and does not return. Otherwise does nothing.
void refuse_in_run(const char* name);

}  // namespace kumi::mpi
