"""Allreduce, Bcast and Allgather of mpi4py, with arrays and in place."""

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
own = np.arange(5, dtype=np.float64) + rank
wanted = ranks * np.arange(5) + ranks * (ranks - 1) / 2
total = np.zeros(5)
world.Allreduce(own, total)
assert (total == wanted).all()
total = own.copy()
world.Allreduce(MPI.IN_PLACE, total, op=MPI.MAX)
assert (total == np.arange(5) + ranks - 1).all()
for root in (0, 3):
    data = np.arange(1000) + root if rank == root else np.zeros(1000, dtype=int)
    world.Bcast(data, root=root)
    assert (data == np.arange(1000) + root).all()
every = np.zeros((ranks, 5))
world.Allgather(own, every)
assert (every == np.arange(5) + np.arange(ranks)[:, None]).all()
every[:] = -1
every[rank] = own
world.Allgather(MPI.IN_PLACE, every)
assert (every == np.arange(5) + np.arange(ranks)[:, None]).all()
if rank == 0:
    print("py_scheduled_functions: all is as it must be")
