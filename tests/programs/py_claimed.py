"""A receive from any source after one in lower case, which takes its message by MPI_Mrecv."""

import time

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
value = np.full(1, world.rank, dtype="i")
if world.rank == 0:
    assert world.recv(source=1, tag=1) == "claimed"
    world.Send(value, dest=3, tag=3)
    order = []
    for _ in range(2):
        world.Recv(value, source=MPI.ANY_SOURCE, tag=2)
        order.append(int(value[0]))
        MPI.COMM_SELF.Ibarrier().Wait()
    assert order == [3, 1], order
    print("py_claimed: passed")
elif world.rank == 1:
    world.send("claimed", dest=0, tag=1)
    world.Recv(np.empty(1, dtype="i"), source=2, tag=7)
    world.Send(value, dest=0, tag=2)
elif world.rank == 2:
    time.sleep(0.3)
    world.Send(value, dest=1, tag=7)
else:
    world.Recv(np.empty(1, dtype="i"), source=0, tag=3)
    time.sleep(0.001)
    world.Send(value, dest=0, tag=2)
