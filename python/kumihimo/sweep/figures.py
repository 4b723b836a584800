"""Figures of a study: virtual time over whatever was varied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kumihimo.platform.schema.values import Measure
from kumihimo.sweep.study import Study
from kumihimo.units import DURATION, POWER, RATE, SHARE, SIZE, SPEED

_PS_PER_S = 10**12
_MOST_LINES = 20
_WIDTH, _HEIGHT = 640, 360
# How axes name what they count, and by what numbers in base units are divided.
_AXIS_UNITS = {
    DURATION.base: ("µs", 10**6),
    RATE.base: ("Gb/s", 10**9),
    SIZE.base: ("B", 1),
    SPEED.base: ("Gflop/s", 10**9),
    POWER.base: ("W", 10**6),
    SHARE.base: ("%", 10**4),
}


@dataclass(frozen=True)
class Figure:
    """A drawn figure.

    Attributes:
        name: Of its files.
        title: What it shows.
        svg: As text.
        png: The same in pixels.
    """

    name: str
    title: str
    svg: str
    png: bytes


@dataclass(frozen=True)
class _Axis:
    """Something that was varied, with the numbers of its column."""

    column: str
    label: str
    divisor: int


def figures_of(study: Study, rows: list[dict[str, Any]]) -> list[Figure]:
    """Return a figure for each number that has several values among the complete points.

    Lines connect points that differ only in that number; seeds are drawn as their mean with a bar
    from the least to the greatest.

    Args:
        study: What was varied.
        rows: The table's rows.
    """
    complete = [row for row in rows if row["status"] == "complete"]
    axes = [axis for axis in _axes(study) if len({row[axis.column] for row in complete}) > 1]
    return [_draw(study, axis, complete) for axis in axes]


def _axes(study: Study) -> Iterator[_Axis]:
    for parameter in study.parameters:
        if parameter.column is None:
            continue
        unit, divisor = "", 1
        if isinstance(parameter.key.type, Measure):
            unit, divisor = _AXIS_UNITS[parameter.key.type.quantity.base]
        label = f"{parameter.path} ({unit})" if unit else parameter.path
        yield _Axis(parameter.column, label, divisor)
    yield _Axis("ranks", "ranks", 1)


def _draw(study: Study, axis: _Axis, rows: list[dict[str, Any]]) -> Figure:
    import altair as alt

    from kumihimo.results.report.figure import chart_config

    data = [
        {
            "x": row[axis.column] / axis.divisor,
            "y": row["virtual_time_ps"] / _PS_PER_S,
            "line": line,
        }
        for row, line in zip(rows, _lines(study, axis, rows), strict=True)
        if row[axis.column] is not None
    ]
    shown = list(dict.fromkeys(point["line"] for point in data))[:_MOST_LINES]
    data = [point for point in data if point["line"] in shown]
    title = f"Virtual time over {axis.label}"
    x = alt.X(
        "x:Q",
        title=axis.label,
        scale=alt.Scale(zero=False),
        axis=alt.Axis(values=sorted({point["x"] for point in data}), labelOverlap="greedy"),
    )
    # Below, because names of programs are long.
    legend = None if shown == [""] else alt.Legend(orient="bottom", columns=1, labelLimit=_WIDTH)
    color = alt.Color("line:N", title=None, sort=shown, legend=legend)
    base = alt.Chart(alt.InlineData(values=data), width=_WIDTH, height=_HEIGHT).encode(
        x=x, color=color
    )
    y = alt.Y(
        "mean(y):Q",
        title="virtual time (s)",
        scale=alt.Scale(zero=False),
        axis=alt.Axis(format="~s"),
    )
    chart = base.mark_line(point=True).encode(y=y) + base.mark_rule().encode(
        y=alt.Y("min(y):Q"), y2=alt.Y2("max(y):Q")
    )
    specification = chart.properties(title=f"{study.name}: {title[0].lower()}{title[1:]}")
    document = specification.to_dict(validate=False)
    document["config"] = {**chart_config(), "background": "white"}
    return Figure(_file_name(axis), title, *render(document))


def _lines(study: Study, axis: _Axis, rows: list[dict[str, Any]]) -> list[str]:
    """Return the name of each row's line: what else was varied, with its value."""
    names = [parameter.path for parameter in study.parameters if parameter.column != axis.column]
    others = [name for name in (*names, "command", "ranks") if name != axis.column]
    varied = [name for name in others if len({row[name] for row in rows}) > 1]
    return [
        ", ".join(
            str(row[name]) if name == "command" else f"{name} {row[name]}"
            for name in varied
            if row[name] is not None
        )
        for row in rows
    ]


def _file_name(axis: _Axis) -> str:
    return f"virtual_time-by-{re.sub(r'[^A-Za-z0-9]+', '_', axis.column)}"


def render(document: dict[str, Any]) -> tuple[str, bytes]:
    """Return a chart, given as Vega-Lite, as SVG and in pixels."""
    import vl_convert

    from kumihimo.results.report.bundle import vega_lite_version

    version = vega_lite_version()
    svg: str = vl_convert.vegalite_to_svg(document, vl_version=version)
    png: bytes = vl_convert.vegalite_to_png(document, vl_version=version, scale=2)
    return svg, png
