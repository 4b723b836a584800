"""The load of the network's links, drawn as the network is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from kumihimo.results.configuration import flatten
from kumihimo.results.report.figure import (
    EMPTY_COLOUR,
    HEAT_SCHEME,
    QUIET_COLOUR,
    WIDTH,
    Figure,
    heat_legend,
    rows_data,
)
from kumihimo.results.report.grid_picture import grid_picture
from kumihimo.results.report.level_picture import level_picture, placer_of
from kumihimo.results.report.load import CellPicture, LinePicture, LinkLoad, link_loads
from kumihimo.results.report.table_picture import dragonfly_picture, vertex_picture

_TITLE = "Load of the network"
_END = "Colours say how much of the time a link was sending; idle links are left out."
_HEIGHT_OF_ROW = 22
_MOST_SIDE = 620
_KEY = "topology."


def topology_figure(document: Mapping[str, Any]) -> Figure:
    """Draw how busy the links were: grids, levels or groups, by the kind of topology."""
    loads = link_loads(document)
    picture = _picture(loads, document) if loads else None
    if picture is None:
        return Figure("topology", _TITLE, _END, None, 0)
    most = max(load.use for load in picture.loads())
    if isinstance(picture, LinePicture):
        chart, marks = _line_chart(picture, most)
    else:
        chart, marks = _cell_chart(picture, most)
    return Figure("topology", _TITLE, picture.sentence + _END, chart, marks)


def _picture(
    loads: Sequence[LinkLoad], document: Mapping[str, Any]
) -> LinePicture | CellPicture | None:
    platform = flatten(document["configuration"].get("platform", {}))
    topology = {key.removeprefix(_KEY): value for key, value in platform if key.startswith(_KEY)}
    kind = topology.get("kind")
    if kind in ("torus", "mesh"):
        picture = grid_picture(loads, topology["sizes"])
        return picture if picture.loads() else None
    if kind == "dragonfly":
        groups = dragonfly_picture(loads, topology["groups"], topology["switches_per_group"])
        return groups if groups.loads() else None
    placer = placer_of(topology) if kind is not None else None
    return level_picture(loads, placer) if placer is not None else vertex_picture(loads)


def _colour(most: float, *, has_legend: bool = True) -> alt.Color:
    # Links that did no more than pass empty messages have no use to be coloured by.
    scale = alt.Scale(scheme=HEAT_SCHEME, domain=[0, most or 1])
    legend = heat_legend("Use (%)") if has_legend else None
    return alt.Color("use:Q", scale=scale, legend=legend)


def _line_chart(picture: LinePicture, most: float) -> tuple[alt.TopLevelMixin, int]:
    tooltip = [
        alt.Tooltip("link:N", title="Link"),
        alt.Tooltip("use:Q", title="Use (%)", format=".1f"),
    ]
    x_scale = alt.Scale(domain=[0, picture.width], nice=False)
    y_scale = alt.Scale(domain=[picture.height, 0], nice=False)

    def at(name: str, scale: alt.Scale) -> dict[str, Any]:
        kind = alt.X if name.startswith("x") else alt.Y
        return {name[0]: kind(f"{name}:Q", scale=scale, axis=None)}

    lines = [
        (*(f"{value:.1f}" for value in (line.x1, line.y1, line.x2, line.y2)),
         f"{line.load.use:.2f}", line.load.name)
        for line in picture.segments
    ]  # fmt: skip
    columns = dict.fromkeys(("x1", "y1", "x2", "y2", "use"), "number") | {"link": "string"}
    layers: list[alt.Chart] = [
        alt.Chart(rows_data(columns, lines))
        .mark_rule(strokeWidth=2)
        .encode(**at("x1", x_scale), **at("y1", y_scale), x2="x2:Q", y2="y2:Q", color=_colour(most),
                tooltip=tooltip)
    ]  # fmt: skip
    if picture.dots:
        dots = [(f"{dot.x:.1f}", f"{dot.y:.1f}", f"{dot.load.use:.2f}", dot.load.name)
                for dot in picture.dots]  # fmt: skip
        columns = dict.fromkeys(("x", "y", "use"), "number") | {"link": "string"}
        layers.append(
            alt.Chart(rows_data(columns, dots))
            .mark_square(size=14, opacity=1)
            .encode(
                **at("x", x_scale),
                **at("y", y_scale),
                color=_colour(most, has_legend=not lines),
                tooltip=tooltip,
            )
        )
    if picture.titles:
        words = {"x": "number", "y": "number", "text": "string"}
        layers.append(
            alt.Chart(rows_data(words, picture.titles))
            .mark_text(align="left", color=QUIET_COLOUR)
            .encode(**at("x", x_scale), **at("y", y_scale), text="text:N")
        )
    # With one scale for all layers the legend would be that of a list of classes.
    layered = alt.layer(*layers).resolve_scale(color="independent")
    chart = layered.properties(width=picture.width, height=picture.height)
    return chart, len(lines) + len(picture.dots) + len(picture.titles)


def _cell_chart(picture: CellPicture, most: float) -> tuple[alt.TopLevelMixin, int]:
    rows = [
        (picture.rows[row], picture.columns[column], f"{load.use:.2f}", load.name, count)
        for (row, column), (load, count) in sorted(picture.cells.items())
    ]
    columns = {"row": "string", "column": "string", "use": "number", "link": "string",
               "count": "number"}  # fmt: skip
    is_square = picture.rows == picture.columns
    across, down = len(picture.columns), len(picture.rows)
    width = min(_MOST_SIDE, 36 * across) if is_square else WIDTH - 140
    height = width if is_square else min(_MOST_SIDE, _HEIGHT_OF_ROW * down)

    def axis(labels: Sequence[str]) -> alt.Axis:
        shown = labels if len(labels) <= 32 else labels[:: -(-len(labels) // 16)]
        return alt.Axis(values=list(shown), ticks=False, domain=False)

    chart = (
        alt.Chart(rows_data(columns, rows), width=width, height=height)
        .mark_rect()
        .encode(
            x=alt.X("column:N", title=picture.column_title, axis=axis(picture.columns),
                    scale=alt.Scale(domain=picture.columns)),
            y=alt.Y("row:N", title=picture.row_title or None, axis=axis(picture.rows),
                    scale=alt.Scale(domain=picture.rows)),
            color=_colour(most),
            tooltip=[
                alt.Tooltip("link:N", title="Busiest link"),
                alt.Tooltip("use:Q", title="Use (%)", format=".1f"),
                alt.Tooltip("count:Q", title="Links", format=",d"),
            ],
        )
        .properties(view=alt.ViewBackground(fill=EMPTY_COLOUR, stroke=None))
    )  # fmt: skip
    return chart, len(rows)
