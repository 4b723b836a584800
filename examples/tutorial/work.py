"""Each rank says that it computes 4.8 million operations; rank 0 computes twice as much."""

from mpi4py import MPI

from kumihimo.compute import compute_flops, virtual_seconds

comm = MPI.COMM_WORLD
comm.barrier()
begin = virtual_seconds()
compute_flops(9.6e6 if comm.rank == 0 else 4.8e6)
comm.barrier()
if comm.rank == 0:
    print(f"{(virtual_seconds() - begin) * 1e3:.3f} ms of virtual time")
