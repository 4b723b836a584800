"""Links that save power: what they did, what it cost, and how long they were idle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kumihimo import vega
from kumihimo.results import display, parquet
from kumihimo.results.busy_links import busiest_links
from kumihimo.results.records import POWER_STATES
from kumihimo.results.report.figure import (
    CARD_COLOUR,
    EMPTY_COLOUR,
    LINE_COLOUR,
    WIDTH,
    Figure,
    rows_data,
)
from kumihimo.results.run import Run
from kumihimo.results.thinning import Stretches, thin

MOST_LINKS = 16
# Stretches that the time line draws; of more than that, short ones are merged.
MOST_STRETCHES = 20_000
_WIDTH = WIDTH - 120
_COLUMNS = ["link", "power_state", "begin_ps", "end_ps"]
# From the palette of Okabe and Ito; modes of one kind are alike, the deeper one darker.
POWER_COLOURS = {
    "active": "#E69F00",
    "sleep": "#F0E442",
    "low_power": "#56B4E9",
    "refresh": "#CC79A7",
    "wake": "#D55E00",
    "deep_sleep": "#C8BC2A",
    "deep_low_power": "#0072B2",
    "deep_refresh": "#A3527D",
    "deep_wake": "#A34700",
}
# The wheel and dragging change which time is shown.
_ZOOM = {"name": "zoom", "select": {"type": "interval", "encodings": ["x"]}, "bind": "scales"}


def power_timeline_figure(run: Run) -> Figure:
    """Draw the power states of the busiest links over virtual time."""
    links = busiest_links(run.document, MOST_LINKS)
    names = {int(link["link"]): str(link["name"]) for link in links}
    unit_ps, unit = display.time_unit(run.virtual_time_ps)
    rows, shorter_ps = _stretches(run, names, unit_ps)
    used = [state for state in POWER_STATES if any(row[3] == state for row in rows)]
    order = list(names.values())
    chart = (
        vega.Chart(
            rows_data(
                {"link": "string", "begin": "number", "end": "number", "state": "string"}, rows
            ),
            width=_WIDTH,
            height=20 * max(1, len(order)),
        )
        .mark("rect", strokeWidth=0)
        .encode(
            x=vega.field("begin:Q", title=f"Virtual time ({unit})", axis=vega.axis(tickCount=12),
                         scale=vega.scale(nice=False)),
            x2="end:Q",
            y=vega.field("link:N", title=None, sort=order,
                         scale=vega.scale(domain=order, paddingInner=0.12),
                         axis=vega.axis(ticks=False, domain=False)),
            color=_colour(used),
            tooltip=[
                vega.field("link:N", title="Link"),
                vega.field("state:N", title="State"),
                vega.field("begin:Q", title=f"From ({unit})", format=",.7~f"),
                vega.field("end:Q", title=f"To ({unit})", format=",.7~f"),
            ],
        )
        .properties(view=vega.background(fill=EMPTY_COLOUR, stroke=None), params=[_ZOOM])
    )  # fmt: skip
    merged = (
        " There were too many stretches to draw each: those shorter than "
        f"{display.format_time(shorter_ps)} are merged with their neighbours, and the colour is "
        "the state that most of the time went to."
        if shorter_ps
        else ""
    )
    return Figure(
        "power-timeline",
        "Power states of links",
        f"What the {len(order)} links that were busy longest did. Turn the wheel to look closer, "
        f"and drag to move.{merged}",
        chart if rows else None,
        len(rows),
    )


def energy_figure(document: Mapping[str, Any]) -> Figure:
    """Draw what all links together drew, by state, compared with an oracle and links always on."""
    power = document["link_power"]
    total = power["total"]
    parts = [(state, total["times_ps"][state] * power["power_uw"][state]) for state in POWER_STATES]
    used = [(state, energy) for state, energy in parts if energy]
    greatest = max(1, total["always_on_energy_aj"])
    size, unit = display.energy_unit(greatest)
    bars = [("this run", state, energy) for state, energy in used]
    bars.append(("an oracle's links", "all states", total["oracle_energy_aj"]))
    bars.append(("links always on", "all states", total["always_on_energy_aj"]))
    rows = [
        (bar, state, f"{energy / size:.6g}", display.format_percent(energy, greatest))
        for bar, state, energy in bars
    ]
    columns = {"bar": "string", "state": "string", "energy": "number", "share": "string"}
    states = [state for state, _ in used]
    order = ["this run", "an oracle's links", "links always on"]
    chart = (
        vega.Chart(rows_data(columns, rows), width=_WIDTH, height=110)
        .mark("bar")
        .encode(
            x=vega.field("energy:Q", title=f"Energy of all links ({unit})", stack="zero"),
            y=vega.field("bar:N", title=None, sort=order, scale=vega.scale(domain=order)),
            color=_colour([*states, "all states"]),
            tooltip=[
                vega.field("bar:N", title="Links"),
                vega.field("state:N", title="State"),
                vega.field("energy:Q", title=f"Energy ({unit})"),
                vega.field("share:N", title="Of links always on"),
            ],
        )
    )
    return Figure(
        "energy",
        "Energy of links",
        f"Under the policy {power['policy']}, by the state in which it was drawn. An oracle's "
        "links carry the same at the same times, sleep whenever that saves energy, and are awake "
        "again exactly when data come.",
        chart,
        len(rows),
    )


def idle_figure(document: Mapping[str, Any]) -> Figure:
    """Draw for how long links were idle between what they carried."""
    idle = document["link_power"]["idle_times"]
    rows = []
    for begin_ps, end_ps, count, total_ps in idle:
        span = f"{display.format_time(begin_ps)} to below {display.format_time(end_ps)}"
        begin_us = max(begin_ps, 512) / 1e6
        rows.append((begin_us, end_ps / 1e6, span, count, total_ps / 1e6,
                     display.format_time(total_ps)))  # fmt: skip
    columns = dict.fromkeys(("begin", "end", "span", "count", "total", "text"), "number")
    columns |= {"span": "string", "text": "string"}
    base = vega.Chart(rows_data(columns, rows), width=(WIDTH - 140) // 2, height=220)
    panels = [_idle_panel(base, "count", "Idle times"), _idle_panel(base, "total", "Time (µs)")]
    return Figure(
        "idle",
        "Idle times of links",
        "How long links had nothing to carry before the next data came, on all links together: on "
        "the left how often, on the right how much time that was. What is idle for less than it "
        "takes to sleep and wake saves nothing.",
        vega.hconcat(*panels, spacing=40) if rows else None,
        2 * len(rows),
    )


def _idle_panel(base: vega.Chart, column: str, title: str) -> vega.Chart:
    return base.mark("rect", color=POWER_COLOURS["low_power"], stroke=CARD_COLOUR).encode(
        x=vega.field("begin:Q", title="Length (µs)", scale=vega.scale(type="log", nice=False)),
        x2="end:Q",
        y=vega.field(f"{column}:Q", title=title),
        y2=vega.value(220),
        tooltip=[
            vega.field("span:N", title="Length"),
            vega.field("count:Q", title="Idle times", format=",d"),
            vega.field("text:N", title="Time in all"),
        ],
    )


def _colour(states: Sequence[str]) -> vega.Spec:
    colours = [POWER_COLOURS.get(state, LINE_COLOUR) for state in states]
    return vega.field(
        "state:N",
        scale=vega.scale(domain=list(states), range=colours),
        legend=vega.legend(title=None, orient="top"),
    )


def _stretches(
    run: Run, names: Mapping[int, str], unit_ps: int
) -> tuple[list[tuple[str, str, str, str]], int]:
    """Return link, begin, end and state of stretches, and below which length they are merged."""
    path = run.table_path("power_states")
    tracks = np.array(sorted(names), dtype=np.int64)

    def read() -> Iterator[Stretches]:
        return (_of_links(chunk, tracks) for chunk in parquet.read_chunks(path, _COLUMNS))

    # Read twice, since the stretches of a long run need not fit into memory.
    shorter_ps = 0
    chunks = read()
    if sum(len(track) for track, *_ in read()) > MOST_STRETCHES:
        end_ps = max(1, run.virtual_time_ps)
        thinned = thin(chunks, len(tracks), len(POWER_STATES), end_ps, MOST_STRETCHES)
        chunks = iter([(thinned.track, thinned.state, thinned.begin_ps, thinned.end_ps)])
        shorter_ps = thinned.shorter_than_ps
    rows = [
        (
            names[int(tracks[track])],
            f"{begin / unit_ps:.9g}",
            f"{end / unit_ps:.9g}",
            POWER_STATES[state],
        )
        for chunk in chunks
        for track, state, begin, end in zip(*(column.tolist() for column in chunk), strict=True)
    ]
    return rows, shorter_ps


def _of_links(chunk: Mapping[str, np.ndarray], tracks: np.ndarray) -> Stretches:
    """Return the stretches of some links, which become numbers of tracks."""
    link, state, begin, end = (chunk[name].astype(np.int64) for name in _COLUMNS)
    inside = np.isin(link, tracks)
    return np.searchsorted(tracks, link[inside]), state[inside], begin[inside], end[inside]
