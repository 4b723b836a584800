"""Fewer stretches of time, for browsers: short ones are merged, over the whole run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
# Of each stretch its track (a rank or a link), its state, its begin and its end.
Stretches = tuple[Integers, Integers, Integers, Integers]


@dataclass(frozen=True)
class Thinned:
    """Stretches in the order of their begin, and for each what it was made of.

    Attributes:
        shorter_than_ps: Stretches shorter than this may have been merged.
        track: Of each.
        begin_ps: Of each.
        end_ps: Of each.
        times_ps: Shape (stretches, states): how much of it each state had.
        merged: How many stretches each stands for.
    """

    shorter_than_ps: int
    track: Integers
    begin_ps: Integers
    end_ps: Integers
    times_ps: Integers
    merged: Integers

    @property
    def state(self) -> Integers:
        """The state that most of the time went to."""
        return np.asarray(self.times_ps.argmax(axis=1), dtype=np.int64)


def thin(chunks: Iterable[Stretches], tracks: int, states: int, end_ps: int, most: int) -> Thinned:
    """Merge stretches until there are at most `most`.

    Time is divided into equal bins. What is at least as long as a bin stays as it is; shorter
    stretches of a track that begin in the same bin become one. (Nothing long lies between them: it
    would reach beyond the bin.)

    Args:
        chunks: The stretches, those of one track without overlaps.
        tracks: How many tracks there are; at most half of `most`.
        states: How many states there are.
        end_ps: End of the run.
        most: How many stretches may be left.
    """
    bins = most // (2 * tracks)
    if bins < 1:
        raise ValueError(f"{tracks} tracks do not fit into {most} stretches")
    width = max(1, -(-end_ps // bins))
    cells = tracks * bins
    begin = np.full(cells, np.iinfo(np.int64).max)
    end = np.zeros(cells, np.int64)
    times = np.zeros((cells, states), np.int64)
    merged = np.zeros(cells, np.int64)
    long: list[Stretches] = []
    for track, state, begins, ends in chunks:
        is_long = ends - begins >= width
        long.append((track[is_long], state[is_long], begins[is_long], ends[is_long]))
        short = ~is_long
        at = track[short] * bins + np.minimum(begins[short] // width, bins - 1)
        np.minimum.at(begin, at, begins[short])
        np.maximum.at(end, at, ends[short])
        np.add.at(times, (at, state[short]), ends[short] - begins[short])
        np.add.at(merged, at, 1)
    used = np.flatnonzero(merged)
    track, state, begins, ends = (
        np.concatenate([chunk[column] for chunk in long] or [np.empty(0, np.int64)])
        for column in range(4)
    )
    of_long = np.zeros((len(track), states), np.int64)
    of_long[np.arange(len(track)), state] = ends - begins
    columns = (
        np.concatenate([track, used // bins]),
        np.concatenate([begins, begin[used]]),
        np.concatenate([ends, end[used]]),
        np.concatenate([of_long, times[used]]),
        np.concatenate([np.ones(len(track), np.int64), merged[used]]),
    )
    order = np.lexsort((columns[0], columns[1]))
    return Thinned(width, *(column[order] for column in columns))


def spread(first: int, count: int, total: int, most: int) -> npt.NDArray[np.bool_]:
    """Choose `most` of `total` things, evenly but not at equal distances.

    Equal distances would meet the same step of a program again and again.

    Args:
        first: Number of the first thing asked about, from 0.
        count: How many are asked about, in order.
        total: How many things there are.
        most: How many are chosen, if there are as many.

    Returns:
        Which of those asked about are chosen.
    """
    if total <= most:
        return np.ones(count, np.bool_)
    numbers = np.arange(first, first + count, dtype=np.int64)
    # Each of `most` equal parts of the whole gives one thing, at a place by Fibonacci hashing.
    part = numbers * most // total
    begin = -(-part * total // most)
    size = -(-(part + 1) * total // most) - begin
    place = (part * 2_654_435_761 % 2**32) * size // 2**32
    return np.asarray(numbers == begin + place, dtype=np.bool_)
