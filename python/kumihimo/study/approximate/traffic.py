"""The bytes between ranks in messages that may arrive with errors, by closed forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from kumihimo.platform.network import Network

# Bytes from a rank to another.
Traffic = Mapping[tuple[int, int], int]

_DOUBLE, _FLOAT, _COMPLEX = 8, 4, 16
# Of CG: outer iterations, and products of each.
_OUTER, _INNER = 15, 25


def rows_and_columns(ranks: int) -> tuple[int, int]:
    """Return the grid of ranks of CG, as wide as it is high or twice as wide."""
    rows = 1 << ((ranks.bit_length() - 1) // 2)
    return rows, ranks // rows


def row_sum_bytes(ranks: int, order: int) -> int:
    """Return the size of a partial sum of CG; `order` must be a multiple of the rows of ranks."""
    return order // rows_and_columns(ranks)[0] * _DOUBLE


def row_sums(ranks: int, order: int) -> Traffic:
    """Return the partial sums of a matrix-vector product of CG, by recursive doubling in rows."""
    _, columns = rows_and_columns(ranks)
    size = row_sum_bytes(ranks, order)
    return _doubling(ranks, columns, _OUTER * _INNER * size)


def all_to_all(ranks: int, points: int, iterations: int) -> Traffic:
    """Return the transpositions of FT: one forward, and one for each iteration."""
    size = points // ranks**2 * _COMPLEX * (iterations + 1)
    return {(a, b): size for a in range(ranks) for b in range(ranks) if a != b}


def sums(ranks: int, numbers: int, iterations: int) -> Traffic:
    """Return the sums of k-means by recursive doubling, of floating-point numbers of 32 bits."""
    return _doubling(ranks, ranks, numbers * _FLOAT * iterations)


def edges(ranks: int, side: int, iterations: int) -> Traffic:
    """Return the edges of strips in their frames; one product more gives the right side."""
    size = (side + 2) * _DOUBLE * (iterations + 1)
    pairs = ((rank, rank + 1) for rank in range(ranks - 1))
    return {pair: size for low, high in pairs for pair in ((low, high), (high, low))}


def _doubling(ranks: int, group: int, size: int) -> Traffic:
    """Return what ranks exchange with those at distances of 2^k in groups of successive ranks."""
    found: Counter[tuple[int, int]] = Counter()
    distance = 1
    while distance < group:
        for rank in range(ranks):
            found[rank, rank ^ distance] += size
        distance *= 2
    return found


def wrong_bits(network: Network, traffic: Traffic, open_share: float) -> float:
    """Return how many bits are expected to be wrong; one that two links turn counts twice.

    Args:
        network: With rank k on host k.
        traffic: Of messages that may arrive with errors.
        open_share: Of the bits of each number, those that are not protected.
    """
    return sum(
        8
        * size
        * open_share
        * sum(float(hop["bit_error_rate"]) for hop in network.noisy_hops(*pair))
        for pair, size in traffic.items()
    )


def bandwidth_share(word_bits: int, protected_bits: int) -> float:
    """Return what is left of the bandwidth of links of 1024-QAM."""
    return 4 * word_bits / (4 * word_bits + protected_bits)
