"""mpi4py windows: put, get and accumulate between fences, a counter under locks."""

import numpy as np
from mpi4py import MPI


def fences(world: MPI.Intracomm) -> None:
    """Write to the right neighbour, read back what it got."""
    right, left = (world.rank + 1) % world.size, (world.rank - 1) % world.size
    memory = np.zeros(1000)
    window = MPI.Win.Create(memory, disp_unit=memory.itemsize, comm=world)
    window.Fence()
    window.Put(np.full(500, float(world.rank)), right, target=250)
    window.Fence()
    assert (memory[250:750] == left).all()
    assert memory[:250].sum() == 0
    fetched = np.empty(10)
    window.Get(fetched, right, target=300)
    window.Fence()
    assert (fetched == world.rank).all()
    window.Accumulate(np.ones(5), 0, target=0, op=MPI.SUM)
    window.Fence()
    assert world.rank != 0 or (memory[:5] == world.size).all()
    window.Free()


def counter(world: MPI.Intracomm) -> int:
    """Draw tickets from rank 0; return how many were drawn."""
    memory = np.zeros(1, dtype="i8")
    window = MPI.Win.Create(memory if world.rank == 0 else None, disp_unit=8, comm=world)
    ticket = np.zeros(1, dtype="i8")
    for _ in range(3):
        window.Lock(0)
        window.Fetch_and_op(np.ones(1, dtype="i8"), ticket, 0)
        window.Unlock(0)
    world.Barrier()
    drawn = int(memory[0])
    window.Free()
    return drawn


def main() -> None:
    """Run everything and let rank 0 say that it passed."""
    world = MPI.COMM_WORLD
    fences(world)
    drawn = counter(world)
    if world.rank == 0:
        assert drawn == 3 * world.size
        print(f"py_windows: tickets {drawn}", flush=True)


main()
