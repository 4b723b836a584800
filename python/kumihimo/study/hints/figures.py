"""The figures of the study of hints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo import vega
from kumihimo.study.hints.benchmark import SERVICES
from kumihimo.study.line_chart import count_axis, faceted, line_chart
from kumihimo.sweep.figures import Figure, finished

_WIDTH, _HEIGHT = 300, 200
_PS_PER_US = 10**6


def connections_figure(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Return how many connections a rank has over the number of ranks, for each collective."""
    points = [
        {
            "ranks": row["ranks"],
            "value": row["connections"],
            "service": row["service"],
            "part": row["collective"],
        }
        for row in rows
        if row["messages_before"] in (None, 1)
    ]
    return _lines("connections", "Connections of a rank, which take memory", "connections", points)


def shift_figure(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Return how long a shift takes over the number of ranks where a cap binds."""
    points = [
        {
            "ranks": row["ranks"],
            "value": row["shift_ps"] / _PS_PER_US,
            "service": row["service"],
            "part": "to the next rank" if row["distance"] == 1 else "to ranks far away",
        }
        for row in rows
    ]
    return _lines("shift", "Time of a shift after an all-to-all, with a cap", "µs", points)


def _lines(name: str, title: str, unit: str, points: list[dict[str, Any]]) -> Figure:
    ranks = sorted({point["ranks"] for point in points})
    y = vega.field(
        "value:Q",
        title=unit,
        scale=vega.scale(zero=True),
        axis=vega.axis(format=",.4~g", tickCount=5),
    )
    chart = line_chart("service", SERVICES, count_axis("ranks", "ranks", ranks), y)
    parts = list(dict.fromkeys(point["part"] for point in points))
    sized = chart.properties(width=_WIDTH, height=_HEIGHT)
    return finished(name, title, faceted(sized, points, "part", parts))
