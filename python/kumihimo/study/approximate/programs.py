"""The programs of the study, and which of their messages may arrive with errors."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kumihimo.study.approximate import traffic
from kumihimo.study.approximate.traffic import Traffic
from kumihimo.study.campaign import Campaign

_NUMBER = r"(\S+)"
FINDS = {
    "seconds": rf"virtual_seconds {_NUMBER}",
    "error": rf"error {_NUMBER}",
    "iterations": r"(\d+) iterations",
}
CLUSTERS, DIMENSIONS = 11, 9
_FT_ITERATIONS = 6
_WORD_BITS = {"double": 64, "float": 32}


@dataclass(frozen=True)
class Program:
    """A program as it is run.

    Attributes:
        name: In tables.
        source: Its file in examples/apps.
        arguments: All of them.
        ranks: How many.
        datatype: Of the numbers that may arrive with errors.
        function: The MPI function that sends them.
        traffic: What may arrive with errors, by the number of iterations.
        protected_bits: As published for this program.
        smallest_size: In bytes, of messages that may arrive with errors.
        environment: Set for it.
        ends_by_itself: Whether iterations end when there is nothing more to do.
    """

    name: str
    source: str
    arguments: str
    ranks: int
    datatype: str
    function: str
    traffic: Callable[[int], Traffic]
    protected_bits: int
    smallest_size: int = 0
    environment: str = ""
    ends_by_itself: bool = False

    @property
    def word_bits(self) -> int:
        """How many bits a number has."""
        return _WORD_BITS[self.datatype]

    @property
    def is_counted(self) -> bool:
        """Whether it can count its work, which programs of Python cannot."""
        return self.source.endswith(".c")

    def line(self, campaign: Campaign, source: Path) -> str:
        """Return how to start it; what is compiled is compiled."""
        file = source / "examples" / "apps" / self.source
        program = (
            campaign.program(file) if self.is_counted else shlex.join([sys.executable, str(file)])
        )
        start = f"env {self.environment} " if self.environment else ""
        return f"{start}{program} {self.arguments}"

    def rule(self, protected_bits: int) -> str:
        """Return the rule of a policy for its messages."""
        return (
            f'[[rule]]\ndatatype = "{self.datatype}"\nfunction = "{self.function}"\n'
            f'smallest_size = "{self.smallest_size} B"\n'
            f"protected_bits = {min(protected_bits, self.word_bits)}\n"
        )


_ORDERS = {"S": 1400, "A": 14000}
_POINTS = {"S": 64**3, "A": 256 * 256 * 128}


def conjugate_gradient(letter: str, ranks: int, *, agrees: bool) -> Program:
    """Return CG; only its partial sums may arrive with errors, which are twice its other vectors.

    Args:
        letter: Its class.
        ranks: An odd power of two: with twice as many columns as rows, sizes distinguish messages.
        agrees: Whether ranks of a row take the sum of the first of them.
    """
    order = _ORDERS[letter]
    return Program(
        name=f"CG {letter}{', agreeing' if agrees else ''}",
        source="conjugate_gradient.c",
        arguments=f"{letter}{' agree' if agrees else ''} error",
        ranks=ranks,
        datatype="double",
        function="MPI_Sendrecv",
        traffic=lambda _: traffic.row_sums(ranks, order),
        protected_bits=16,
        smallest_size=traffic.row_sum_bytes(ranks, order),
    )


def fourier_transform(letter: str, ranks: int) -> Program:
    """Return FT; all of its transpositions may arrive with errors."""
    return Program(
        name=f"FT {letter}",
        source="fourier_transform.c",
        arguments=f"{letter} {_FT_ITERATIONS} error",
        ranks=ranks,
        datatype="double",
        function="MPI_Alltoall",
        traffic=lambda _: traffic.all_to_all(ranks, _POINTS[letter], _FT_ITERATIONS),
        protected_bits=16,
    )


def k_means(points: int, most: int, ranks: int) -> Program:
    """Return k-means with clusters that overlap; its sums of coordinates may arrive with errors.

    Args:
        points: How many.
        most: Of iterations.
        ranks: A power of two.
    """
    return Program(
        name="k-means",
        source="k_means.c",
        arguments=f"{points} {CLUSTERS} {DIMENSIONS} {most} 50 float error",
        ranks=ranks,
        datatype="float",
        function="MPI_Allreduce",
        traffic=lambda iterations: traffic.sums(ranks, CLUSTERS * DIMENSIONS, iterations),
        protected_bits=12,
        # As MVAPICH2 does it with short messages, and as the closed form has it.
        environment="MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling",
        ends_by_itself=True,
    )


def poisson(side: int, ranks: int) -> Program:
    """Return conjugate gradients without a matrix; edges of strips may arrive with errors."""
    return Program(
        name="Poisson",
        source="conjugate_gradient.py",
        arguments=f"{side} 1000 error",
        ranks=ranks,
        datatype="double",
        function="MPI_Sendrecv",
        traffic=lambda iterations: traffic.edges(ranks, side, iterations),
        protected_bits=16,
        ends_by_itself=True,
    )
