"""Messages of Python objects in a random order, by mpi4py: the lower-case methods claim messages.

Usage: random_objects.py SEED ROUNDS KINDS. What arrives is checked; a digest is printed of the
order and the times that each rank has seen.
"""

import hashlib
import random
import sys
import time

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
seed, rounds = int(sys.argv[1]), int(sys.argv[2])
together = random.Random(seed)
mine = random.Random(seed * 31 + rank)
digest = hashlib.sha256()
BASE = 16


def see(*values: object) -> None:
    """Note something that the program could act on."""
    digest.update(repr(values).encode())


def pause() -> None:
    """Let the ranks fall out of step."""
    if mine.random() < 0.3:
        time.sleep(mine.random() * 2e-5)
    if mine.random() < 0.1:
        see(MPI.Wtime())


def payload(number: int, source: int) -> list[int]:
    return [number, source] * together_length


def gather(number: int) -> None:
    """All send to one rank, which takes what comes."""
    root = together.randrange(size)
    if rank != root:
        comm.send(payload(number, rank), root, number * BASE)
        return
    status = MPI.Status()
    for _ in range(size - 1):
        found = comm.recv(source=MPI.ANY_SOURCE, tag=number * BASE, status=status)
        assert found == payload(number, status.Get_source())
        see(status.Get_source())
        pause()


def shift(number: int) -> None:
    """All send to a neighbour, without waiting for it."""
    distance = together.randrange(1, size + 1)
    to, source = (rank + distance) % size, (rank - distance) % size
    request = comm.isend(payload(number, rank), to, number * BASE)
    pause()
    wild = together.random() < 0.5
    found = comm.recv(source=MPI.ANY_SOURCE if wild else source, tag=number * BASE)
    assert found == payload(number, source)
    request.wait()


def posted(number: int) -> None:
    """Receives that are posted before, and one that is looked for."""
    source, to = (rank - 1) % size, (rank + 1) % size
    receive = comm.irecv(1 << 16, source, number * BASE)
    pause()
    comm.send(payload(number, rank), to, number * BASE)
    if rank % 2:
        # Open MPI never ends a synchronous send whose message is claimed.
        is_open_mpi = "Open MPI" in MPI.Get_library_version()
        (comm.send if is_open_mpi else comm.ssend)(number, to, number * BASE + 1)
    if source % 2:
        while not comm.iprobe(source, number * BASE + 1):
            pass
        assert comm.recv(source=source, tag=number * BASE + 1) == number
    assert receive.wait() == payload(number, source)


def claimed(number: int) -> None:
    """A message that is claimed, and received after another one."""
    source, to = (rank - 1) % size, (rank + 1) % size
    requests = [comm.isend((number, place, rank), to, number * BASE + place) for place in range(3)]
    message = comm.mprobe(tag=number * BASE + 1)
    for place in (2, 0):
        assert comm.recv(tag=number * BASE + place) == (number, place, source)
    assert message.recv() == (number, 1, source)
    MPI.Request.waitall(requests)


def collective(number: int) -> None:
    """Objects to all, from all."""
    root = together.randrange(size)
    match together.randrange(4):
        case 0:
            assert comm.bcast(number if rank == root else None, root) == number
        case 1:
            assert comm.allgather(rank) == list(range(size))
        case 2:
            assert comm.allreduce(rank) == size * (size - 1) // 2
        case _:
            assert comm.alltoall([rank * size + to for to in range(size)]) == [
                source * size + rank for source in range(size)
            ]


KINDS = (gather, shift, posted, claimed, collective)

for number in range(rounds):
    together_length = together.choice([1, 1, 1, 20, 3000])
    pause()
    KINDS[together.randrange(len(KINDS))](number)
see(MPI.Wtime())
seen = comm.gather(digest.hexdigest()[:16])
if seen is not None:
    for each, text in enumerate(seen):
        print(f"rank {each} saw {text}")
    print(f"random_objects: passed on {size} ranks", flush=True)
