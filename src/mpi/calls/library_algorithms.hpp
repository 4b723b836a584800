#pragma once

/// What is known of how the loaded MPI library carries out collective operations.
namespace kumi::mpi {

/// Whether MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw wait for all messages that they have
/// started before they start others. MPICH's do: they exchange pairs, send by Bruck's algorithm, or
/// start some of the messages and wait for these. Not known of other libraries, nor if the user
/// chooses algorithms: some of MPICH's nonblocking operations replace messages one by one.
bool exchanges_in_rounds();

}  // namespace kumi::mpi
