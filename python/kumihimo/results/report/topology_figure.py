"""The load of the network's links, drawn as the network is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo import vega
from kumihimo.results.configuration import flatten
from kumihimo.results.report.figure import (
    CARD_COLOUR,
    EMPTY_COLOUR,
    LINE_COLOUR,
    QUIET_COLOUR,
    TEXT_COLOUR,
    WIDTH,
    Figure,
    rows_data,
    use_colour,
    use_step,
)
from kumihimo.results.report.grid_picture import grid_picture
from kumihimo.results.report.group_picture import group_picture
from kumihimo.results.report.level_picture import level_picture, placer_of
from kumihimo.results.report.load import (
    DOT_KINDS,
    CellPicture,
    LinePicture,
    LinkLoad,
    link_loads,
)
from kumihimo.results.report.table_picture import dragonfly_picture, vertex_picture

_TITLE = "Load of the network"
_END = (
    "Colours say for which share of the time a link was sending, 100 % being its whole capacity, "
    "in steps that are the same in every report; idle links are left out."
)
_HEIGHT_OF_ROW = 22
_MOST_SIDE = 620
_KEY = "topology."
_USE = vega.field("use:Q", title="Use (%)", format=".2~f")


def topology_figure(document: Mapping[str, Any]) -> Figure:
    """Draw how busy the links were: grids, levels or groups, by the kind of topology."""
    loads = link_loads(document)
    if not loads:
        return Figure("topology", _TITLE, _END, None, 0)
    picture = _picture(loads, document)
    if isinstance(picture, LinePicture):
        chart, marks = _line_chart(picture)
    else:
        chart, marks = _cell_chart(picture)
    return Figure("topology", _TITLE, picture.sentence + _END, chart, marks)


def _picture(loads: Sequence[LinkLoad], document: Mapping[str, Any]) -> LinePicture | CellPicture:
    platform = flatten(document["configuration"].get("platform", {}))
    topology = {key.removeprefix(_KEY): value for key, value in platform if key.startswith(_KEY)}
    kind = topology.get("kind")
    if kind in ("torus", "mesh"):
        return grid_picture(loads, topology["sizes"], topology["hosts_per_switch"])
    if kind == "dragonfly":
        groups, switches = topology["groups"], topology["switches_per_group"]
        found = group_picture(loads, groups, switches, topology["hosts_per_switch"])
        return found or dragonfly_picture(loads, groups, switches)
    placer = placer_of(topology) if kind is not None else None
    return level_picture(loads, placer) if placer is not None else vertex_picture(loads)


class _Layers:
    """The layers of a picture, all in its pixels."""

    def __init__(self, picture: LinePicture) -> None:
        self._picture = picture
        self.layers: list[vega.Chart] = []
        self.marks = 0

    def add(self, columns: Mapping[str, str], rows: Sequence[Sequence[object]]) -> vega.Chart:
        """Return a chart of these rows, whose first columns are places."""
        self.marks += len(rows)
        return vega.Chart(rows_data(columns, rows))

    def at(self, name: str) -> dict[str, Any]:
        """Return the channel of a column with places."""
        end = self._picture.width if name[0] == "x" else self._picture.height
        domain = [0, end] if name[0] == "x" else [end, 0]
        scale = vega.scale(domain=domain, nice=False)
        return {name[0]: vega.field(f"{name}:Q", scale=scale, axis=None)}


def _line_chart(picture: LinePicture) -> tuple[vega.Chart, int]:
    layers = _Layers(picture)
    if picture.segments:
        layers.layers.append(_segment_layer(layers, picture))
    if picture.dots:
        layers.layers.append(_dot_layer(layers, picture))
    layers.layers += _spot_layers(layers, picture)
    if picture.titles:
        words = {"x": "number", "y": "number", "text": "string"}
        layers.layers.append(
            layers.add(words, [(f"{x:.1f}", f"{y:.1f}", text) for x, y, text in picture.titles])
            .mark("text", align="left", baseline="middle", color=QUIET_COLOUR, fontSize=10)
            .encode(**layers.at("x"), **layers.at("y"), text="text:N")
        )
    # With one scale for all layers the legend would be that of a list of classes.
    layered = vega.layer(*layers.layers).resolve_scale(color="independent", shape="independent")
    chart = layered.properties(
        width=picture.width, height=picture.height, usermeta={"keepsAspect": True}
    )
    return chart, layers.marks


def _segment_layer(layers: _Layers, picture: LinePicture) -> vega.Chart:
    columns = dict.fromkeys(("x1", "y1", "x2", "y2"), "number")
    lines = [
        (*(f"{value:.1f}" for value in (line.x1, line.y1, line.x2, line.y2)),
         *_facts(picture, line.load))
        for line in picture.segments
    ]  # fmt: skip
    return (
        layers.add(columns | _LINK, lines)
        .mark("rule", strokeWidth=2)
        .encode(**layers.at("x1"), **layers.at("y1"), x2="x2:Q", y2="y2:Q",
                color=use_colour(of_lines=True), tooltip=_LINK_TOOLTIP)
    )  # fmt: skip


_LINK = {"use": "number", "step": "number", "link": "string", "ends": "string"}
_LINK_TOOLTIP = [
    vega.field("link:N", title="Link"),
    vega.field("ends:N", title="Between"),
    _USE,
]


def _facts(picture: LinePicture, load: LinkLoad) -> tuple[str, int, str, str]:
    ends = f"{picture.name_of(load.source)} to {picture.name_of(load.target)}"
    return f"{load.use:.4g}", use_step(load.use), load.name, ends


def _dot_layer(layers: _Layers, picture: LinePicture) -> vega.Chart:
    columns = dict.fromkeys(("x", "y"), "number") | _LINK
    rows = [
        (f"{dot.x:.1f}", f"{dot.y:.1f}", *_facts(picture, dot.load), dot.kind, dot.count)
        for dot in picture.dots
    ]
    kinds = [kind for kind in DOT_KINDS if any(dot.kind == kind for dot in picture.dots)]
    return (
        layers.add(columns | {"kind": "string", "count": "number"}, rows)
        .mark("point", size=picture.dot_area, opacity=1, filled=True)
        .encode(
            **layers.at("x"),
            **layers.at("y"),
            color=use_colour(has_legend=not picture.segments),
            shape=vega.field(
                "kind:N",
                scale=vega.scale(domain=kinds, range=[DOT_KINDS[kind] for kind in kinds]),
                legend=vega.legend(title="Busiest link", symbolFillColor=LINE_COLOUR,
                                   symbolStrokeColor=LINE_COLOUR),
            ),
            tooltip=[
                vega.field("link:N", title="Busiest link"),
                vega.field("ends:N", title="Between"),
                _USE,
                vega.field("count:Q", title="Links", format=",d"),
            ],
        )
    )  # fmt: skip


def _spot_layers(layers: _Layers, picture: LinePicture) -> list[vega.Chart]:
    """Return a mark for each host and switch, with its name, and numbers where there is room."""
    columns = {"x": "number", "y": "number", "name": "string", "what": "string"}
    rows = [
        (f"{spot.x:.1f}", f"{spot.y:.1f}", spot.name, "switch" if spot.vertex.is_switch else "host")
        for spot in picture.spots
    ]
    found = []
    has_numbers = any(spot.label for spot in picture.spots)
    if rows:
        found.append(
            layers.add(columns, rows)
            .mark("point", size=170 if has_numbers else picture.spot_area, opacity=1, filled=True,
                  fill=CARD_COLOUR, stroke=LINE_COLOUR, strokeWidth=0.6)
            .encode(**layers.at("x"), **layers.at("y"), tooltip=[vega.field("name:N", title=" ")])
        )  # fmt: skip
    labels = [(f"{spot.x:.1f}", f"{spot.y:.1f}", spot.label, spot.name)
              for spot in picture.spots if spot.label]  # fmt: skip
    if labels:
        words = {"x": "number", "y": "number", "text": "string", "name": "string"}
        found.append(
            layers.add(words, labels)
            .mark("text", baseline="middle", color=TEXT_COLOUR, fontSize=9)
            .encode(**layers.at("x"), **layers.at("y"), text="text:N",
                    tooltip=[vega.field("name:N", title=" ")])
        )  # fmt: skip
    return found


def _cell_chart(picture: CellPicture) -> tuple[vega.Chart, int]:
    rows = [
        (
            picture.rows[row],
            picture.columns[column],
            f"{load.use:.4g}",
            use_step(load.use),
            load.name,
            count,
        )
        for (row, column), (load, count) in sorted(picture.cells.items())
    ]
    columns = {"row": "string", "column": "string", "use": "number", "step": "number",
               "link": "string", "count": "number"}  # fmt: skip
    is_square = picture.rows == picture.columns
    across, down = len(picture.columns), len(picture.rows)
    width = min(_MOST_SIDE, 36 * across) if is_square else WIDTH - 140
    height = width if is_square else min(_MOST_SIDE, _HEIGHT_OF_ROW * down)

    def axis(labels: Sequence[str]) -> vega.Spec:
        shown = labels if len(labels) <= 32 else labels[:: -(-len(labels) // 16)]
        return vega.axis(values=list(shown), ticks=False, domain=False)

    chart = (
        vega.Chart(rows_data(columns, rows), width=width, height=height)
        .mark("rect")
        .encode(
            x=vega.field("column:N", title=picture.column_title, axis=axis(picture.columns),
                         scale=vega.scale(domain=picture.columns)),
            y=vega.field("row:N", title=picture.row_title or None, axis=axis(picture.rows),
                         scale=vega.scale(domain=picture.rows)),
            color=use_colour(),
            tooltip=[
                vega.field("link:N", title="Busiest link"),
                _USE,
                vega.field("count:Q", title="Links", format=",d"),
            ],
        )
        .properties(view=vega.background(fill=EMPTY_COLOUR, stroke=None),
                    usermeta={"keepsAspect": is_square})
    )  # fmt: skip
    return chart, len(rows)
