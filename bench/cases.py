"""The programs of the comparison, and how many messages each sends."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One program on one number of ranks.

    Attributes:
        name: How it is called in tables.
        program: The source file under bench/programs/ or examples/apps/, without suffix.
        arguments: Its arguments.
        ranks: How many ranks.
        messages: Messages between different ranks that its algorithm sends.
        repeats: How often each side is run.
    """

    name: str
    program: str
    arguments: tuple[str, ...]
    ranks: int
    messages: int
    repeats: int


def _ring(how: str, ranks: int, messages: int) -> Case:
    arguments = (str(messages // ranks), "1024", how)
    kind = {"token": "token ring", "all": "ring shift"}[how]
    name = f"{kind}, {ranks} ranks, {messages} messages"
    return Case(name, "ring", arguments, ranks, messages, 3)


def _halo(waits_for: str, ranks: int, exchanges: int) -> Case:
    messages = 6 * ranks * exchanges
    arguments = (str(exchanges), "1024", waits_for)
    kind = {"all": "halo", "each": "halo, a wait for each"}[waits_for]
    return Case(f"{kind}, {ranks} ranks", "halo", arguments, ranks, messages, 3)


def _conjugate_gradient(letter: str, ranks: int, repeats: int) -> Case:
    """The kernel CG, which solves 15 times.

    Each solution has 25 products, each a sum over a row and an exchange of segments with the rank
    across the diagonal, and 51 dot products; two more follow it.
    """
    side = math.isqrt(ranks)
    sums = 25 + 1 + 2 * 25 + 2
    each = ranks * sums * (side.bit_length() - 1) + 25 * (ranks - side)
    return Case(
        f"CG.{letter}, {ranks} ranks",
        "conjugate_gradient",
        (letter,),
        ranks,
        15 * each,
        repeats,
    )


def _all_to_all(how: str, rounds: int, repeats: int) -> Case:
    ranks = 256
    return Case(
        f"all-to-all, {how}, {ranks} ranks",
        "all_to_all",
        (str(rounds), "1024", how),
        ranks,
        rounds * ranks * (ranks - 1),
        repeats,
    )


def _fourier_transform(letter: str, ranks: int, iterations: int) -> Case:
    """Every transform is one all-to-all: one forward, one backward in each iteration."""
    return Case(
        f"FT.{letter}, {ranks} ranks",
        "fourier_transform",
        (letter, str(iterations)),
        ranks,
        (1 + iterations) * ranks * (ranks - 1),
        1,
    )


CASES = (
    Case("ping-pong, 2 ranks", "ping_pong", ("50000", "1024"), 2, 100_000, 5),
    Case("ping-pong, 2 ranks, long", "ping_pong", ("500000", "1024"), 2, 1_000_000, 3),
    _ring("token", 64, 40_960),
    _ring("token", 64, 1_024_000),
    _ring("token", 256, 40_960),
    _ring("token", 256, 1_024_000),
    _ring("all", 64, 1_024_000),
    _ring("all", 256, 1_024_000),
    _halo("all", 64, 1000),
    _halo("all", 256, 500),
    _halo("each", 64, 1000),
    _all_to_all("pairwise", 1, 3),
    _all_to_all("library", 1, 1),
    _conjugate_gradient("S", 64, 3),
    _conjugate_gradient("A", 64, 3),
    _conjugate_gradient("S", 256, 1),
    _fourier_transform("A", 256, 6),
)
