"""Figures of a sweep: virtual time and link energy over whatever was varied."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kumihimo import vega
from kumihimo.results import display
from kumihimo.sweep.series import MOST_LINES, Grouping, Row, coinciding, group
from kumihimo.sweep.sweep import Sweep

_WIDTH, _HEIGHT = 640, 360
_PANEL_WIDTH, _PANEL_HEIGHT = 300, 200
# Values from this ratio on stand on a logarithmic axis.
_WIDE = 30
# Lines closer than this part of the axis are said to coincide.
_CLOSE = 0.005
# From the palette of Okabe and Ito, which colour-blind readers can tell apart; each line has a
# shape and a dash of its own, too. The second blue is late: on a dark ground it is like the first.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#8A8A8A", "#56B4E9", "#000000")
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right",
           "triangle-left")  # fmt: skip
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2], [10, 4], [1, 3], [6, 2, 1, 2, 1, 2])


@dataclass(frozen=True)
class Figure:
    """A drawn figure.

    Attributes:
        name: Of its files.
        title: What it shows.
        svg: As text.
        png: The same in pixels.
        note: What else is to be said about it; may be empty.
    """

    name: str
    title: str
    svg: str
    png: bytes
    note: str = ""


@dataclass(frozen=True)
class _Axis:
    """Something that was varied.

    Attributes:
        column: Where the table has it: numbers, or names if it is no number.
        label: Its name.
        words: How its values are written, in their order; of ranks as they are.
        is_number: Whether it is one.
    """

    column: str
    label: str
    words: Mapping[Any, str]
    is_number: bool


@dataclass(frozen=True)
class _Quantity:
    """What came out of points.

    Attributes:
        column: Where the table has it.
        name: Its name.
        scale: Number by which values are multiplied to be in the unit that `unit` takes.
        unit: Returns the unit for a largest value: a divisor and its name.
    """

    column: str
    name: str
    scale: int
    unit: Callable[[float], tuple[int, str]]


_TIME = _Quantity("virtual_time_ps", "virtual time", 1, display.time_unit)
_ENERGY = _Quantity("link_energy_pj", "link energy", 10**6, display.energy_unit)


def figures_of(sweep: Sweep, rows: list[Row]) -> list[Figure]:
    """Return figures for everything that has several values among the complete points.

    There is one of virtual time, and one of link energy if that differs between points.

    Over numbers, lines connect points that differ only in that number; over names there are bars.
    Of seeds there is the mean with a bar from the least to the greatest.

    Args:
        sweep: What was varied.
        rows: The table's rows.
    """
    complete = [row for row in rows if row["status"] == "complete"]
    axes = [axis for axis in _axes(sweep) if len({row[axis.column] for row in complete}) > 1]
    energies = {row.get(_ENERGY.column) for row in complete} - {None}
    quantities = (_TIME, _ENERGY) if len(energies) > 1 else (_TIME,)
    return [_draw(sweep, axis, of, complete) for of in quantities for axis in axes]


def _axes(sweep: Sweep) -> Iterator[_Axis]:
    for parameter in sweep.parameters:
        texts = [parameter.text(index) for index in range(len(parameter.values))]
        if parameter.column is None:
            yield _Axis(parameter.path, parameter.path, {text: text for text in texts}, False)
        else:
            words = dict(zip(parameter.values, texts, strict=True))
            yield _Axis(parameter.column, parameter.path, words, True)
    if policies := sweep.lines("approx"):
        yield _Axis("approx", "approx", {policy: policy for policy in policies}, False)
    yield _Axis("ranks", "ranks", {}, True)


def _draw(sweep: Sweep, axis: _Axis, quantity: _Quantity, rows: list[Row]) -> Figure:
    key = quantity.column
    rows = [row for row in rows if row[axis.column] is not None and row.get(key) is not None]
    grouping = group(sweep, axis.column, rows)
    divisor, unit = quantity.unit(max(row[key] for row in rows) * quantity.scale)
    data = [
        {
            "x": row[axis.column],
            "y": row[key] * quantity.scale / divisor,
            "line": series.line,
            "panel": series.panel,
        }
        for row, series in zip(rows, grouping.of_row, strict=True)
        if series.line in grouping.lines and series.panel in grouping.panels
    ]
    title = f"{quantity.name.capitalize()} over {axis.label}"
    groups = _coinciding(data)
    for point in data:
        # Marks of lines that coincide lie around each other.
        found = next((x for x in groups if point["line"] in x), [point["line"]])
        point["around"] = found.index(point["line"])
    chart = _chart(axis, data, grouping, f"{quantity.name} ({unit})")
    specification = chart.document()
    specification["title"] = f"{sweep.name}: {title[0].lower()}{title[1:]}"
    has_seeds = len({row.get("seed") for row in rows}) > 1
    note = _note(axis, grouping, groups, has_seeds=has_seeds)
    return finished(_file_name(axis, quantity), title, specification, note)


def _chart(axis: _Axis, data: list[dict[str, Any]], grouping: Grouping, title: str) -> vega.Chart:
    places = list(range(MOST_LINES))
    sizes = vega.scale(domain=places, range=[40 + 80 * place for place in places])
    many = len(grouping.panels) > 1
    width, height = (_PANEL_WIDTH, _PANEL_HEIGHT) if many else (_WIDTH, _HEIGHT)
    lines = grouping.lines
    # Below, because names of programs are long.
    legend = (
        None
        if lines == [""]
        else vega.legend(
            orient="bottom",
            columns=1,
            labelLimit=2 * _PANEL_WIDTH,
            symbolSize=90,
            symbolDash=[1, 0],
        )
    )

    def by_line(values: Sequence[Any]) -> vega.Spec:
        scale = vega.scale(domain=lines, range=list(values[: len(lines)]))
        return vega.field("line:N", title=None, scale=scale, legend=legend)

    base = vega.Chart().encode(x=_x(axis, data), color=by_line(_COLOURS))
    number = vega.axis(format=",.4~g")
    if axis.is_number:
        y = vega.field("mean(y):Q", title=title, scale=vega.scale(zero=False), axis=number)
        drawn = base.mark("line", strokeWidth=2).encode(
            y=y, strokeDash=by_line(_DASHES)
        ) + base.mark("point", filled=False, strokeWidth=2).encode(
            y=y,
            shape=by_line(_SHAPES),
            size=vega.field("around:O", scale=sizes, legend=None),
        )
        aside = {}
    else:
        aside = {"xOffset": vega.field("line:N", scale=vega.scale(domain=lines))}
        y = vega.field("mean(y):Q", title=title, axis=number)
        drawn = base.mark("bar").encode(y=y, **aside)
    drawn += base.mark("rule", strokeWidth=1.5).encode(
        y=vega.field("min(y):Q", title=title), y2=vega.field("max(y):Q"), **aside
    )
    layered = drawn.properties(width=width, height=height)
    if not many:
        return layered.properties(data=vega.rows(data))
    facet = vega.field(
        "panel:N", title=None, sort=grouping.panels, header=vega.header(labelLimit=width)
    )
    return layered.facet(
        facet=facet, columns=3 if len(grouping.panels) == 3 else 2, data=vega.rows(data)
    )


def _x(axis: _Axis, data: list[dict[str, Any]]) -> vega.Spec:
    if not axis.is_number:
        return vega.field(
            "x:N", title=axis.label, sort=list(axis.words), axis=vega.axis(labelAngle=0)
        )
    places = sorted({point["x"] for point in data})
    is_wide = places[0] > 0 and places[-1] > _WIDE * places[0]
    # Values are written as in the sweep, each with its unit.
    words = {str(place): axis.words.get(place, f"{place:,}") for place in places}
    return vega.field(
        "x:Q",
        title=axis.label,
        scale=vega.scale(type="log", nice=False) if is_wide else vega.scale(zero=False),
        axis=vega.axis(
            values=places, labelOverlap="greedy", labelExpr=f"{json.dumps(words)}[datum.value]"
        ),
    )


def _coinciding(data: list[dict[str, Any]]) -> list[list[str]]:
    """Return the lines that lie over each other in all panels."""
    values: defaultdict[str, defaultdict[Any, list[float]]] = defaultdict(lambda: defaultdict(list))
    for point in data:
        values[point["line"]][point["panel"], point["x"]].append(point["y"])
    means = {
        line: {place: sum(found) / len(found) for place, found in of_line.items()}
        for line, of_line in values.items()
    }
    every = [point["y"] for point in data]
    return coinciding(means, _CLOSE * (max(every) - min(every)))


def _note(axis: _Axis, grouping: Grouping, groups: list[list[str]], *, has_seeds: bool) -> str:
    parts = []
    if has_seeds:
        parts.append("Of several seeds the mean, with a bar from the least to the greatest.")
    if axis.is_number:
        for found in groups:
            names = "; ".join(name for name in found)
            parts.append(
                f"These lines lie over each other, their marks around each other: {names}."
            )
    if grouping.left_out:
        parts.append(f"{grouping.left_out} more combinations are left out of this figure.")
    return " ".join(parts)


def _file_name(axis: _Axis, quantity: _Quantity) -> str:
    return f"{quantity.name.replace(' ', '_')}-by-{re.sub(r'[^A-Za-z0-9]+', '_', axis.column)}"


def finished(
    name: str,
    title: str,
    document: dict[str, Any],
    note: str = "",
    legend: Mapping[str, Any] | None = None,
) -> Figure:
    """Return a figure of a chart that is given as Vega-Lite, perhaps with a look of its legends."""
    from kumihimo.results.report.figure import chart_config

    config = chart_config()
    config["legend"] |= legend or {}
    document["config"] = {**config, "background": "white"}
    return Figure(name, title, *_render(document), note)


def _render(document: dict[str, Any]) -> tuple[str, bytes]:
    """Return a chart, given as Vega-Lite, as SVG and in pixels."""
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(document, vl_version=vega.VERSION)
    png: bytes = vl_convert.vegalite_to_png(document, vl_version=vega.VERSION, scale=2)
    return svg, png
