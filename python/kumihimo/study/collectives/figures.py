"""The figures of the study of scheduled collective operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from kumihimo.study.collectives.programs import LIBRARY, SCHEDULED
from kumihimo.study.collectives.schemes import PROTOCOLS, SCHEMES
from kumihimo.sweep.figures import Figure, finished

_WIDTH, _HEIGHT = 300, 200
# From the palette of Okabe and Ito, which colour-blind readers can tell apart.
_COLOURS = dict(zip(SCHEMES, ("#0072B2", "#E69F00", "#CC79A7", "#009E73"), strict=True))
_SHAPES = dict(zip(SCHEMES, ("circle", "square", "triangle-up", "diamond"), strict=True))
_DASHES = dict(zip(SCHEMES, ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3]), strict=True))
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

    def by_scheme(channel: Any, values: Mapping[str, Any]) -> Any:  # noqa: ANN401
        scale = alt.Scale(domain=list(SCHEMES), range=[values[name] for name in SCHEMES])
        legend = alt.Legend(orient="bottom", columns=len(SCHEMES))
        return channel("scheme:N", title=None, scale=scale, legend=legend)

    blocks = sorted({point["bytes"] for point in points})
    base = alt.Chart().encode(
        x=alt.X(
            "bytes:Q",
            title="size of a block (B)",
            scale=alt.Scale(type="log", base=2, nice=False, padding=8),
            axis=alt.Axis(values=blocks, format=",d"),
        ),
        y=alt.Y(
            "value:Q",
            title="time, of that of the links",
            scale=alt.Scale(zero=False),
            axis=alt.Axis(format=".2f", tickCount=6),
        ),
        color=by_scheme(alt.Color, _COLOURS),
    )
    chart = (
        base.mark_line(strokeWidth=2).encode(strokeDash=by_scheme(alt.StrokeDash, _DASHES))
        + base.mark_point(filled=False, size=70, strokeWidth=2).encode(
            shape=by_scheme(alt.Shape, _SHAPES)
        )
    ).properties(width=_WIDTH, height=_HEIGHT)
    faceted = chart.facet(
        facet=alt.Facet("protocol:N", title=None, sort=list(PROTOCOLS)),
        columns=2,
        data=alt.InlineData(values=points),
    )
    title = f"Time of the all-to-all on {side} x {side} x {side}, of the time its links are busy"
    return finished("schemes", title, faceted.to_dict(validate=False))


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

    def by_what(channel: Any, values: Sequence[str]) -> Any:  # noqa: ANN401
        scale = alt.Scale(domain=names, range=list(values))
        return channel("what:N", title=None, scale=scale, legend=alt.Legend(orient="bottom"))

    base = alt.Chart().encode(
        x=alt.X(
            "value:Q",
            title="time, of that with the library's own",
            scale=alt.Scale(zero=True),
            axis=alt.Axis(tickCount=6),
        ),
        y=alt.Y("case:N", title=None, sort=cases),
    )
    chart = (
        alt.Chart().mark_rule(color="#8A8A8A", strokeDash=[4, 2]).encode(x=alt.datum(1))
        + base.mark_point(filled=True, size=70, opacity=1).encode(
            color=by_what(alt.Color, _TIME_COLOURS), shape=by_what(alt.Shape, _TIME_SHAPES)
        )
    ).properties(width=_WIDTH, height=_HEIGHT)
    parts = list(dict.fromkeys(_part(row) for row in rows))
    faceted = chart.facet(
        facet=alt.Facet("part:N", title=None, sort=parts),
        columns=2,
        data=alt.InlineData(values=points),
    )
    title = "Times of programs with scheduled operations; left of the line they are better"
    return finished("programs", title, faceted.to_dict(validate=False))


def _case(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[key] for key in ("program", "class", "mpi", "overhead_ns"))


def _part(row: Mapping[str, Any]) -> str:
    return f"{row['program']}, overheads of {row['overhead_ns']} ns"


def _class_order(point: Mapping[str, Any]) -> int:
    return "SWA".index(point["case"][0])
