"""Rank 1 gives up while the others wait for it."""

from mpi4py import MPI

comm = MPI.COMM_WORLD
if comm.rank == 1:
    comm.Abort(7)
comm.barrier()
