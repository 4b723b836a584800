"""The figures of the study of scheduled collective operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo import vega
from kumihimo.study.collectives.programs import LIBRARY, SCHEDULED
from kumihimo.study.collectives.schemes import PROTOCOLS, SCHEMES
from kumihimo.study.line_chart import count_axis, faceted, line_chart
from kumihimo.sweep.figures import Figure, finished

_WIDTH, _HEIGHT = 300, 200
_TIMES = {"in collective operations": "collectives_ps", "whole program": "virtual_time_ps"}
_TIME_COLOURS, _TIME_SHAPES = ("#D55E00", "#0072B2"), ("diamond", "circle")
MPI_NAMES = {"mpich": "MPICH", "openmpi": "Open MPI"}


def schemes_figure(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Return the time of each scheme over the size of blocks, on the largest torus."""
    side = max(row["side"] for row in rows)
    points = [
        {
            "bytes": row["block_bytes"],
            "value": row["virtual_time_ps"] / row["links_ps"],
            "scheme": row["scheme"],
            "protocol": row["protocol"],
        }
        for row in rows
        if row["side"] == side
    ]

    blocks = sorted({point["bytes"] for point in points})
    y = vega.field(
        "value:Q",
        title="time, of that of the links",
        scale=vega.scale(zero=False),
        axis=vega.axis(format=".2f", tickCount=6),
    )
    x = count_axis("bytes", "size of a block (B)", blocks)
    chart = line_chart("scheme", SCHEMES, x, y).properties(width=_WIDTH, height=_HEIGHT)
    title = f"Time of the all-to-all on {side} x {side} x {side}, of the time its links are busy"
    return finished("schemes", title, faceted(chart, points, "protocol", list(PROTOCOLS)))


def programs_figure(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Return the times of programs with scheduled operations, of those with the library's own."""
    by_case = {(*_case(row), row["mode"]): row for row in rows}
    points = [
        {
            "case": f"{row['class']}, {MPI_NAMES[row['mpi']]}",
            "value": row[column] / by_case[(*_case(row), LIBRARY)][column],
            "what": what,
            "part": _part(row),
        }
        for row in rows
        if row["mode"] == SCHEDULED
        for what, column in _TIMES.items()
    ]
    cases = list(dict.fromkeys(point["case"] for point in sorted(points, key=_class_order)))
    names = list(_TIMES)

    def by_what(values: Sequence[str]) -> vega.Spec:
        scale = vega.scale(domain=names, range=list(values))
        return vega.field("what:N", title=None, scale=scale, legend=vega.legend(orient="bottom"))

    base = vega.Chart().encode(
        x=vega.field(
            "value:Q",
            title="time, of that with the library's own",
            scale=vega.scale(zero=True),
            axis=vega.axis(tickCount=6),
        ),
        y=vega.field("case:N", title=None, sort=cases),
    )
    chart = (
        vega.Chart().mark("rule", color="#8A8A8A", strokeDash=[4, 2]).encode(x=vega.datum(1))
        + base.mark("point", filled=True, size=70, opacity=1).encode(
            color=by_what(_TIME_COLOURS), shape=by_what(_TIME_SHAPES)
        )
    ).properties(width=_WIDTH, height=_HEIGHT)
    parts = list(dict.fromkeys(_part(row) for row in rows))
    title = "Times of programs with scheduled operations; left of the line they are better"
    return finished("programs", title, faceted(chart, points, "part", parts))


def _case(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[key] for key in ("program", "class", "mpi", "overhead_ns"))


def _part(row: Mapping[str, Any]) -> str:
    return f"{row['program']}, overheads of {row['overhead_ns']} ns"


def _class_order(point: Mapping[str, Any]) -> int:
    return "SWA".index(point["case"][0])
