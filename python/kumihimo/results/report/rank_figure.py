"""Where each rank's time went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from kumihimo.results import display
from kumihimo.results.binning import group_bounds
from kumihimo.results.ranking import STATE_KEYS
from kumihimo.results.report.figure import WIDTH, Figure, rows_data
from kumihimo.results.report.statistics import MOST_GROUPS
from kumihimo.results.report.timeline_figure import row_labels, state_colour


def rank_figure(document: Mapping[str, Any]) -> Figure:
    """Draw compute, communication and wait of every rank, or of groups of ranks."""
    ranks = document["per_rank"]
    bounds = group_bounds(len(ranks), MOST_GROUPS)
    unit_ps, unit = display.time_unit(document["virtual_time_ps"])
    labels = row_labels(bounds)
    rows = []
    for label, (first, last) in zip(labels, bounds, strict=True):
        group = ranks[first : last + 1]
        for order, key in enumerate(STATE_KEYS):
            mean = sum(row[key] for row in group) / len(group) / unit_ps
            share = 100 * mean * unit_ps / max(1, document["virtual_time_ps"])
            rows.append((label, key.removesuffix("_ps"), order, f"{mean:.7g}", f"{share:.2f}"))
    columns = {"row": "string", "state": "string", "order": "number", "time": "number",
               "share": "number"}  # fmt: skip
    is_grouped = len(ranks) > MOST_GROUPS
    chart = (
        alt.Chart(rows_data(columns, rows), width=WIDTH, height=220)
        .mark_bar()
        .encode(
            x=alt.X("row:N", title="Rank", sort=labels,
                    axis=alt.Axis(labelAngle=0, labelOverlap=True, ticks=False)),
            y=alt.Y("time:Q", title=f"Virtual time ({unit})", stack="zero"),
            color=state_colour(),
            order=alt.Order("order:Q"),
            tooltip=[
                alt.Tooltip("row:N", title="Rank"),
                alt.Tooltip("state:N", title="State"),
                alt.Tooltip("time:Q", title=f"Time ({unit})", format=",.4~f"),
                alt.Tooltip("share:Q", title="Of the run (%)", format=".1f"),
            ],
        )
    )  # fmt: skip
    of_what = "each group of ranks, on average," if is_grouped else "each rank"
    return Figure(
        "ranks",
        "Where the time went",
        f"How long {of_what} computed, was inside the MPI library (overheads, matching, polling), "
        "and was blocked until something arrived.",
        chart,
        len(rows),
    )
