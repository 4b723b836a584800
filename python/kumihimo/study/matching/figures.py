"""The figures of the study of matching."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo import vega
from kumihimo.study.line_chart import count_axis, faceted, line_chart
from kumihimo.study.matching.cases import HOST, INTERFACE
from kumihimo.study.matching.depths import QUEUES
from kumihimo.sweep.figures import Figure, finished

_WIDTH, _HEIGHT = 300, 220
_PS_PER_NS = 1000
# The paper's, in the order of their times.
_SHOWN = ("dimmnet2", "elan4", "alpu", "lhs", "hashed")
_BY_COLOURS, _BY_SHAPES = ("#D55E00", "#0072B2"), ("diamond", "circle")


def depths_figure(rows: Sequence[Mapping[str, Any]], by: Mapping[str, str]) -> Figure:
    """Return the time of matching over the depth of each queue.

    Args:
        rows: Of depths.
        by: Where each model matches unless a platform file chooses.
    """
    points = [
        {
            "depth": row["depth"],
            "value": row["more_ps"] / _PS_PER_NS,
            "model": row["model"],
            "queue": f"{row['queue']} queue",
        }
        for row in rows
        if row["model"] in _SHOWN
        and row["by"] == by[row["model"]]
        and row["length"] == row["depth"] > 0
    ]
    depths = sorted({point["depth"] for point in points})
    y = vega.field(
        "value:Q",
        title="time, more than of an empty queue (ns)",
        scale=vega.scale(type="symlog", constant=1),
        axis=vega.axis(values=[0, 10, 10**2, 10**3, 10**4, 10**5, 10**6], format=",d"),
    )
    x = count_axis("depth", "entries in front", depths, labelOverlap=True, labelSeparation=8)
    chart = line_chart("model", _SHOWN, x, y).properties(width=_WIDTH, height=_HEIGHT)
    title = "Time of finding a message behind others"
    parts = [f"{queue} queue" for queue in QUEUES]
    return finished("depths", title, faceted(chart, points, "queue", parts))


def programs_figure(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Return how much longer programs take than with matching that takes no time."""
    ranks = max(row["ranks"] for row in rows)
    points = [
        {
            "model": row["model"],
            "by": f"by the {row['by']}",
            "value": row["slower"],
            "program": row["program"],
        }
        for row in rows
        if row["ranks"] == ranks and row["model"] != "list"
    ]
    names = [f"by the {by}" for by in (HOST, INTERFACE)]

    def by_where(values: Sequence[str]) -> vega.Spec:
        scale = vega.scale(domain=names, range=list(values))
        return vega.field("by:N", title=None, scale=scale, legend=vega.legend(orient="bottom"))

    base = vega.Chart().encode(
        x=vega.field(
            "value:Q",
            title="time, more than with matching that takes none",
            axis=vega.axis(format=".0%", tickCount=5),
        ),
        y=vega.field("model:N", title=None, sort=list(dict.fromkeys(p["model"] for p in points))),
    )
    chart = (
        vega.Chart().mark("rule", color="#8A8A8A", strokeDash=[4, 2]).encode(x=vega.datum(0))
        + base.mark("point", filled=False, size=70, strokeWidth=2).encode(
            color=by_where(_BY_COLOURS), shape=by_where(_BY_SHAPES)
        )
    ).properties(width=_WIDTH, height=_HEIGHT // 2)
    parts = list(dict.fromkeys(point["program"] for point in points))
    title = f"Cost of matching in programs on {ranks} ranks"
    return finished("programs", title, faceted(chart, points, "program", parts))
