"""Depths of the queues of matching over virtual time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kumihimo import vega
from kumihimo.results import parquet
from kumihimo.results.binning import Integers
from kumihimo.results.report.time_lines import PARTS, part_ends, time_lines
from kumihimo.results.run import Run


def queue_lines(run: Run, colours: Mapping[str, str]) -> tuple[vega.Chart | None, int]:
    """Draw the deepest queue of posted receives, and of unexpected messages, of all ranks.

    A queue that is always empty is left out.

    Args:
        run: A result.
        colours: Of the two lines, by their names: first of posted receives.

    Returns:
        The chart, None if the result has no such rows, and its number of points.
    """
    if not run.has_table("queue_depths") or run.virtual_time_ps == 0:
        return None, 0
    both = zip(colours, deepest_over_time(run), strict=True)
    lines = {name: line for name, line in both if line.any()}
    if not lines:
        return None, 0
    shown = {name: colours[name] for name in lines}
    chart = time_lines(run, "Deepest queue of any rank", lines, shown, what="Queue of")
    return chart, len(lines) * PARTS


def deepest_over_time(run: Run) -> tuple[Integers, Integers]:
    """Return the most posted receives, and unexpected messages, of any rank in each of PARTS."""
    deepest = np.zeros(PARTS, np.int64), np.zeros(PARTS, np.int64)
    ends = np.array(part_ends(run), np.int64)
    names = ["begin_ps", "end_ps", "posted", "unexpected"]
    for chunk in parquet.read_chunks(run.table_path("queue_depths"), names):
        # A stretch, like a part, ends before its end.
        first = np.searchsorted(ends, chunk["begin_ps"], "right")
        count = np.searchsorted(ends, chunk["end_ps"], "left") - first + 1
        before = np.cumsum(count) - count
        parts = np.repeat(first - before, count) + np.arange(count.sum())
        for most, name in zip(deepest, names[2:], strict=True):
            np.maximum.at(most, parts, np.repeat(chunk[name].astype(np.int64), count))
    return deepest
