"""Memory and connections of each rank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kumihimo import vega
from kumihimo.results import display
from kumihimo.results.binning import Integers
from kumihimo.results.report.figure import Figure
from kumihimo.results.report.figure_table import MOST_RANK_ROWS, FigureTable, left_out
from kumihimo.results.report.rank_bars import RankPanel, are_grouped, rank_bars, rank_columns
from kumihimo.results.report.service_lines import service_lines
from kumihimo.results.run import Run
from kumihimo.results.service import MEMORY_PARTS

_PART_NAMES = {
    "base_bytes": "base",
    "connection_bytes": "connections",
    "eager_buffer_bytes": "eager buffers",
    "pool_bytes": "datagram pool",
}
# From the palette of Okabe and Ito.
PART_COLOURS = {
    "base": "#CC79A7",
    "connections": "#0072B2",
    "eager buffers": "#009E73",
    "datagram pool": "#E69F00",
}
_CONNECTIONS = {
    "asked": "asked for",
    "accepted": "accepted",
    "refused": "refused",
}
CONNECTION_COLOURS = {
    "asked for": "#0072B2",
    "accepted": "#009E73",
    "refused": "#D55E00",
}
_MESSAGES = ["by_connection", "by_datagrams", "packets"]
_HEAD = [
    "Rank",
    "Memory",
    "Without the pool",
    "Asked for",
    "Accepted",
    "Refused",
    "Messages by connection",
    "Messages by datagrams",
    "Datagrams sent",
]
# From this share of the pool on, the other parts are drawn once more by themselves.
_POOL_HIDES_FROM = 0.8


def service_figure(run: Run) -> Figure:
    """Draw the parts of each rank's memory, and its connections.

    Without the table `service` the figure has no picture, but the numbers of all ranks together.
    """
    found = run.document["service"]
    name, title = "service", "Memory and connections of ranks"
    if not run.has_table("service"):
        return Figure(name, title, _totals_sentence(found), None, 0, (_largest_table(found),))
    names = [*MEMORY_PARTS, "memory_bytes", *_CONNECTIONS, *_MESSAGES]
    columns = rank_columns(run, "service", names)
    ranks = len(columns["memory_bytes"])
    panels = _memory_panels(columns)
    sentence = "The memory that each rank has for its peers where it was largest, by its parts"
    if len(panels) > 1:
        sentence += ", once more without the datagram pool"
    sentence += (
        "; and the connections that it asked for, those that it accepted from peers, and the peers "
        "that it did not ask because of cap or budget."
    )
    if are_grouped(ranks):
        sentence += " A bar stands for the mean of a group of ranks."
    series = {words: columns[key] for key, words in _CONNECTIONS.items()}
    panels.append(RankPanel("Connections", series, CONNECTION_COLOURS))
    chart, marks = rank_bars(panels, ranks)
    lines, points = service_lines(run)
    if lines is not None:
        sentence += (
            " Below that, over virtual time: the rank with the largest memory at each instant, the "
            "median and the smallest, and the same of connections."
        )
        chart, marks = lines if chart is None else _below(chart, lines), marks + points
    return Figure(
        name,
        title,
        f"{sentence} {_totals_sentence(found)}",
        chart,
        marks,
        (_rank_table(columns),),
    )


def _below(upper: Any, lower: vega.Chart) -> vega.Chart:  # noqa: ANN401
    stacked: vega.Chart = vega.vconcat(upper, lower, spacing=28).resolve_scale(
        color="independent", xOffset="independent"
    )
    return stacked


def _memory_panels(columns: Mapping[str, Integers]) -> list[RankPanel]:
    parts = {_PART_NAMES[part]: columns[part] for part in MEMORY_PARTS}
    panels = [_memory_panel("Memory", parts)]
    pool = columns["pool_bytes"].sum()
    if pool > _POOL_HIDES_FROM * columns["memory_bytes"].sum():
        others = {name: values for name, values in parts.items() if name != "datagram pool"}
        panels.append(_memory_panel("Without the pool", others))
    return panels


def _memory_panel(title: str, parts: Mapping[str, Integers]) -> RankPanel:
    size, unit = display.byte_unit(float(np.sum(list(parts.values()), axis=0).max()))
    return RankPanel(
        f"{title} ({unit})", parts, PART_COLOURS, size, is_stacked=True, is_count=unit == "B"
    )


def _totals_sentence(found: Mapping[str, Any]) -> str:
    count = display.format_count
    closings = found.get("closings", 0)
    closed = f" Ranks closed {count(closings)} for others." if closings else ""
    return (
        f"With the service {found['kind']}, all ranks together asked for "
        f"{count(found['connections_asked'])} connections and were refused "
        f"{count(found['refused'])}; no rank had more than {count(found['most_connections'])}. "
        f"Connections carried {count(found['messages_by_connection'])} messages, datagrams "
        f"{count(found['messages_by_datagrams'])}.{closed}"
    )


def _rank_table(columns: Mapping[str, Integers]) -> FigureTable:
    ranks = len(columns["memory_bytes"])
    # Ranks of equal memory stay in their order.
    largest = np.argsort(-columns["memory_bytes"], kind="stable")[:MOST_RANK_ROWS].tolist()
    shown = largest if ranks > MOST_RANK_ROWS else range(ranks)
    rows = []
    for rank in shown:
        memory, pool = (int(columns[key][rank]) for key in ("memory_bytes", "pool_bytes"))
        counts = [
            display.format_count(int(columns[key][rank])) for key in (*_CONNECTIONS, *_MESSAGES)
        ]
        sizes = [display.format_bytes(memory), display.format_bytes(memory - pool)]
        rows.append([str(rank), *sizes, *counts])
    return FigureTable(_HEAD, rows, left_out(ranks, "most memory", "service"))


def _largest_table(found: Mapping[str, Any]) -> FigureTable:
    largest = found["largest_memory"]
    head = ["Rank with most memory", "Memory", *(_PART_NAMES[part] for part in MEMORY_PARTS)]
    sizes = [display.format_bytes(largest[key]) for key in ("bytes", *MEMORY_PARTS)]
    return FigureTable(head, [[str(largest["rank"]), *sizes]])
