"""Conjugate gradients for Poisson's equation on a square, in Python with mpi4py and NumPy.

The method of [Hestenes52] without a matrix: the rows of the grid lie on the ranks in strips, a
product exchanges the strips' outer rows with two neighbours, and dot products are allreduces. The
right side is made from a known solution, which the program must find again.

Usage: conjugate_gradient.py [side of the grid] [iterations] [error]

With the word `error` the program succeeds whatever its error is.
"""

from __future__ import annotations

import sys

import numpy as np
from mpi4py import MPI
from numpy.typing import NDArray

Rows = NDArray[np.float64]
TOLERANCE = 1e-10


class Strip:
    """This rank's rows of the grid.

    Attributes:
        side: Points along one side of the whole grid.
        first: The first row that lies here.
        count: How many rows do.
    """

    def __init__(self, communicator: MPI.Comm, side: int) -> None:
        """Share `side` rows among the ranks, of which there must not be more."""
        rank, ranks = communicator.rank, communicator.size
        self.communicator = communicator
        self.side = side
        self.first = side * rank // ranks
        self.count = side * (rank + 1) // ranks - self.first
        self.above = rank - 1 if rank > 0 else MPI.PROC_NULL
        self.below = rank + 1 if rank + 1 < ranks else MPI.PROC_NULL
        self.framed = np.zeros((self.count + 2, side + 2))

    def known_solution(self) -> Rows:
        """Return a solution that is zero around the grid and has no symmetry."""
        x = np.arange(1, self.side + 1) / (self.side + 1)
        y = np.arange(self.first + 1, self.first + self.count + 1)[:, None] / (self.side + 1)
        return np.asarray(x * (1 - x) * np.exp(x) * np.sin(3 * y) * (1 - y))

    def apply(self, values: Rows) -> Rows:
        """Return the operator of five points on `values`, shape (count, side)."""
        framed = self.framed
        framed[1:-1, 1:-1] = values
        exchange = self.communicator.Sendrecv
        exchange(framed[1], self.above, 0, framed[-1], self.below, 0)
        exchange(framed[-2], self.below, 1, framed[0], self.above, 1)
        around = framed[:-2, 1:-1] + framed[2:, 1:-1] + framed[1:-1, :-2] + framed[1:-1, 2:]
        return np.asarray(4 * values - around)

    def dot(self, a: Rows, b: Rows) -> float:
        """Return the dot product over all ranks."""
        mine, total = np.array([np.vdot(a, b)]), np.zeros(1)
        self.communicator.Allreduce(mine, total)
        return float(total[0])


def solve(strip: Strip, right_side: Rows, most: int) -> tuple[Rows, int]:
    """Return the solution and how many iterations it took, `most` at most."""
    solution = np.zeros_like(right_side)
    residual = right_side.copy()
    direction = residual.copy()
    square = strip.dot(residual, residual)
    goal = TOLERANCE**2 * square
    for iteration in range(most):
        if square <= goal:
            return solution, iteration
        product = strip.apply(direction)
        step = square / strip.dot(direction, product)
        solution += step * direction
        residual -= step * product
        before, square = square, strip.dot(residual, residual)
        direction = residual + square / before * direction
    return solution, most


def main() -> int:
    """Solve and compare; return the exit status."""
    communicator = MPI.COMM_WORLD
    given = [text for text in sys.argv[1:] if text != "error"]
    tells_error = len(given) < len(sys.argv) - 1
    side, most = (int(text) for text in (given + ["64", "400"][len(given) :]))
    strip = Strip(communicator, side)
    known = strip.known_solution()
    right_side = strip.apply(known)
    communicator.Barrier()
    start = MPI.Wtime()
    found, iterations = solve(strip, right_side, most)
    passed = MPI.Wtime() - start
    error = communicator.allreduce(float(np.abs(found - known).max()), MPI.MAX)
    right = error < 1e-7
    if communicator.rank == 0:
        print(f"conjugate_gradient.py virtual_seconds {passed:.12f}")
        verdict = "VERIFIED" if right else "WRONG"
        print(
            f"conjugate_gradient.py: {iterations} iterations, largest error {error:.1e}: {verdict}"
        )
        if tells_error:
            print(f"conjugate_gradient.py: error {error:.6e}")
    return 0 if right or tells_error else 1


if __name__ == "__main__":
    sys.exit(main())
