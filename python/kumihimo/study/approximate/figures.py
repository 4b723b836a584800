"""The figures of the study of links that corrupt bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo import vega
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
        vega.Chart(vega.rows(points))
        .mark("bar")
        .encode(
            x=vega.field("program:N", title=None, sort=programs, axis=vega.axis(labelAngle=-20)),
            xOffset=vega.field("network:N", sort=names),
            y=vega.field("value:Q", title="time, of that on the conventional network"),
            color=vega.field(
                "network:N",
                title=None,
                sort=names,
                scale=vega.scale(domain=names, range=list(_COLOURS[:3])),
                legend=vega.legend(orient="bottom"),
            ),
        )
        .properties(width=_WIDTH, height=_HEIGHT)
    )
    return finished("networks", "Time on the three networks", chart.document())


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
    y = vega.field(
        "value:Q",
        title="error of the result",
        scale=vega.scale(type="log"),
        axis=vega.axis(format=".0e", tickCount=6),
    )
    chart = line_chart("program", programs, x, y, colours=_COLOURS).properties(
        data=vega.rows(points), width=_WIDTH, height=_HEIGHT
    )
    title = "Error of the result over the number of protected bits"
    note = f"Errors below {_LEAST:g} are drawn at {_LEAST:g}, those above {_MOST} at {_MOST}."
    return finished("errors", title, chart.document(), note)
