"""Star, trees and butterfly: levels of vertices one over the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kumihimo.results.report.figure import WIDTH
from kumihimo.results.report.load import (
    CellPicture,
    LinePicture,
    LinkLoad,
    Segment,
    Spot,
    Vertex,
    busiest,
)

MOST_LINES = 3_000
_MOST_BINS = 200
_LEVEL_HEIGHT = 110.0
_MARGIN = 12.0
_NAMES_WIDTH = 60.0  # on the left, for the names of levels
_MOST_NUMBERS = 48  # of vertices side by side that have room for them
# The two directions of a cable lie side by side.
_APART = 1.6

_SENTENCE = (
    "Hosts are at the bottom{top}, switches above them by level. A line is a link, two lines are "
    "its two directions. Point at a link or at its ends for their names. "
)
_STRIPS = (
    "A row holds the links between two levels in one direction, ordered by the vertex at their "
    "lower end; a cell is some neighbours with the busiest link among them. "
)

# Of a vertex as the source (False) or target (True) of a link: its level, its place and how many
# vertices its level has.
Place = tuple[int, int, int]
Placer = Callable[[Vertex, bool], Place]


def placer_of(topology: Mapping[str, Any]) -> Placer | None:
    """Return where the vertices of a topology stand; None if it has no levels.

    Args:
        topology: Keys of the platform without "topology.".
    """
    match topology["kind"]:
        case "star":
            return lambda vertex, _: (1, 0, 1) if vertex.is_switch else (
                0, vertex.number, topology["hosts"])  # fmt: skip
        case "tree":
            hosts = topology["leaves"] * topology["hosts_per_leaf"]
            return _by_counts([hosts, topology["leaves"], topology["spines"]])
        case "fat_tree":
            return _by_counts(_fat_tree_counts(topology))
        case "butterfly":
            return _butterfly(topology["radix"], topology["stages"])
    return None


def level_picture(loads: Sequence[LinkLoad], placer: Placer) -> LinePicture | CellPicture:
    """Return the links between levels, as lines if they are few enough."""
    return _lines(loads, placer) if len(loads) <= MOST_LINES else _strips(loads, placer)


def _by_counts(counts: Sequence[int]) -> Placer:
    def place(vertex: Vertex, _: bool) -> Place:
        if not vertex.is_switch:
            return 0, vertex.number, counts[0]
        number, level = vertex.number, 1
        while number >= counts[level]:
            number -= counts[level]
            level += 1
        return level, number, counts[level]

    return place


def _fat_tree_counts(topology: Mapping[str, Any]) -> list[int]:
    children = topology["children"]
    parents = _each(topology["parents"], len(children))
    return [
        math.prod(children[level:]) * math.prod(parents[:level])
        for level in range(len(children) + 1)
    ]


def _each(value: int | Sequence[int], count: int) -> Sequence[int]:
    return [value] * count if isinstance(value, int) else value


def _butterfly(radix: int, stages: int) -> Placer:
    each = radix ** (stages - 1)

    def place(vertex: Vertex, is_target: bool) -> Place:
        if vertex.is_switch:
            return 1 + vertex.number // each, vertex.number % each, each
        return (stages + 1 if is_target else 0), vertex.number, each * radix

    return place


def _lines(loads: Sequence[LinkLoad], placer: Placer) -> LinePicture:
    places = [(placer(load.source, False), placer(load.target, True), load) for load in loads]
    top = max(max(source[0], target[0]) for source, target, _ in places)
    height = top * _LEVEL_HEIGHT + 2 * _MARGIN

    def point(place: Place, shift: float = 0.0) -> tuple[float, float]:
        level, number, count = place
        x = _NAMES_WIDTH + (number + 0.5) / count * (WIDTH - _NAMES_WIDTH - _MARGIN)
        return x + shift, height - _MARGIN - level * _LEVEL_HEIGHT

    segments = []
    vertices: dict[Place, Vertex] = {}
    for source, target, load in places:
        vertices |= {source: load.source, target: load.target}
        shift = -_APART if source[0] < target[0] else _APART
        segments.append(Segment(*point(source, shift), *point(target, shift), load))
    spots = [
        Spot(*point(place), vertex, str(vertex), str(vertex.number) if place[2] <= _MOST_NUMBERS
             else "")
        for place, vertex in sorted(vertices.items())
    ]  # fmt: skip
    has_hosts = {place[0]: not vertex.is_switch for place, vertex in vertices.items()}
    titles = [
        (0.0, point((level, 0, 1))[1], "hosts" if hosts else _level_name(level))
        for level, hosts in sorted(has_hosts.items())
    ]
    ends_above = any(not load.target.is_switch and target[0] > 0 for _, target, load in places)
    sentence = _SENTENCE.format(top=" and, as targets, at the top" if ends_above else "")
    return LinePicture(WIDTH, height, segments, [], spots, titles, sentence)


def _strips(loads: Sequence[LinkLoad], placer: Placer) -> CellPicture:
    rows: dict[tuple[int, int], None] = {}
    found = []
    for load in loads:
        source, target = placer(load.source, False), placer(load.target, True)
        rows[source[0], target[0]] = None
        found.append((source, target, load))
    # From the top of the network downwards, as it would be drawn.
    order = sorted(rows, key=lambda row: (-min(row), row[0] < row[1]))
    cells: dict[tuple[int, int], tuple[LinkLoad, int]] = {}
    bins = min(_MOST_BINS, max(min(source, target)[2] for source, target, _ in found))
    for source, target, load in found:
        _, number, count = min(source, target)
        busiest(cells, (order.index((source[0], target[0])), number * bins // count), load)
    labels = [f"{_level_name(source)} to {_level_name(target)}" for source, target in order]
    columns = [str(number) for number in range(bins)]
    return CellPicture(labels, columns, cells, "", "Vertices of the lower level", _STRIPS)


def _level_name(level: int) -> str:
    return "hosts" if level == 0 else f"level {level}"
