"""Merging short stretches of time, and choosing things from all over a run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumihimo.results.thinning import spread, thin


@given(
    lengths=st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(1, 10**6)), min_size=1
    ),
    most=st.integers(6, 60),
    cut=st.integers(0, 50),
)
def test_no_time_is_lost_and_nothing_overlaps(
    lengths: list[tuple[int, int, int]], most: int, cut: int
) -> None:
    clocks = [0, 0, 0]
    rows = []
    for track, state, length in lengths:
        rows.append((track, state, clocks[track], clocks[track] + length))
        clocks[track] += length
    table = np.array(rows, dtype=np.int64)
    chunks = [
        (part[:, 0], part[:, 1], part[:, 2], part[:, 3]) for part in (table[:cut], table[cut:])
    ]
    thinned = thin(chunks, 3, 3, max(clocks), most)
    assert len(thinned.track) <= most
    assert thinned.merged.sum() == len(rows)
    for track in range(3):
        mine = thinned.track == track
        begins, ends = thinned.begin_ps[mine], thinned.end_ps[mine]
        assert (begins[1:] == ends[:-1]).all()
        assert (ends - begins == thinned.times_ps[mine].sum(axis=1)).all()
        for state in range(3):
            spent = sum(length for t, s, length in lengths if (t, s) == (track, state))
            assert thinned.times_ps[mine, state].sum() == spent


def test_long_stretches_stay_as_they_are() -> None:
    columns = tuple(np.array(column) for column in ([0, 0, 0, 0], [0, 1, 0, 2], [0, 50, 51, 52],
                                                    [50, 51, 52, 100]))  # fmt: skip
    thinned = thin([columns], 1, 3, 100, 20)  # type: ignore[list-item]
    assert thinned.shorter_than_ps == 10
    assert thinned.begin_ps.tolist() == [0, 50, 52]
    assert thinned.state.tolist() == [0, 0, 2]
    assert thinned.merged.tolist() == [1, 2, 1]


def test_more_tracks_than_stretches_are_refused() -> None:
    with pytest.raises(ValueError, match="4 tracks do not fit into 7 stretches"):
        thin([], 4, 1, 100, 7)


@given(total=st.integers(1, 5000), most=st.integers(1, 300), cut=st.integers(0, 5000))
def test_things_are_chosen_evenly(total: int, most: int, cut: int) -> None:
    cut = min(cut, total)
    chosen = np.concatenate([spread(0, cut, total, most), spread(cut, total - cut, total, most)])
    assert chosen.sum() == min(total, most)
    places = np.flatnonzero(chosen)
    if total > most:
        assert (np.diff(places) <= 2 * -(-total // most)).all()
