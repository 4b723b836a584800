"""The figures of the study of links that corrupt bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from kumihimo.study.approximate.runs import PLATFORMS
from kumihimo.sweep.figures import Figure, finished

_WIDTH, _HEIGHT = 640, 320
# From the palette of Okabe and Ito, which colour-blind readers can tell apart.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9")
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2])
# Smaller and larger errors are drawn at these.
_LEAST, _MOST = 1e-16, 10


def network_figure(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Return the times of all programs on the three networks."""
    points = [
        {"program": row["program"], "network": row["network"], "value": row["of_conventional"]}
        for row in rows
        if row["of_conventional"] is not None
    ]
    names = list(PLATFORMS)
    programs = list(dict.fromkeys(row["program"] for row in rows))
    chart = (
        alt.Chart(alt.InlineData(values=points))
        .mark_bar()
        .encode(
            x=alt.X("program:N", title=None, sort=programs, axis=alt.Axis(labelAngle=-20)),
            xOffset=alt.XOffset("network:N", sort=names),
            y=alt.Y("value:Q", title="time, of that on the conventional network"),
            color=alt.Color(
                "network:N",
                title=None,
                sort=names,
                scale=alt.Scale(domain=names, range=list(_COLOURS[:3])),
                legend=alt.Legend(orient="bottom"),
            ),
        )
        .properties(width=_WIDTH, height=_HEIGHT)
    )
    return finished("networks", "Time on the three networks", chart.to_dict(validate=False))


def error_figure(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Return the programs' errors over the number of protected bits, of those that had several."""
    counts = Counter(row["program"] for row in rows)
    points = [
        {
            "program": row["program"],
            "bits": row["protected_bits"],
            "value": min(max(row["error"], _LEAST), _MOST),
        }
        for row in rows
        if row["error"] is not None and counts[row["program"]] > 1
    ]
    programs = list(dict.fromkeys(point["program"] for point in points))
    bits = sorted({point["bits"] for point in points})
    legend = alt.Legend(orient="bottom", columns=5)

    def by_program(channel: Any, values: Sequence[Any]) -> Any:  # noqa: ANN401
        scale = alt.Scale(domain=programs, range=list(values[: len(programs)]))
        return channel("program:N", title=None, scale=scale, legend=legend)

    base = alt.Chart(alt.InlineData(values=points)).encode(
        x=alt.X(
            "bits:Q",
            title="protected bits of a number",
            scale=alt.Scale(type="log", base=2, nice=False, padding=8),
            axis=alt.Axis(values=bits, format=",d", labelOverlap=True),
        ),
        y=alt.Y(
            "value:Q",
            title="error of the result",
            scale=alt.Scale(type="log"),
            axis=alt.Axis(format=".0e", tickCount=6),
        ),
        color=by_program(alt.Color, _COLOURS),
    )
    chart = (
        base.mark_line(strokeWidth=2).encode(strokeDash=by_program(alt.StrokeDash, _DASHES))
        + base.mark_point(filled=False, size=70, strokeWidth=2).encode(
            shape=by_program(alt.Shape, _SHAPES)
        )
    ).properties(width=_WIDTH, height=_HEIGHT)
    title = "Error of the result over the number of protected bits"
    note = f"Errors below {_LEAST:g} stand at {_LEAST:g}, those above {_MOST} at {_MOST}."
    return finished("errors", title, chart.to_dict(validate=False), note)
