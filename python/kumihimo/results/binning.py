"""Sorts integers into bins, exactly, and stretches of time into equal bins of time."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

# 0, then 1, 2, 5, 10, ... picoseconds up to 1,000 s.
TIME_EDGES: Integers = np.array(
    [0] + [factor * 10**power for power in range(15) for factor in (1, 2, 5)] + [10**15],
    dtype=np.int64,
)
# 0, then the powers of two up to 1 TiB.
SIZE_EDGES: Integers = np.array([0] + [1 << power for power in range(41)], dtype=np.int64)


@dataclass
class Histogram:
    """Counts and sums of values in bins; bin i takes values from edges[i] to below edges[i + 1].

    Values of the last edge and above fall into the last bin.
    """

    edges: Integers
    counts: Integers
    sums: npt.NDArray[np.float64]

    @classmethod
    def empty(cls, edges: Integers) -> Histogram:
        """Return a histogram without values."""
        return cls(edges, np.zeros(len(edges), np.int64), np.zeros(len(edges), np.float64))

    def add(self, values: npt.NDArray[Any]) -> None:
        """Sort values in; they must not be negative."""
        if values.size == 0:
            return
        bins = np.searchsorted(self.edges, values.astype(np.int64), side="right") - 1
        self.counts += np.bincount(bins, minlength=len(self.edges))
        self.sums += np.bincount(bins, weights=values.astype(np.float64), minlength=len(self.edges))

    @property
    def total(self) -> int:
        """How many values were sorted in."""
        return int(self.counts.sum())

    def span(self) -> range:
        """Return the bins from the first to the last that holds a value other than 0."""
        filled = np.flatnonzero(self.counts[1:]) + 1
        return range(int(filled[0]), int(filled[-1]) + 1) if filled.size else range(0)


def union_span(histograms: list[Histogram]) -> range:
    """Return the bins that `Histogram.span` gives for all of the histograms together."""
    spans = [histogram.span() for histogram in histograms if histogram.span()]
    if not spans:
        return range(0)
    return range(min(span.start for span in spans), max(span.stop for span in spans))


def group_bounds(count: int, most_groups: int) -> list[tuple[int, int]]:
    """Divide 0..count-1 into at most `most_groups` runs of neighbours: (first, last) of each."""
    groups = min(count, most_groups)
    starts = [index * count // groups for index in range(groups)] + [count]
    return [(first, after - 1) for first, after in pairwise(starts)]


def group_of(count: int, most_groups: int) -> npt.NDArray[np.int64]:
    """Return for each of 0..count-1 the group that `group_bounds` puts it in."""
    result = np.zeros(count, dtype=np.int64)
    for group, (first, last) in enumerate(group_bounds(count, most_groups)):
        result[first : last + 1] = group
    return result


def add_stretches(
    bins: npt.NDArray[np.float64],
    keys: npt.NDArray[np.int64],
    begin_ps: Integers,
    end_ps: Integers,
    width_ps: int,
) -> None:
    """Add stretches of time to bins of equal width.

    Args:
        bins: Shape (keys, bins), in picoseconds; added to in place.
        keys: Row of each stretch.
        begin_ps: Begin of each stretch, not before 0.
        end_ps: End of each stretch, after its begin and not after the last bin's end.
        width_ps: Width of a bin.
    """
    row_length = bins.shape[1]
    first, last = begin_ps // width_ps, (end_ps - 1) // width_ps
    size = bins.size
    # Every bin that a stretch touches counts in full; then the parts outside it are taken off.
    steps = np.bincount(keys * (row_length + 1) + first, minlength=size + bins.shape[0])
    steps -= np.bincount(keys * (row_length + 1) + last + 1, minlength=size + bins.shape[0])
    covered = steps.reshape(bins.shape[0], row_length + 1).cumsum(axis=1)[:, :-1]
    bins += covered * float(width_ps)
    before = (begin_ps - first * width_ps).astype(np.float64)
    after = ((last + 1) * width_ps - end_ps).astype(np.float64)
    flat = bins.reshape(-1)
    flat -= np.bincount(keys * row_length + first, weights=before, minlength=size)
    flat -= np.bincount(keys * row_length + last, weights=after, minlength=size)
