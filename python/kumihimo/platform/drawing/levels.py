"""Stars, complete graphs, trees and others: boxes in levels, or around one switch."""

from __future__ import annotations

import math
from collections import defaultdict

from kumihimo.platform.drawing.diagram import CableKind, Diagram, Node, draw_up
from kumihimo.platform.drawing.frame import CABLE_COLOURS, Drawing, box, line, text
from kumihimo.platform.drawing.geometry import Layout, Place, lay_out
from kumihimo.platform.drawing.keys import counted
from kumihimo.platform.network import Network

_MOST_HOSTS = 64
_MOST_HOSTS_EACH_CONNECTED = 24
_MOST_SWITCHES = 32
_MOST_GROUPS = 16
# More lines of a kind that stand for equally many cables say so in the legend only.
_MOST_COUNTS = 12


def draw_levels(network: Network) -> Drawing:
    """Return the network box by box.

    Networks of up to 64 hosts (24 if fully connected) and 32 switches a level are shown in full; in
    larger ones a box stands for the hosts of a switch (up to 16 boxes) or for a whole level.
    """
    most_hosts = _MOST_HOSTS if network.switches else _MOST_HOSTS_EACH_CONNECTED

    def fits(row: list[Node]) -> bool:
        if any(node.note for node in row):
            return len(row) <= _MOST_GROUPS
        return len(row) <= (most_hosts if row[0].level == 0 else _MOST_SWITCHES)

    diagram = draw_up(network, fits)
    layout = lay_out(diagram)
    parts = _cables(diagram, layout)
    parts += [_box(diagram.nodes[node], place) for node, place in sorted(layout.places.items())]
    return Drawing(layout.width, layout.height, parts, _legend(diagram), [])


def _colours(diagram: Diagram) -> dict[CableKind, str]:
    kinds = [kind for kind, _ in diagram.kinds]
    return {kind: CABLE_COLOURS[n % len(CABLE_COLOURS)] for n, kind in enumerate(kinds)}


def _cables(diagram: Diagram, layout: Layout) -> list[str]:
    colours = _colours(diagram)
    # Many thin lines stay apart; few can be broad.
    stroke = 2.4 if len(diagram.cables) <= 20 else 1.4 if len(diagram.cables) <= 80 else 0.8
    equal = _equal_counts(diagram)
    lines = []
    for cable in diagram.cables:
        if cable.upper == cable.lower:
            continue
        x1, y1 = _anchor(layout.places[cable.upper], layout.places[cable.lower])
        x2, y2 = _anchor(layout.places[cable.lower], layout.places[cable.upper])
        lines.append(line(x1, y1, x2, y2, colours[cable.kind], stroke))
        if cable.count > 1 and cable.kind not in equal:
            lines.append(text("count", (x1 + x2) / 2 + 5, (y1 + y2) / 2, f"× {cable.count}"))
    return lines


def _equal_counts(diagram: Diagram) -> dict[CableKind, int]:
    """Return for kinds with many lines how many cables each line is, if that is always the same."""
    counts: defaultdict[CableKind, list[int]] = defaultdict(list)
    for cable in diagram.cables:
        counts[cable.kind].append(cable.count)
    return {
        kind: found[0]
        for kind, found in counts.items()
        if len(found) > _MOST_COUNTS and len(set(found)) == 1 and found[0] > 1
    }


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
    note = text("note", place.x, place.y + 9, node.note) if node.note else ""
    return (
        f"<g{turn if place.turn else ''}>{box(kind, place.x, place.y, place.width, place.height)}"
        f"{text('label', place.x, label_y, node.label)}{note}</g>"
    )


def _legend(diagram: Diagram) -> list[tuple[str, str]]:
    equal = _equal_counts(diagram)
    colours = _colours(diagram)
    return [
        (
            f"{kind} in each direction: {counted(count, 'cable', 'cables')} "
            + " and ".join(_whereabouts(diagram, kind))
            + (f", each line {equal[kind]}" if kind in equal else ""),
            colours[kind],
        )
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
