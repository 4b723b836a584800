"""Where each rank's time went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from kumihimo.results import display
from kumihimo.results.binning import group_bounds
from kumihimo.results.ranking import STATE_KEYS
from kumihimo.results.report.figure import WIDTH, Figure, rows_data
from kumihimo.results.report.statistics import MOST_GROUPS
from kumihimo.results.report.timeline_figure import row_labels, state_colour

# Few ranks lie as bars below each other, many stand side by side.
_MOST_LYING = 16
_COLUMNS = {"row": "string", "state": "string", "order": "number", "time": "number",
            "share": "number"}  # fmt: skip


def rank_figure(document: Mapping[str, Any]) -> Figure:
    """Draw compute, communication and wait of every rank, or of groups of ranks."""
    ranks = document["per_rank"]
    labels = row_labels(group_bounds(len(ranks), MOST_GROUPS))
    unit_ps, unit = display.time_unit(document["virtual_time_ps"])
    rows = _rows(ranks, labels, unit_ps, document["virtual_time_ps"])
    title = f"Virtual time ({unit})"
    chart = alt.Chart(rows_data(_COLUMNS, rows), width=WIDTH).encode(
        color=state_colour(),
        order=alt.Order("order:Q"),
        tooltip=[
            alt.Tooltip("row:N", title="Rank"),
            alt.Tooltip("state:N", title="State"),
            alt.Tooltip("time:Q", title=f"Time ({unit})", format=",.4~f"),
            alt.Tooltip("share:Q", title="Of the run (%)", format=".1f"),
        ],
    )
    axis = alt.Axis(labelAngle=0, labelOverlap="greedy", labelSeparation=8, ticks=False)
    if len(labels) <= _MOST_LYING:
        drawn = chart.mark_bar(height=16).encode(
            x=alt.X("time:Q", title=title, stack="zero"),
            y=alt.Y("row:N", title="Rank", sort=labels, axis=axis),
        )
        drawn = drawn.properties(height=24 * len(labels))
    else:
        drawn = chart.mark_bar().encode(
            x=alt.X("row:N", title="Rank", sort=labels, axis=axis),
            y=alt.Y("time:Q", title=title, stack="zero"),
        )
        drawn = drawn.properties(height=220)
    of_what = "each group of ranks, on average," if len(ranks) > MOST_GROUPS else "each rank"
    return Figure(
        "ranks",
        "Where the time went",
        f"How long {of_what} computed, was inside the MPI library (overheads, matching, polling), "
        "and was blocked until something arrived, or asleep.",
        drawn,
        len(rows),
    )


def _rows(
    ranks: Sequence[Mapping[str, Any]], labels: Sequence[str], unit_ps: int, virtual_time_ps: int
) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    bounds = group_bounds(len(ranks), MOST_GROUPS)
    for label, (first, last) in zip(labels, bounds, strict=True):
        group = ranks[first : last + 1]
        for order, key in enumerate(STATE_KEYS):
            mean_ps = sum(row[key] for row in group) / len(group)
            share = 100 * mean_ps / max(1, virtual_time_ps)
            state = key.removesuffix("_ps")
            rows.append((label, state, order, f"{mean_ps / unit_ps:.7g}", f"{share:.2f}"))
    return rows
