"""Comm.Alltoall of mpi4py, with arrays, of objects, and in place."""

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
sent = 1000 * rank + np.arange(3 * ranks, dtype=np.int64)
wanted = np.array([1000 * (i // 3) + 3 * rank + i % 3 for i in range(3 * ranks)])
received = np.full(3 * ranks, -1, dtype=np.int64)
world.Alltoall(sent, received)
assert (received == wanted).all()
in_place = sent.copy()
world.Alltoall(MPI.IN_PLACE, in_place)
assert (in_place == wanted).all()
assert world.alltoall([(rank, to) for to in range(ranks)]) == [(of, rank) for of in range(ranks)]
if rank == 0:
    print("py_scheduled: all is as it must be")
