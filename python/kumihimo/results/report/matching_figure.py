"""What matching messages with receives did at each rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kumihimo import vega
from kumihimo.results import display
from kumihimo.results.binning import Integers
from kumihimo.results.matching import assertions_sentence
from kumihimo.results.matching_calls import name_of_call
from kumihimo.results.report.figure import Figure
from kumihimo.results.report.figure_table import MOST_RANK_ROWS, FigureTable, left_out
from kumihimo.results.report.queue_lines import queue_lines
from kumihimo.results.report.rank_bars import RankPanel, are_grouped, rank_bars, rank_columns
from kumihimo.results.run import Run

_POSTED = "posted receives"
_UNEXPECTED = "unexpected messages"
_PAYLOADS = "reading payloads"
_QUEUES = (_POSTED, _UNEXPECTED)
_LINES_SENTENCE = "Below: the most entries that any rank had in either queue, over time."
# From the palette of Okabe and Ito.
QUEUE_COLOURS = {_POSTED: "#0072B2", _UNEXPECTED: "#E69F00", _PAYLOADS: "#009E73"}
_COLUMNS = [
    "time_ps",
    "posted_time_ps",
    "unexpected_time_ps",
    "payload_time_ps",
    "posted_deepest",
    "unexpected_deepest",
    "posted_searched",
    "unexpected_searched",
    "arrivals",
    "unexpected",
]
_HEAD = [
    "Rank",
    "Time",
    "Of its time",
    "Deepest posted",
    "Deepest unexpected",
    "Searched posted",
    "Searched unexpected",
    "Unexpected messages",
]


def matching_figure(run: Run) -> Figure:
    """Draw depths of both queues, entries searched, time and unexpected messages by rank.

    Without the table `matching` the figure has no picture, but the numbers of the slowest rank.
    """
    document = run.document
    name, title = "matching", "Matching of messages with receives"
    if not run.has_table("matching"):
        table = _totals_table(document["matching"])
        tables = (table, *_call_tables(document["matching"]))
        return Figure(name, title, _totals_sentence(document["matching"]), None, 0, tables)
    columns = rank_columns(run, "matching", _COLUMNS)
    ranks = len(columns["time_ps"])
    bars, bar_count = rank_bars(_panels(columns), ranks, share_colours=True)
    lines, point_count = queue_lines(run, {name: QUEUE_COLOURS[name] for name in _QUEUES})
    charts = [chart for chart in (bars, lines) if chart is not None]
    return Figure(
        name,
        title,
        " ".join(
            [
                _sentence(columns, ranks),
                *([_LINES_SENTENCE] if lines is not None else []),
                _totals_sentence(document["matching"]),
            ]
        ),
        # The colours of the lines are those of the bars.
        vega.vconcat(*charts, spacing=24).resolve_scale(color="independent") if charts else None,
        bar_count + point_count,
        (_rank_table(columns, document["per_rank"]), *_call_tables(document["matching"])),
    )


def _panels(columns: Mapping[str, Integers]) -> list[RankPanel]:
    unit_ps, unit = display.time_unit(float(columns["time_ps"].max()))

    def both(suffix: str) -> dict[str, Integers]:
        return {_POSTED: columns[f"posted_{suffix}"], _UNEXPECTED: columns[f"unexpected_{suffix}"]}

    times = both("time_ps")
    if columns["payload_time_ps"].any():
        times[_PAYLOADS] = columns["payload_time_ps"]
    return [
        RankPanel("Deepest queue (entries)", both("deepest"), QUEUE_COLOURS, is_largest=True),
        RankPanel("Entries searched", both("searched"), QUEUE_COLOURS),
        RankPanel(f"Time ({unit})", times, QUEUE_COLOURS, unit_ps, is_stacked=True, is_count=False),
        RankPanel("Unexpected messages", {_UNEXPECTED: columns["unexpected"]}, QUEUE_COLOURS),
    ]


def _sentence(columns: Mapping[str, Integers], ranks: int) -> str:
    searched = columns["posted_searched"].any() or columns["unexpected_searched"].any()
    quantities = [
        "the most entries that a search met in either queue",
        *(["the number of entries searched"] if searched else []),
        "the time that searches and reading payloads took",
        "the number of messages that arrived before their receives",
    ]
    text = f"For each rank: {'; '.join(quantities)}."
    if are_grouped(ranks):
        text += " A bar stands for a group of ranks: the deepest queue, and the mean of the others."
    if not searched:
        text += " No cost of this model depends on the number of entries, so none were counted."
    return text


def _totals_sentence(found: Mapping[str, Any]) -> str:
    assertions = assertions_sentence(found)
    return (
        f"All ranks together spent {display.format_time(found['time_ps'])} on matching, and "
        f"{display.format_count(found['unexpected'])} of "
        f"{display.format_count(found['arrivals'])} messages were unexpected."
        + (f" {assertions}" if assertions else "")
    )


def _rank_table(
    columns: Mapping[str, Integers], per_rank: Sequence[Mapping[str, Any]]
) -> FigureTable:
    ranks = len(columns["time_ps"])
    # Ranks of equal times stay in their order.
    longest = np.argsort(-columns["time_ps"], kind="stable")[:MOST_RANK_ROWS].tolist()
    shown = longest if ranks > MOST_RANK_ROWS else range(ranks)
    rows = []
    for rank in shown:
        value = {name: int(column[rank]) for name, column in columns.items()}
        counts = [
            display.format_count(value[f"{queue}_{what}"])
            for what in ("deepest", "searched")
            for queue in ("posted", "unexpected")
        ]
        rows.append(
            [
                str(rank),
                display.format_time(value["time_ps"]),
                display.format_percent(value["time_ps"], per_rank[rank]["finish_ps"]),
                *counts,
                f"{value['unexpected']:,} of {value['arrivals']:,}",
            ]
        )
    return FigureTable(_HEAD, rows, left_out(ranks, "the longest times", "matching"))


def _call_tables(found: Mapping[str, Any]) -> list[FigureTable]:
    rows = [
        [
            name_of_call(call),
            display.format_time(call["time_ps"]),
            display.format_percent(call["time_ps"], found["time_ps"]),
        ]
        for call in found.get("calls", ())
    ]
    return [FigureTable(["Receives of", "Time", "Of all matching"], rows)] if rows else []


def _totals_table(found: Mapping[str, Any]) -> FigureTable:
    count = display.format_count
    head = ["Ranks", "Time", "Deepest posted", "Deepest unexpected"]
    slowest = [
        display.format_time(found["slowest_rank_time_ps"]),
        count(found["slowest_rank_posted_deepest"]),
        count(found["slowest_rank_unexpected_deepest"]),
    ]
    all_ranks = [
        display.format_time(found["time_ps"]),
        count(found["posted_deepest"]),
        count(found["unexpected_deepest"]),
    ]
    rows = [[f"rank {found['slowest_rank']}, the slowest", *slowest], ["all", *all_ranks]]
    return FigureTable(head, rows)
