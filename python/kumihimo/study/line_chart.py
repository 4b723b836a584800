"""Lines with marks, as several studies draw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kumihimo import vega

# From the palette of Okabe and Ito, which colour-blind readers can tell apart; each line has a mark
# and a dash of its own, too.
_COLOURS = ("#0072B2", "#E69F00", "#CC79A7", "#009E73", "#56B4E9")
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2])


def line_chart(
    column: str,
    names: Sequence[str],
    x: vega.Spec,
    y: vega.Spec,
    *,
    colours: Sequence[str] = _COLOURS,
) -> vega.Chart:
    """Return lines with marks, without data, size and facets.

    Args:
        column: Which line a point belongs to.
        names: Of the lines, five at most, in the order of the legend.
        x: The first axis.
        y: The second one.
        colours: Of the lines, if neighbouring figures have given them other ones.
    """
    legend = vega.legend(orient="bottom", columns=len(names))

    def by_name(values: Sequence[Any]) -> vega.Spec:
        scale = vega.scale(domain=list(names), range=list(values[: len(names)]))
        return vega.field(f"{column}:N", title=None, scale=scale, legend=legend)

    base = vega.Chart().encode(x=x, y=y, color=by_name(colours))
    lines = base.mark("line", strokeWidth=2).encode(strokeDash=by_name(_DASHES))
    marks = base.mark("point", filled=False, size=70, strokeWidth=2)
    return lines + marks.encode(shape=by_name(_SHAPES))


def count_axis(column: str, title: str, values: Sequence[int], **options: Any) -> vega.Spec:  # noqa: ANN401
    """Return a logarithmic axis with a tick at each value.

    Args:
        column: What it shows.
        title: Of the axis.
        values: All of them.
        options: More of the axis.
    """
    return vega.field(
        f"{column}:Q",
        title=title,
        scale=vega.scale(type="log", base=2, nice=False, padding=8),
        axis=vega.axis(values=list(values), format=",d", **options),
    )


def faceted(
    chart: vega.Chart, points: list[dict[str, Any]], part: str, parts: Sequence[str]
) -> dict[str, Any]:
    """Return a chart as Vega-Lite, once for each part of the points, two of them in a row."""
    facet = vega.field(f"{part}:N", title=None, sort=list(parts))
    return chart.facet(facet=facet, columns=2, data=vega.rows(points)).document()
