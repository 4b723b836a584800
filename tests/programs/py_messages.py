"""mpi4py: a ring of pickled objects and of buffers, and collectives of both kinds."""

import numpy as np
from mpi4py import MPI


def ring(world: MPI.Intracomm) -> None:
    """Pass an object and a buffer once round."""
    right, left = (world.rank + 1) % world.size, (world.rank - 1) % world.size
    got = world.sendrecv({"from": world.rank, "text": "x" * 1000}, dest=right, source=left)
    assert got == {"from": left, "text": "x" * 1000}
    values = np.full(100_000, float(world.rank))
    request = world.Irecv(received := np.empty_like(values), source=left, tag=3)
    world.Send(values, dest=right, tag=3)
    request.Wait()
    assert (received == left).all()


def collectives(world: MPI.Intracomm) -> int:
    """Reduce, gather and exchange; return the sum of all ranks."""
    total = world.allreduce(world.rank)
    assert total == world.size * (world.size - 1) // 2
    assert world.bcast([1, 2, 3] if world.rank == 0 else None) == [1, 2, 3]
    assert world.allgather(world.rank**2) == [rank**2 for rank in range(world.size)]
    assert world.alltoall([(world.rank, i) for i in range(world.size)]) == [
        (i, world.rank) for i in range(world.size)
    ]
    table = np.empty(world.size, dtype="i")
    world.Allgather(np.array([world.rank], dtype="i"), table)
    assert table.tolist() == list(range(world.size))
    return total


def main() -> None:
    """Run everything and let rank 0 say that it passed."""
    world = MPI.COMM_WORLD
    ring(world)
    total = collectives(world)
    world.Barrier()
    if world.rank == 0:
        print(f"py_messages: total {total}", flush=True)


main()
