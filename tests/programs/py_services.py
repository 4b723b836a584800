"""As services.c with sums, in Python."""

from mpi4py import MPI

from kumihimo.hint import hint

world = MPI.COMM_WORLD
following, previous = (world.rank + 1) % world.size, (world.rank - 1) % world.size
assert hint("NO_SUCH_KEY", "1") == -1
for _ in range(2):
    for _ in range(10):
        assert world.allreduce(world.rank) == world.size * (world.size - 1) // 2
    assert hint("IN_KERNEL", "1") == 0
    for number in range(200):
        own, received = bytearray([world.rank + number]) * 10240, bytearray(10240)
        world.Sendrecv(own, following, 7, received, previous, 7)
        assert received == bytearray([previous + number]) * 10240
    assert hint("IN_KERNEL", "0") == 0
if world.rank == 0:
    print("services: all is as it must be")
