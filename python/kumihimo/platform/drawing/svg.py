"""Draws a machine as an SVG picture."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

from kumihimo.platform.drawing.diagram import CableKind, Diagram, Node, draw_up
from kumihimo.platform.drawing.geometry import MARGIN, Layout, Place, lay_out
from kumihimo.platform.machine import Machine
from kumihimo.platform.model import Platform

# Larger machines are not drawn.
MOST_LINKS = 200_000
_MOST_HOSTS = 64
_MOST_HOSTS_EACH_CONNECTED = 24
_MOST_SWITCHES = 32
_MOST_GROUPS = 16
_HEADING = 74.0
_LEGEND_LINE = 22.0
# Colours that differ in lightness too, for those who do not see them apart, and in print.
_CABLE_COLOURS = ("#3b6ea5", "#d9822b", "#5a9367", "#8a4f7d")

_STYLE = """\
text { font-family: "DejaVu Sans", "Liberation Sans", Arial, sans-serif; fill: #1d2733; }
.title { font-size: 20px; font-weight: bold; }
.subtitle, .legend { font-size: 13px; fill: #44525f; }
.label { font-size: 12px; text-anchor: middle; dominant-baseline: central; }
.note { font-size: 10.5px; text-anchor: middle; dominant-baseline: central; fill: #44525f; }
.count { font-size: 11px; fill: #44525f; }
.host { fill: #eef3f8; stroke: #7d92a8; }
.switch { fill: #fbe9cf; stroke: #b5843a; stroke-width: 1.5; }
"""


def draw_svg(platform: Platform, machine: Machine) -> str:
    """Return the picture as the text of an SVG file.

    Machines of up to 64 hosts (24 in a crossbar) and 32 switches a level are shown box by box;
    in larger ones a box stands for the hosts of a switch (up to 16 boxes) or for a whole level.
    """
    most_hosts = _MOST_HOSTS if machine.switches else _MOST_HOSTS_EACH_CONNECTED

    def fits(row: list[Node]) -> bool:
        if any(node.note for node in row):
            return len(row) <= _MOST_GROUPS
        return len(row) <= (most_hosts if row[0].level == 0 else _MOST_SWITCHES)

    diagram = draw_up(machine, fits)
    layout = lay_out(diagram)
    legend = _legend(diagram)
    subtitle = str(platform["description"]) or _summary(machine)
    width = max(layout.width, 2 * MARGIN + 8.2 * max(len(line) for line in (subtitle, *legend)))
    height = _HEADING + layout.height + len(legend) * _LEGEND_LINE + MARGIN / 2
    shift = (width - layout.width) / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"<title>{escape(platform.name)}: {escape(_summary(machine))}</title>",
        f"<style>\n{_STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        f'<text class="title" x="{MARGIN:.0f}" y="38">{escape(platform.name)}</text>',
        f'<text class="subtitle" x="{MARGIN:.0f}" y="60">{escape(subtitle)}</text>',
        f'<g transform="translate({shift:.1f} {_HEADING:.1f})">',
        *_cables(diagram, layout),
        *(_box(diagram.nodes[box], place) for box, place in sorted(layout.places.items())),
        "</g>",
        *_legend_lines(diagram, legend, _HEADING + layout.height),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _summary(machine: Machine) -> str:
    counts = (
        (machine.hosts, "host", "hosts"),
        (machine.switches, "switch", "switches"),
        (machine.link_count, "link", "links"),
    )
    return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts)


def _colours(diagram: Diagram) -> dict[CableKind, str]:
    kinds = [kind for kind, _ in diagram.kinds]
    return {kind: _CABLE_COLOURS[n % len(_CABLE_COLOURS)] for n, kind in enumerate(kinds)}


def _cables(diagram: Diagram, layout: Layout) -> list[str]:
    colours = _colours(diagram)
    # Many thin lines stay apart; few can be broad.
    stroke = 2.4 if len(diagram.cables) <= 20 else 1.4 if len(diagram.cables) <= 80 else 0.8
    lines = []
    for cable in diagram.cables:
        if cable.upper == cable.lower:
            continue
        x1, y1 = _anchor(layout.places[cable.upper], layout.places[cable.lower])
        x2, y2 = _anchor(layout.places[cable.lower], layout.places[cable.upper])
        lines.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{colours[cable.kind]}" stroke-width="{stroke}"/>'
        )
        if cable.count > 1:
            x, y = (x1 + x2) / 2 + 5, (y1 + y2) / 2
            lines.append(f'<text class="count" x="{x:.1f}" y="{y:.1f}">× {cable.count}</text>')
    return lines


def _anchor(place: Place, towards: Place) -> tuple[float, float]:
    """Return the point of a box where a cable to another box begins."""
    if not place.at_ends:
        return place.x, place.y
    length = place.width / 2
    ends = [_along(place, length), _along(place, -length)]
    return min(ends, key=lambda end: (end[0] - towards.x) ** 2 + (end[1] - towards.y) ** 2)


def _along(place: Place, length: float) -> tuple[float, float]:
    angle = math.radians(place.turn)
    return place.x + length * math.cos(angle), place.y + length * math.sin(angle)


def _box(node: Node, place: Place) -> str:
    kind = "host" if node.level == 0 else "switch"
    turn = f' transform="rotate({place.turn:.1f} {place.x:.1f} {place.y:.1f})"'
    label_y = place.y - 8 if node.note else place.y
    note = (
        f'<text class="note" x="{place.x:.1f}" y="{place.y + 9:.1f}">{escape(node.note)}</text>'
        if node.note
        else ""
    )
    left, top = place.x - place.width / 2, place.y - place.height / 2
    return (
        f'<g{turn if place.turn else ""}><rect class="{kind}" x="{left:.1f}" y="{top:.1f}" '
        f'width="{place.width:.1f}" height="{place.height:.1f}" rx="4"/>'
        f'<text class="label" x="{place.x:.1f}" y="{label_y:.1f}">{escape(node.label)}</text>'
        f"{note}</g>"
    )


def _legend(diagram: Diagram) -> list[str]:
    return [
        f"{kind} in each direction: {count} cable{'' if count == 1 else 's'} "
        + " and ".join(_whereabouts(diagram, kind))
        for kind, count in diagram.kinds
    ]


def _whereabouts(diagram: Diagram, kind: CableKind) -> list[str]:
    """Return between what the cables of a kind run, from the hosts upwards."""
    levels = [
        (diagram.nodes[cable.lower].level, diagram.nodes[cable.upper].level)
        for cable in diagram.cables
        if cable.kind == kind
    ]
    found = {_between(*pair): None for pair in sorted(levels)}
    return list(found)


def _between(lower: int, upper: int) -> str:
    if upper == 0:
        return "between hosts"
    return "between hosts and switches" if lower == 0 else "between switches"


def _legend_lines(diagram: Diagram, legend: list[str], top: float) -> list[str]:
    parts = []
    for number, (text, colour) in enumerate(zip(legend, _colours(diagram).values(), strict=True)):
        y = top + number * _LEGEND_LINE
        parts.append(
            f'<line x1="{MARGIN:.0f}" y1="{y:.0f}" x2="{MARGIN + 30:.0f}" y2="{y:.0f}" '
            f'stroke="{colour}" stroke-width="3"/>'
            f'<text class="legend" x="{MARGIN + 40:.0f}" y="{y + 4:.0f}">{escape(text)}</text>'
        )
    return parts
