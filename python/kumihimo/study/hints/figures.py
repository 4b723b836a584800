"""The figures of the study of hints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from kumihimo.study.hints.benchmark import SERVICES
from kumihimo.sweep.figures import Figure, finished

_WIDTH, _HEIGHT = 300, 200
# From the palette of Okabe and Ito, which colour-blind readers can tell apart.
_COLOURS = dict(zip(SERVICES, ("#0072B2", "#E69F00", "#CC79A7", "#009E73"), strict=True))
_SHAPES = dict(zip(SERVICES, ("circle", "square", "triangle-up", "diamond"), strict=True))
_DASHES = dict(zip(SERVICES, ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3]), strict=True))
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
    legend = alt.Legend(orient="bottom", columns=4)
    domain = list(SERVICES)

    def by_service(channel: Any, values: Mapping[str, Any]) -> Any:  # noqa: ANN401
        scale = alt.Scale(domain=domain, range=[values[service] for service in domain])
        return channel("service:N", title=None, scale=scale, legend=legend)

    ranks = sorted({point["ranks"] for point in points})
    base = alt.Chart().encode(
        x=alt.X(
            "ranks:Q",
            title="ranks",
            scale=alt.Scale(type="log", base=2, nice=False, padding=8),
            axis=alt.Axis(values=ranks, format=",d"),
        ),
        y=alt.Y(
            "value:Q",
            title=unit,
            scale=alt.Scale(zero=True),
            axis=alt.Axis(format=",.4~g", tickCount=5),
        ),
        color=by_service(alt.Color, _COLOURS),
    )
    chart = (
        base.mark_line(strokeWidth=2).encode(strokeDash=by_service(alt.StrokeDash, _DASHES))
        + base.mark_point(filled=False, size=70, strokeWidth=2).encode(
            shape=by_service(alt.Shape, _SHAPES)
        )
    ).properties(width=_WIDTH, height=_HEIGHT)
    parts = list(dict.fromkeys(point["part"] for point in points))
    faceted = chart.facet(
        facet=alt.Facet("part:N", title=None, sort=parts),
        columns=2,
        data=alt.InlineData(values=points),
    )
    return finished(name, title, faceted.to_dict(validate=False))
