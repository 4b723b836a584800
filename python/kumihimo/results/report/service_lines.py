"""Memory and connections of ranks over virtual time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from kumihimo import vega
from kumihimo.results import display, parquet
from kumihimo.results.binning import Integers
from kumihimo.results.report.time_lines import PARTS, part_ends, time_lines
from kumihimo.results.run import Run

# From the palette of Okabe and Ito.
_COLOURS = {"largest": "#D55E00", "median": "#0072B2", "smallest": "#009E73"}


def service_lines(run: Run) -> tuple[vega.Chart | None, int]:
    """Draw the largest, median and smallest memory, and number of connections, of all ranks.

    Returns:
        The chart, None if the result has no such rows or no time passed, and its number of points.
    """
    if not run.has_table("service_memory") or run.virtual_time_ps == 0:
        return None, 0
    if parquet.count_rows(run.table_path("service_memory")) == 0:
        return None, 0
    memory, connections = spread_over_time(run)
    size, unit = display.byte_unit(float(memory["largest"].max()))
    charts = [
        _chart(run, f"Memory ({unit})", memory, size),
        _chart(run, "Connections", connections, 1),
    ]
    return vega.vconcat(*charts, spacing=24), 2 * len(_COLOURS) * PARTS


def spread_over_time(run: Run) -> tuple[dict[str, Integers], dict[str, Integers]]:
    """Return the spread of memory, and of connections, at the ends of equal parts of the run."""
    ranks = int(run.document["ranks"])
    now = {name: np.zeros(ranks, np.int64) for name in ("memory_bytes", "connections")}
    found: dict[str, list[tuple[int, int, int]]] = {name: [] for name in now}
    ends = part_ends(run)

    def look() -> None:
        for name, values in now.items():
            middle = int(np.partition(values, (ranks - 1) // 2)[(ranks - 1) // 2])
            found[name].append((int(values.max()), middle, int(values.min())))

    for chunk in _chunks(run):
        begin = 0
        for end in np.searchsorted(chunk["at_ps"], ends[len(found["connections"]) :], "right"):
            _apply(now, chunk, begin, int(end))
            begin = int(end)
            if begin == len(chunk["at_ps"]):
                break
            look()
        else:
            _apply(now, chunk, begin, len(chunk["at_ps"]))
    while len(found["connections"]) < PARTS:
        look()
    memory, connections = (
        dict(zip(_COLOURS, np.array(found[name], np.int64).T, strict=True)) for name in now
    )
    return memory, connections


def _chunks(run: Run) -> Iterator[Mapping[str, Integers]]:
    names = ["at_ps", "rank", "memory_bytes", "connections"]
    yield from parquet.read_chunks(run.table_path("service_memory"), names)


def _apply(
    now: Mapping[str, Integers], chunk: Mapping[str, Integers], begin: int, end: int
) -> None:
    """Set what ranks have after the changes of a chunk from `begin` to `end`; the last counts."""
    for name, values in now.items():
        # Of an index that comes more than once, numpy keeps the last value.
        values[chunk["rank"][begin:end]] = chunk[name][begin:end]


def _chart(run: Run, title: str, spread: Mapping[str, Integers], divisor: int) -> vega.Chart:
    # Where all ranks have a pool, changes would not be seen from 0.
    from_zero = bool(spread["smallest"].min() < 0.8 * spread["largest"].max())
    return time_lines(
        run, title, spread, _COLOURS, what="Rank with", divisor=divisor, from_zero=from_zero
    )
