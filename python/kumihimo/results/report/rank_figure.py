"""Where each rank's time went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo import vega
from kumihimo.results import display
from kumihimo.results.binning import group_bounds
from kumihimo.results.ranking import CLOCK_KEY, parts_of_time
from kumihimo.results.report.figure import STATE_COLOURS, WIDTH, Figure, rows_data
from kumihimo.results.report.statistics import MOST_GROUPS
from kumihimo.results.report.timeline_figure import row_labels, state_colour

# Few ranks lie as bars below each other, many stand side by side.
_MOST_LYING = 16
CLOCK_NAME = "clock readings"
CLOCK_COLOUR = "#CC79A7"
_COLUMNS = {"row": "string", "state": "string", "order": "number", "time": "number",
            "share": "number"}  # fmt: skip


def rank_figure(document: Mapping[str, Any]) -> Figure:
    """Draw compute, communication and wait of every rank, or of groups of ranks."""
    ranks = document["per_rank"]
    labels = row_labels(group_bounds(len(ranks), MOST_GROUPS))
    unit_ps, unit = display.time_unit(document["virtual_time_ps"])
    rows = _rows(ranks, labels, unit_ps, document["virtual_time_ps"])
    title = f"Virtual time ({unit})"
    reads_clocks = CLOCK_KEY in document["totals"]
    chart = vega.Chart(rows_data(_COLUMNS, rows), width=WIDTH).encode(
        color=_part_colour() if reads_clocks else state_colour(),
        order=vega.field("order:Q"),
        tooltip=[
            vega.field("row:N", title="Rank"),
            vega.field("state:N", title="State"),
            vega.field("time:Q", title=f"Time ({unit})", format=",.4~f"),
            vega.field("share:Q", title="Of the run (%)", format=".1f"),
        ],
    )
    axis = vega.axis(labelAngle=0, labelOverlap="greedy", labelSeparation=8, ticks=False)
    if len(labels) <= _MOST_LYING:
        drawn = chart.mark("bar", height=16).encode(
            x=vega.field("time:Q", title=title, stack="zero"),
            y=vega.field("row:N", title="Rank", sort=labels, axis=axis),
        )
        drawn = drawn.properties(height=24 * len(labels))
    else:
        drawn = chart.mark("bar").encode(
            x=vega.field("row:N", title="Rank", sort=labels, axis=axis),
            y=vega.field("time:Q", title=title, stack="zero"),
        )
        drawn = drawn.properties(height=220)
    of_what = "each group of ranks, on average," if len(ranks) > MOST_GROUPS else "each rank"
    return Figure(
        "ranks",
        "Where the time went",
        f"How long {of_what} computed, was inside the MPI library (overheads, matching, polling), "
        "and was blocked until something arrived, or asleep."
        + (" Reading the clock also took time." if reads_clocks else ""),
        drawn,
        len(rows),
    )


def _part_colour() -> vega.Spec:
    # Sleeps are in the waits of these totals.
    colours = {name: colour for name, colour in STATE_COLOURS.items() if name != "sleep"}
    colours[CLOCK_NAME] = CLOCK_COLOUR
    scale = vega.scale(domain=list(colours), range=list(colours.values()))
    return vega.field("state:N", scale=scale, legend=vega.legend(title=None, orient="top"))


def _rows(
    ranks: Sequence[Mapping[str, Any]], labels: Sequence[str], unit_ps: int, virtual_time_ps: int
) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    bounds = group_bounds(len(ranks), MOST_GROUPS)
    for label, (first, last) in zip(labels, bounds, strict=True):
        group = ranks[first : last + 1]
        spent = [parts_of_time(row) for row in group]
        for order, key in enumerate(spent[0]):
            mean_ps = sum(parts[key] for parts in spent) / len(group)
            share = 100 * mean_ps / max(1, virtual_time_ps)
            state = CLOCK_NAME if key == CLOCK_KEY else key.removesuffix("_ps")
            rows.append((label, state, order, f"{mean_ps / unit_ps:.7g}", f"{share:.2f}"))
    return rows
