"""Collective functions of mpi4py that can be scheduled, with arrays and in place."""

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
counts = np.arange(ranks)
found = np.zeros(rank * ranks, dtype=np.int64)
world.Alltoallv(
    [np.full(counts.sum(), rank), counts],
    [found, np.full(ranks, rank)],
)
assert (found == np.repeat(np.arange(ranks), rank)).all()
block = np.zeros(2, dtype=np.int64)
world.Reduce_scatter_block(np.arange(2 * ranks) + rank, block)
assert (block == ranks * (2 * rank + np.arange(2)) + ranks * (ranks - 1) // 2).all()
if rank == 0:
    print("py_scheduled_functions: all is as it must be")
