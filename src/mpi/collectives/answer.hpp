#pragma once

#include "mpi/collectives/arguments.hpp"
#include "mpi/collectives/kind.hpp"

/// Each carries out one call of the program's to one function, unless it is one for the MPI
/// library. All that decides which of the two is the same on all ranks of the communicator.
namespace kumi::mpi::collectives {

Outcome answer_alltoall(const Exchange& call);
Outcome answer_allgather(const Exchange& call);
Outcome answer_allreduce(const Reduction& call);
Outcome answer_bcast(const Broadcast& call);
Outcome answer_alltoallv(const UnevenExchange& call);
Outcome answer_reduce_scatter_block(const Reduction& call);
Outcome answer_barrier(Word communicator);

}  // namespace kumi::mpi::collectives
