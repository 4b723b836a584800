"""Numbers in which the program itself allows errors, in Python."""

import sys

import numpy as np
from mpi4py import MPI

from kumihimo.approx import approx_type

WORDS = 20_000


def numbers_of(rank: int) -> np.ndarray:
    """Return what a rank sends."""
    return np.linspace(rank + 1, rank + 2, WORDS)


def code_of(datatype: MPI.Datatype, protected_bits: int, *, force: bool = False) -> str:
    """Return the error class that the program gets for a type."""
    try:
        approx_type(datatype, protected_bits, force=force).Free()
    except MPI.Exception as error:
        return {MPI.ERR_TYPE: "type", MPI.ERR_ARG: "argument"}[error.Get_error_class()]
    return "success"


def main() -> None:
    """Send to the next rank, which knows what was sent."""
    world = MPI.COMM_WORLD
    right, left = (world.rank + 1) % world.size, (world.rank - 1) % world.size
    real = approx_type(MPI.DOUBLE, 16)
    column = real.Create_vector(WORDS, 1, 2).Commit()
    real.Free()
    out, received = np.zeros((WORDS, 2)), np.zeros((WORDS, 2))
    out[:, 0] = numbers_of(world.rank)
    world.Sendrecv([out, 1, column], right, recvbuf=[received, 1, column], source=left)
    column.Free()
    assert (received[:, 1] == 0).all()
    sent = numbers_of(left).view(np.uint64)
    difference = np.ascontiguousarray(received[:, 0]).view(np.uint64) ^ sent
    assert (difference >> np.uint64(48) == 0).all()
    wrong = world.allreduce(int(np.bitwise_count(difference).sum()))
    if world.rank == 0 and sys.argv[1:] == ["count"]:
        print(f"double wrong {wrong}")
        for found in (
            code_of(MPI.BYTE, 0),
            code_of(MPI.INT, 31),
            code_of(MPI.INT, 31, force=True),
            code_of(MPI.FLOAT, 33),
        ):
            print(found)
    if world.rank == 0:
        print("passed", flush=True)


main()
