"""The time line of ranks, with an overview in which a stretch of time can be chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from kumihimo import vega
from kumihimo.results import display
from kumihimo.results.records import RANK_STATES
from kumihimo.results.report.figure import CARD_COLOUR, STATE_COLOURS, WIDTH, Figure, rows_data
from kumihimo.results.report.statistics import StateStatistics

# Narrower stretches have no edge.
LEAST_EDGED_PIXELS = 3
# What is chosen in the overview.
_BRUSH = {"name": "stretch", "select": {"type": "interval", "encodings": ["x"]}}

_SENTENCE = (
    "What the ranks did: the upper strip sums over all of them, below each row is {rows}. {cells} "
    "Drag over the upper strip to look closer at a stretch of time; double-click there to see all."
)


def timeline_figure(states: StateStatistics, virtual_time_ps: int) -> Figure:
    """Draw the ranks' states over virtual time."""
    unit_ps, unit = display.time_unit(virtual_time_ps)
    overview, overview_marks = _overview(states, unit_ps, unit, virtual_time_ps)
    overview = overview.properties(params=[_BRUSH])
    detail, detail_marks = _detail(states, unit_ps, unit, virtual_time_ps)
    grouped = any(first != last for first, last in states.bounds)
    rows = "a group of neighbouring ranks" if grouped else "a rank"
    cells = (
        "The colour of a cell is the state most of its time went to, paler the more it was mixed."
        if states.stretches is None
        else "Waits and sleeps end where their call ends; other stretches of one state are joined."
    )
    return Figure(
        "timeline",
        "Time line of ranks",
        _SENTENCE.format(rows=rows, cells=cells),
        vega.vconcat(overview, detail, spacing=6).resolve_scale(color="shared"),
        overview_marks + detail_marks,
    )


def row_labels(bounds: list[tuple[int, int]]) -> list[str]:
    """Return the name of each row: a rank, or the first and last of a group."""
    return [str(first) if first == last else f"{first}–{last}" for first, last in bounds]


def state_colour(legend: bool = True) -> vega.Spec:
    """Return the colours of the states, always in the same order."""
    scale = vega.scale(domain=list(STATE_COLOURS), range=list(STATE_COLOURS.values()))
    if not legend:
        return vega.field("state:N", scale=scale, legend=None)
    return vega.field("state:N", scale=scale, legend=vega.legend(title=None, orient="top"))


def _overview(
    states: StateStatistics, unit_ps: int, unit: str, virtual_time_ps: int
) -> tuple[vega.Chart, int]:
    ranks = states.bounds[-1][1] + 1
    width = states.overview_ps
    rows = []
    for position in np.flatnonzero(states.overview.sum(axis=0)).tolist():
        begin, end = position * width, min((position + 1) * width, virtual_time_ps)
        low = 0.0
        for state, name in enumerate(RANK_STATES):
            share = 100 * float(states.overview[state, position]) / ((end - begin) * ranks)
            if share > 0:
                high = low + share
                rows.append(
                    (begin / unit_ps, end / unit_ps, name, *map(_short, (low, high, share)))
                )
                low = high
    columns = dict.fromkeys(("begin", "end", "state", "low", "high", "share"), "number")
    columns["state"] = "string"
    chart = (
        vega.Chart(rows_data(columns, rows), width=WIDTH, height=70)
        .mark("rect", strokeWidth=0)
        .encode(
            x=vega.field("begin:Q", title=None, axis=vega.axis(tickCount=12),
                         scale=vega.scale(domain=[0, virtual_time_ps / unit_ps], nice=False)),
            x2="end:Q",
            y=vega.field("low:Q", title="Ranks (%)", scale=vega.scale(domain=[0, 100]),
                         axis=vega.axis(values=[0, 50, 100])),
            y2="high:Q",
            color=state_colour(),
            tooltip=[
                vega.field("state:N", title="State"),
                vega.field("share:Q", title="Share of ranks (%)", format=".1f"),
                vega.field("begin:Q", title=f"From ({unit})", format=",.4~f"),
                vega.field("end:Q", title=f"To ({unit})", format=",.4~f"),
            ],
        )
    )  # fmt: skip
    return chart, len(rows)


def _short(value: float) -> str:
    return f"{value:.2f}"


def _detail(
    states: StateStatistics,
    unit_ps: int,
    unit: str,
    virtual_time_ps: int,
) -> tuple[vega.Chart, int]:
    labels = row_labels(states.bounds)
    exact = states.stretches is not None
    rows = list(_stretch_rows(states, unit_ps) if exact else _cell_rows(states, unit_ps))
    columns = {"row": "string", "begin": "number", "end": "number", "state": "string"}
    tooltip = [
        vega.field("row:N", title="Rank"),
        vega.field("state:N", title="State" if exact else "Mostly"),
        vega.field("begin:Q", title=f"From ({unit})", format=",.6~f"),
        vega.field("end:Q", title=f"To ({unit})", format=",.6~f"),
    ]
    extra: dict[str, Any] = {}
    if exact:
        # An edge tells touching waits apart; it would hide stretches that are hardly wider.
        shown_span = f"isDefined(stretch.begin) ? span(stretch.begin) : {virtual_time_ps / unit_ps}"
        is_wide = f"(datum.end - datum.begin) * {WIDTH} > {LEAST_EDGED_PIXELS} * ({shown_span})"
        extra["strokeWidth"] = vega.condition(is_wide, vega.value(1), vega.value(0))
    else:
        columns |= {"share": "number"}
        tooltip.append(vega.field("share:Q", title="Its share (%)"))
        extra["opacity"] = vega.field(
            "share:Q", scale=vega.scale(domain=[30, 100], range=[0.25, 1], clamp=True), legend=None
        )
    step = max(9, min(26, 640 // len(labels)))
    shown = labels if len(labels) <= 40 else labels[:: -(-len(labels) // 32)]
    chart = (
        vega.Chart(rows_data(columns, rows), width=WIDTH, height=step * len(labels))
        .mark("rect", clip=True, stroke=CARD_COLOUR, strokeWidth=0)
        .encode(
            x=vega.field("begin:Q", title=f"Virtual time ({unit})", axis=vega.axis(tickCount=12),
                         scale=vega.scale(domain={"param": _BRUSH["name"]}, nice=False)),
            x2="end:Q",
            y=vega.field("row:N", title="Rank", sort=labels,
                         scale=vega.scale(domain=labels, paddingInner=0.15),
                         axis=vega.axis(values=shown, ticks=False)),
            color=state_colour(),
            tooltip=tooltip,
            **extra,
        )
    )  # fmt: skip
    return chart, len(rows)


def _stretch_rows(states: StateStatistics, unit_ps: int) -> Iterator[tuple[object, ...]]:
    assert states.stretches is not None
    labels = row_labels(states.bounds)
    columns = (column.tolist() for column in states.stretches)
    for row, state, begin, end in zip(*columns, strict=True):
        yield labels[row], begin / unit_ps, end / unit_ps, RANK_STATES[state]


def _cell_rows(states: StateStatistics, unit_ps: int) -> Iterator[tuple[object, ...]]:
    labels = row_labels(states.bounds)
    width = states.cell_ps / unit_ps
    totals = states.cells.sum(axis=1)
    winners = states.cells.argmax(axis=1)
    shares = 100 * states.cells.max(axis=1) / np.maximum(totals, 1)
    for row, position in zip(*(index.tolist() for index in np.nonzero(totals > 0)), strict=True):
        yield (
            labels[row],
            f"{position * width:.7g}",
            f"{(position + 1) * width:.7g}",
            RANK_STATES[winners[row, position]],
            f"{shares[row, position]:.0f}",
        )
