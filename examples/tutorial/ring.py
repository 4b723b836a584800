"""Every rank sends to the next one on a ring."""

from mpi4py import MPI

comm = MPI.COMM_WORLD
right = (comm.rank + 1) % comm.size
left = (comm.rank - 1) % comm.size
begin = MPI.Wtime()
token = comm.sendrecv({"from": comm.rank}, dest=right, source=left)
if comm.rank == 0:
    print(f"got {token} after {(MPI.Wtime() - begin) * 1e6:.3f} µs")
