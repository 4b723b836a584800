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
# Half of a group's name in pixels, its distance from the stubs, and room for it around the picture.
_NAME_WIDTH, _NAME_HEIGHT = 20.0, 6.0
_NAME_DISTANCE = 4.0
_MARGIN = 28.0

_SENTENCE = (
    "Groups stand on a circle, their switches on smaller ones, hosts as stubs outside of those; a "
    "line is a link, two lines the two directions. Point at a link or switch for its name. "
)


def group_picture(
    loads: Sequence[LinkLoad], groups: int, switches_per_group: int, hosts_per_switch: int
) -> LinePicture | None:
    """Return every link as a line; None if there are too many to be seen."""
    ring = dragonfly_ring(groups, switches_per_group, hosts_per_switch)
    radius = min(_LARGEST_RADIUS, (WIDTH - 2 * _MARGIN) / ring.size)
    if radius < _SMALLEST_RADIUS or len(loads) > MOST_LINES:
        return None

    def name_of(vertex: Vertex) -> str:
        switch = vertex.number if vertex.is_switch else vertex.number // hosts_per_switch
        return f"{vertex} (group {switch // switches_per_group})"

    def segment(load: LinkLoad) -> Segment:
        x1, y1 = pixels(*_place(ring, load.source))
        x2, y2 = pixels(*_place(ring, load.target))
        length = math.hypot(x2 - x1, y2 - y1)
        right, down = -(y2 - y1) / length * _APART, (x2 - x1) / length * _APART
        return Segment(x1 + right, y1 + down, x2 + right, y2 + down, load)

    def pixels(x: float, y: float) -> tuple[float, float]:
        return x * radius + _MARGIN, y * radius + _MARGIN

    titles = []
    hosts_per_group = switches_per_group * hosts_per_switch
    for group in range(groups):
        first = group * hosts_per_group
        right, down, extent = _outwards(ring, group, ring.hosts[first : first + hosts_per_group])
        x, y = pixels(*ring.groups[group])
        # No stub reaches as far out as the nearest corner of the name.
        far = extent * radius + _NAME_DISTANCE
        far += _NAME_WIDTH * abs(right) + _NAME_HEIGHT * abs(down)
        titles.append((x + far * right - _NAME_WIDTH, y + far * down, f"group {group}"))
    has_numbers = radius >= _RADIUS_FOR_NUMBERS
    spots = [
        Spot(*pixels(x, y), vertex, name_of(vertex), str(number) if has_numbers else "")
        for number, (x, y) in enumerate(ring.switches)
        for vertex in (Vertex(is_switch=True, number=number),)
    ]
    side = ring.size * radius + 2 * _MARGIN
    segments = [segment(load) for load in loads]
    return LinePicture(side, side, segments, [], spots, titles, _SENTENCE, name_of)


def _place(ring: Ring, vertex: Vertex) -> tuple[float, float]:
    return (ring.switches if vertex.is_switch else ring.hosts)[vertex.number]


def _outwards(
    ring: Ring, group: int, hosts: Sequence[tuple[float, float]]
) -> tuple[float, float, float]:
    """Return the direction from the middle to a group, and how far its hosts reach that way."""
    middle = ring.size / 2
    x, y = ring.groups[group]
    length = math.hypot(x - middle, y - middle)
    right, down = ((x - middle) / length, (y - middle) / length) if length else (0.0, -1.0)
    reach = [(host_x - x) * right + (host_y - y) * down for host_x, host_y in hosts]
    return right, down, max([1.0, *reach])
