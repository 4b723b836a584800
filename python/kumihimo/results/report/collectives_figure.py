"""Calls of collective functions that were scheduled, or left to the MPI library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kumihimo import vega
from kumihimo.results import display
from kumihimo.results.report.figure import LINE_COLOUR, WIDTH, Figure, rows_data
from kumihimo.results.report.figure_table import FigureTable

_SCHEDULED = "scheduled"
_IN_TIME = "at their instant"
_MISSED = "missed their instant"
# From the palette of Okabe and Ito.
CALL_COLOURS = {
    _SCHEDULED: "#0072B2",
    "library: communicator": "#E69F00",
    "library: shape": "#D55E00",
    "library: size": "#CC79A7",
    "library: arguments": "#009E73",
}
STEP_COLOURS = {_IN_TIME: "#0072B2", _MISSED: "#D55E00"}
_REASONS = {
    "communicator": "the communicator has two groups, or was made in a session without "
    "MPI_COMM_WORLD",
    "shape": "the hosts of its ranks are no box that the algorithm can use",
    "size": "blocks are empty, or those of a rank together have 2 GiB or more",
    "arguments": "the call is wrong, which the MPI library reports",
}
_COLUMNS = {"function": "string", "part": "string", "order": "number", "calls": "number",
            "time": "number", "mean": "string"}  # fmt: skip
_STEP_COLUMNS = {"bar": "string", "part": "string", "order": "number", "steps": "number"}
_PANEL_WIDTH = (WIDTH - 160) // 2
_ROW_HEIGHT = 34


class _Part(NamedTuple):
    """Calls of a function that were carried out in one way; `reason` is empty if scheduled."""

    function: str
    reason: str
    calls: int
    time_ps: int
    missed: int

    @property
    def name(self) -> str:
        return f"library: {self.reason}" if self.reason else _SCHEDULED


def collectives_figure(document: Mapping[str, Any]) -> Figure:
    """Draw calls of each function, and the time in them, by what carried them out.

    Of a replay, which has no calls, the steps that began at their instant and those that missed it.
    """
    found = document["collectives"]
    parts = list(_parts(found.get("functions", {})))
    name, title = "collectives", "Scheduled collectives"
    if not parts:
        chart, marks = _step_chart(found)
        sentence = "How many steps of all ranks began at their instant, and how many missed it."
        text = f"{sentence} {_starts(found)}" if chart else _starts(found)
        return Figure(name, title, text, chart, marks, (_start_table(found),))
    called = [part for part in parts if part.calls]
    sentence = (
        "Calls of each MPI function that can be scheduled, and the time that ranks spent in them: "
        "by a schedule, or left to the MPI library for the reason named. Calls and times are sums "
        "over all ranks."
    )
    return Figure(
        name,
        title,
        f"{sentence} {_starts(found)}",
        _call_chart(called) if called else None,
        2 * len(called),
        (_call_table(parts),),
    )


def _parts(functions: Mapping[str, Any]) -> Iterator[_Part]:
    for function, row in functions.items():
        scheduled = row["scheduled"]
        yield _Part(
            function, "", scheduled["calls"], scheduled["time_ps"], scheduled.get("missed", 0)
        )
        for reason, calls in row["library"].items():
            yield _Part(function, reason, calls["calls"], calls["time_ps"], 0)


def _call_chart(parts: Sequence[_Part]) -> vega.Chart:
    functions = list(dict.fromkeys(part.function for part in parts))
    used = {part.name for part in parts}
    names = [name for name in CALL_COLOURS if name in used] + sorted(used - set(CALL_COLOURS))
    totals = [sum(part.time_ps for part in parts if part.function == name) for name in functions]
    unit_ps, unit = display.time_unit(max(totals))
    rows = [
        (
            part.function,
            part.name,
            names.index(part.name),
            part.calls,
            f"{part.time_ps / unit_ps:.7g}",
            display.format_time(part.time_ps / part.calls),
        )
        for part in parts
    ]
    height = _ROW_HEIGHT * len(functions)
    base = vega.Chart(rows_data(_COLUMNS, rows), width=_PANEL_WIDTH, height=height).mark("bar")
    most = sum(part.calls for part in parts)
    call_axis = vega.axis(format=",d", tickCount=min(5, most))
    panels = [
        _panel(
            base,
            vega.field("calls:Q", title="Calls", stack="zero", axis=call_axis),
            names,
            unit,
        ),
        _panel(
            base,
            vega.field("time:Q", title=f"Time of all ranks ({unit})", stack="zero",
                       axis=vega.axis(format=",.4~g", tickCount=5)),
            names,
            unit,
        ),
    ]  # fmt: skip
    return vega.hconcat(
        *(panel.encode(y=vega.field("function:N", title=None, sort=functions)) for panel in panels),
        spacing=30,
    ).resolve_scale(color="shared")


def _panel(base: vega.Chart, value: vega.Spec, names: Sequence[str], unit: str) -> vega.Chart:
    return base.encode(
        x=value,
        order=vega.field("order:Q"),
        color=_colour(names),
        tooltip=[
            vega.field("function:N", title="Function"),
            vega.field("part:N", title="Carried out"),
            vega.field("calls:Q", title="Calls", format=",d"),
            vega.field("time:Q", title=f"Time of all ranks ({unit})", format=",.4~f"),
            vega.field("mean:N", title="Time of a call"),
        ],
    )


def _colour(names: Sequence[str]) -> vega.Spec:
    return vega.field(
        "part:N",
        scale=vega.scale(
            domain=list(names),
            range=[(CALL_COLOURS | STEP_COLOURS).get(name, LINE_COLOUR) for name in names],
        ),
        legend=vega.legend(title=None, orient="top", columns=3),
    )


def _step_chart(found: Mapping[str, Any]) -> tuple[vega.Chart | None, int]:
    counts = {_IN_TIME: found["waits"] - found["missed"], _MISSED: found["missed"]}
    rows = [("steps", name, order, count) for order, (name, count) in enumerate(counts.items())
            if count]  # fmt: skip
    if not rows:
        return None, 0
    axis = vega.axis(format=",d", tickCount=min(5, found["waits"]))
    chart = (
        vega.Chart(rows_data(_STEP_COLUMNS, rows), width=WIDTH - 60, height=_ROW_HEIGHT)
        .mark("bar")
        .encode(
            x=vega.field("steps:Q", title="Steps of all ranks", stack="zero", axis=axis),
            y=vega.field("bar:N", title=None),
            order=vega.field("order:Q"),
            color=_colour([row[1] for row in rows]),
            tooltip=[
                vega.field("part:N", title="Steps"),
                vega.field("steps:Q", title="Number", format=",d"),
            ],
        )
    )
    return chart, len(rows)


def _starts(found: Mapping[str, Any]) -> str:
    """Return sentences on common starts, and on steps that missed their instant."""
    count = display.format_count
    starts = found["synchronisations"]
    text = f"Synchronisations: {count(starts)}"
    if starts:
        mean_ps = found["synchronisation_ps"] // starts
        text += (
            f", each {display.format_time(mean_ps)} on average from the last rank to enter to the "
            f"last to start; ranks started at most {display.format_time(found['largest_skew_ps'])} "
            "apart"
        )
    text += "."
    if found["waits"]:
        text += f" {count(found['missed'])} of {count(found['waits'])} steps missed their instant"
        if found["missed"]:
            text += f", by at most {display.format_time(found['largest_lateness_ps'])}"
        text += "."
    return text


def _call_table(parts: Sequence[_Part]) -> FigureTable:
    calls: dict[str, int] = {}
    for part in parts:
        calls[part.function] = calls.get(part.function, 0) + part.calls
    rows = [
        [
            part.function,
            f"MPI library ({part.reason})" if part.reason else "schedule",
            display.format_count(part.calls),
            display.format_percent(part.calls, calls[part.function]),
            display.format_time(part.time_ps),
            display.format_time(part.time_ps / part.calls) if part.calls else "–",
            "–" if part.reason else display.format_count(part.missed),
        ]
        for part in parts
    ]
    head = ["Function", "Carried out by", "Calls", "Of its calls", "Time of all ranks",
            "Time of a call", "Missed steps"]  # fmt: skip
    reasons = dict.fromkeys(part.reason for part in parts if part.reason in _REASONS)
    note = "; ".join(f"{reason}: {_REASONS[reason]}" for reason in reasons)
    return FigureTable(head, rows, f"Reasons: {note}." if note else "")


def _start_table(found: Mapping[str, Any]) -> FigureTable:
    head = ["Synchronisations", "Rounds of one", "Packets of all", "Time of all",
            "Ranks apart at most", "Steps", "Missed steps", "Latest by"]  # fmt: skip
    count, time = display.format_count, display.format_time
    row = [
        count(found["synchronisations"]),
        count(found["rounds"]),
        count(found["packets"]),
        time(found["synchronisation_ps"]),
        time(found["largest_skew_ps"]),
        count(found["waits"]),
        count(found["missed"]),
        time(found["largest_lateness_ps"]),
    ]
    return FigureTable(head, [row])
