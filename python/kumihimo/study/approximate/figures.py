"""The figures of the study of links that corrupt bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from kumihimo.study.approximate.runs import PLATFORMS
from kumihimo.study.line_chart import count_axis, line_chart
from kumihimo.sweep.figures import Figure, finished

_WIDTH, _HEIGHT = 640, 320
# From the palette of Okabe and Ito, which colour-blind readers can tell apart.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9")
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
    x = count_axis("bits", "protected bits of a number", bits, labelOverlap=True)
    y = alt.Y(
        "value:Q",
        title="error of the result",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(format=".0e", tickCount=6),
    )
    chart = line_chart("program", programs, x, y, colours=_COLOURS).properties(
        data=alt.InlineData(values=points), width=_WIDTH, height=_HEIGHT
    )
    title = "Error of the result over the number of protected bits"
    note = f"Errors below {_LEAST:g} are drawn at {_LEAST:g}, those above {_MOST} at {_MOST}."
    return finished("errors", title, chart.to_dict(validate=False), note)
