"""Dragonflies: groups on a circle with their switches, every link a line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kumihimo.platform.drawing.rings import Ring, dragonfly_ring
from kumihimo.results.report.figure import WIDTH
from kumihimo.results.report.load import LinePicture, LinkLoad, Segment, Spot, Vertex

MOST_LINES = 8_000
_SMALLEST_RADIUS, _LARGEST_RADIUS = 14.0, 70.0  # of a group, in pixels
_RADIUS_FOR_NUMBERS = 44.0
# The two directions of a cable lie side by side.
_APART = 1.3

_SENTENCE = (
    "Groups stand on a circle, their switches on smaller ones, hosts as stubs outside of those; a "
    "line is a link, two lines the two directions. Point at a link or switch for its name. "
)


def group_picture(
    loads: Sequence[LinkLoad], groups: int, switches_per_group: int, hosts_per_switch: int
) -> LinePicture | None:
    """Return every link as a line; None if there are too many to be seen."""
    ring = dragonfly_ring(groups, switches_per_group, hosts_per_switch)
    radius = min(_LARGEST_RADIUS, WIDTH / ring.size)
    if radius < _SMALLEST_RADIUS or len(loads) > MOST_LINES:
        return None

    def name_of(vertex: Vertex) -> str:
        switch = vertex.number if vertex.is_switch else vertex.number // hosts_per_switch
        return f"{vertex} (group {switch // switches_per_group})"

    def segment(load: LinkLoad) -> Segment:
        x1, y1 = _place(ring, load.source)
        x2, y2 = _place(ring, load.target)
        length = math.hypot(x2 - x1, y2 - y1)
        right, down = -(y2 - y1) / length * _APART, (x2 - x1) / length * _APART
        return Segment(x1 * radius + right, y1 * radius + down,
                       x2 * radius + right, y2 * radius + down, load)  # fmt: skip

    titles = [
        (x * radius - 18, y * radius, f"group {group}") for group, (x, y) in enumerate(_names(ring))
    ]
    has_numbers = radius >= _RADIUS_FOR_NUMBERS
    spots = [
        Spot(x * radius, y * radius, vertex, name_of(vertex), str(number) if has_numbers else "")
        for number, (x, y) in enumerate(ring.switches)
        for vertex in (Vertex(is_switch=True, number=number),)
    ]
    side = ring.size * radius
    segments = [segment(load) for load in loads]
    return LinePicture(side, side, segments, [], spots, titles, _SENTENCE, name_of)


def _place(ring: Ring, vertex: Vertex) -> tuple[float, float]:
    return (ring.switches if vertex.is_switch else ring.hosts)[vertex.number]


def _names(ring: Ring) -> list[tuple[float, float]]:
    """Return where the groups' names stand: at the outer edge of each, on the outside."""
    middle = ring.size / 2
    places = []
    for x, y in ring.groups:
        length = math.hypot(x - middle, y - middle) or 1.0
        places.append((x + (x - middle) / length * 1.62, y + (y - middle) / length * 1.62))
    return places
