"""Bins of values and of time against plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kumihimo.results.binning import (
    SIZE_EDGES,
    TIME_EDGES,
    Histogram,
    add_stretches,
    group_bounds,
    group_of,
    union_span,
)


@given(st.lists(st.integers(0, 2**50)), st.sampled_from([SIZE_EDGES, TIME_EDGES]))
def test_histogram_sorts_exactly(values: list[int], edges: np.ndarray) -> None:
    histogram = Histogram.empty(edges)
    half = len(values) // 2
    histogram.add(np.array(values[:half], np.int64))
    histogram.add(np.array(values[half:], np.int64))
    for index, edge in enumerate(edges.tolist()):
        above = edges[index + 1] if index + 1 < len(edges) else 2**63
        inside = [value for value in values if edge <= value < above]
        assert histogram.counts[index] == len(inside)
        assert histogram.sums[index] == sum(float(value) for value in inside)
    assert histogram.total == len(values)


def test_span_leaves_zero_out() -> None:
    histogram = Histogram.empty(SIZE_EDGES)
    assert not histogram.span()
    histogram.add(np.array([0]))
    assert not histogram.span()
    histogram.add(np.array([1, 5]))
    assert histogram.span() == range(1, 4)
    assert union_span([Histogram.empty(SIZE_EDGES), histogram]) == range(1, 4)
    assert not union_span([Histogram.empty(SIZE_EDGES)])


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 99), st.integers(1, 60))),
    st.integers(1, 40),
)
def test_stretches_land_in_their_bins(stretches: list[tuple[int, int, int]], width: int) -> None:
    bins = np.zeros((3, 160 // width + 1))
    expected = bins.copy()
    for key, begin, length in stretches:
        for instant in range(begin, begin + length):
            expected[key, instant // width] += 1
    keys, begins, lengths = (np.array([row[i] for row in stretches], np.int64) for i in range(3))
    add_stretches(bins, keys, begins, begins + lengths, width)
    assert bins.tolist() == expected.tolist()


@given(st.integers(1, 300), st.integers(1, 70))
def test_groups_cover_all(count: int, most: int) -> None:
    bounds = group_bounds(count, most)
    assert len(bounds) == min(count, most)
    members = [list(range(first, last + 1)) for first, last in bounds]
    assert [rank for group in members for rank in group] == list(range(count))
    assert max(map(len, members)) - min(map(len, members)) <= 1
    groups = group_of(count, most).tolist()
    assert groups == [index for index, group in enumerate(members) for _ in group]
