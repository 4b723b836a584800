"""What the figures of the report show, computed from the tables piece by piece."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kumihimo.results import parquet
from kumihimo.results.binning import (
    SIZE_EDGES,
    TIME_EDGES,
    Histogram,
    add_stretches,
    group_bounds,
    group_of,
)
from kumihimo.results.records import CONTROL, MESSAGE_KINDS, RANK_STATES
from kumihimo.results.run import Run

# Rows and columns of the communication matrix, and rows of the time line.
MOST_GROUPS = 64
# The largest number of stretches of which the time line shows each.
MOST_STRETCHES = 6_000
# Cells of the time line otherwise. A row is 840 pixels wide, and cells of 1, 2 or 3 whole pixels
# leave no seams between them.
MOST_CELLS = 24_000
WHOLE_PIXEL_BINS = (840, 420, 280)
# Bars of the overview above the time line.
OVERVIEW_BINS = 280

WAIT = RANK_STATES.index("wait")


@dataclass
class MessageStatistics:
    """Of all MPI messages, control messages left out.

    Attributes:
        bounds: First and last rank of each row and column of the matrices.
        bytes_matrix: Bytes from row (source) to column (target).
        count_matrix: Messages from row to column.
        sizes: Histogram of sizes for each kind.
        queueing: Histogram of the time spent in queues, behind others.
        credit: Histogram of the time that a message waited for room in a buffer.
    """

    bounds: list[tuple[int, int]]
    bytes_matrix: npt.NDArray[np.float64]
    count_matrix: npt.NDArray[np.int64]
    sizes: dict[str, Histogram] = field(
        default_factory=lambda: {
            kind: Histogram.empty(SIZE_EDGES) for kind in MESSAGE_KINDS if kind != "control"
        }
    )
    queueing: Histogram = field(default_factory=lambda: Histogram.empty(TIME_EDGES))
    credit: Histogram = field(default_factory=lambda: Histogram.empty(TIME_EDGES))


@dataclass
class StateStatistics:
    """Of the ranks' states over time.

    Attributes:
        bounds: First and last rank of each row.
        stretches: Row, state, begin_ps, end_ps of every stretch; None if there are too many.
        cell_ps: Width of the cells in time.
        cells: Shape (rows, states, bins): picoseconds, summed over the ranks of a row.
        overview_ps: Width of the overview's bars.
        overview: Shape (states, bins): picoseconds, summed over all ranks.
        waits: Histogram of the lengths of waits.
    """

    bounds: list[tuple[int, int]]
    stretches: tuple[npt.NDArray[np.int64], ...] | None
    cell_ps: int
    cells: npt.NDArray[np.float64]
    overview_ps: int
    overview: npt.NDArray[np.float64]
    waits: Histogram = field(default_factory=lambda: Histogram.empty(TIME_EDGES))


def message_statistics(run: Run) -> MessageStatistics:
    """Read `messages.parquet` once."""
    ranks = max(1, run.document["ranks"])
    bounds, group = group_bounds(ranks, MOST_GROUPS), group_of(ranks, MOST_GROUPS)
    side = len(bounds)
    result = MessageStatistics(bounds, np.zeros((side, side)), np.zeros((side, side), np.int64))
    columns = ["source", "target", "kind", "size_bytes", "queueing_ps", "credit_wait_ps"]
    for chunk in parquet.read_chunks(run.table_path("messages"), columns):
        mpi = chunk["kind"] != CONTROL
        source, target, kinds, sizes, queueing, credit = (chunk[name][mpi] for name in columns)
        cells = group[source] * side + group[target]
        counts = np.bincount(cells, minlength=side * side)
        weights = np.bincount(cells, weights=sizes.astype(np.float64), minlength=side * side)
        result.count_matrix += counts.reshape(side, side)
        result.bytes_matrix += weights.reshape(side, side)
        for kind, histogram in result.sizes.items():
            histogram.add(sizes[kinds == MESSAGE_KINDS.index(kind)])
        result.queueing.add(np.maximum(queueing - credit, 0))
        result.credit.add(credit)
    return result


def state_statistics(run: Run) -> StateStatistics:
    """Read `states.parquet` once."""
    ranks = max(1, run.document["ranks"])
    path = run.table_path("states")
    is_exact = ranks <= MOST_GROUPS and parquet.count_rows(path) <= MOST_STRETCHES
    bounds, group = group_bounds(ranks, MOST_GROUPS), group_of(ranks, MOST_GROUPS)
    bins = next(bins for bins in WHOLE_PIXEL_BINS if bins * len(bounds) <= MOST_CELLS)
    end_ps = max(1, run.virtual_time_ps)
    states = len(RANK_STATES)
    result = StateStatistics(
        bounds,
        None,
        _width(end_ps, bins),
        np.zeros((len(bounds), states, bins)),
        _width(end_ps, OVERVIEW_BINS),
        np.zeros((states, OVERVIEW_BINS)),
    )
    kept = []
    for chunk in parquet.read_chunks(path, ["rank", "state", "begin_ps", "end_ps"]):
        state = chunk["state"].astype(np.int64)
        begin = np.clip(chunk["begin_ps"], 0, end_ps)
        end = np.clip(chunk["end_ps"], 0, end_ps)
        result.waits.add((chunk["end_ps"] - chunk["begin_ps"])[state == WAIT])
        some = end > begin
        row, state, begin, end = group[chunk["rank"]][some], state[some], begin[some], end[some]
        flat = result.cells.reshape(-1, bins)
        add_stretches(flat, row * states + state, begin, end, result.cell_ps)
        add_stretches(result.overview, state, begin, end, result.overview_ps)
        if is_exact:
            kept.append((row, state, begin, end))
    if is_exact and kept:
        result.stretches = tuple(np.concatenate(column) for column in zip(*kept, strict=True))
    return result


def _width(end_ps: int, bins: int) -> int:
    return max(1, -(-end_ps // bins))
