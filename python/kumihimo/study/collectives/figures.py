"""The figures of the study of scheduled collective operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from kumihimo.study.collectives.programs import LIBRARY, MODES
from kumihimo.study.collectives.schemes import PROTOCOLS, SCHEMES
from kumihimo.sweep.figures import Figure, finished

_WIDTH, _HEIGHT = 300, 200
# From the palette of Okabe and Ito, which colour-blind readers can tell apart.
_COLOURS = dict(zip(SCHEMES, ("#0072B2", "#E69F00", "#CC79A7", "#009E73"), strict=True))
_SHAPES = dict(zip(SCHEMES, ("circle", "square", "triangle-up", "diamond"), strict=True))
_DASHES = dict(zip(SCHEMES, ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3]), strict=True))
_MODE_COLOURS = ("#56B4E9", "#009E73")
_MODE_NAMES = {mode: "the library's own" if mode == LIBRARY else mode for mode in MODES}
MPI_NAMES = {"mpich": "MPICH", "openmpi": "Open MPI"}
_PS_PER_US = 10**6


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
    """Return the time that a rank spends in collective operations, by program and overhead."""
    points = [
        {
            "case": f"{row['class']}, {MPI_NAMES[row['mpi']]}",
            "value": row["collectives_ps"] / _PS_PER_US,
            "mode": _MODE_NAMES[row["mode"]],
            "part": _part(row),
        }
        for row in rows
    ]
    names = list(_MODE_NAMES.values())
    cases = list(dict.fromkeys(point["case"] for point in sorted(points, key=_class_order)))
    chart = (
        alt.Chart()
        .mark_bar()
        .encode(
            x=alt.X("case:N", title=None, sort=cases, axis=alt.Axis(labelAngle=-30)),
            xOffset=alt.XOffset("mode:N", sort=names),
            y=alt.Y("value:Q", title="µs", axis=alt.Axis(format=",.4~g", tickCount=5)),
            color=alt.Color(
                "mode:N",
                title=None,
                scale=alt.Scale(domain=names, range=list(_MODE_COLOURS)),
                legend=alt.Legend(orient="bottom"),
            ),
        )
        .properties(width=_WIDTH, height=_HEIGHT)
    )
    parts = list(dict.fromkeys(_part(row) for row in rows))
    faceted = chart.facet(
        facet=alt.Facet("part:N", title=None, sort=parts),
        columns=2,
        data=alt.InlineData(values=points),
    ).resolve_scale(x="independent", y="independent")
    title = "Time of a rank in collective operations of programs"
    return finished("programs", title, faceted.to_dict(validate=False))


def _part(row: Mapping[str, Any]) -> str:
    return f"{row['program']}, overheads of {row['overhead_ns']} ns"


def _class_order(point: Mapping[str, Any]) -> int:
    return "SWA".index(point["case"][0])
