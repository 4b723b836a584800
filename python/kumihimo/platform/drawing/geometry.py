"""Where the boxes of a picture stand: on a circle around one switch, or in rows by level."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from kumihimo.platform.drawing.diagram import Diagram

MARGIN = 40.0
_ROW_HEIGHT = 190.0
_BOX_HEIGHT = 26.0
_GROUP_HEIGHT = 40.0
_LETTER = 7.2  # width of a letter at the size of labels
_SLIM_HEIGHT = 18.0
_UPRIGHT = 22.0  # room for a slim box that is turned


@dataclass(frozen=True)
class Place:
    """Where one box stands.

    Attributes:
        x: Of the centre.
        y: Of the centre.
        width: Of the box.
        height: Of the box.
        turn: Degrees by which the box is turned around its centre.
        at_ends: Whether cables begin at its narrow ends; else at its centre.
    """

    x: float
    y: float
    width: float
    height: float
    turn: float = 0.0
    at_ends: bool = False


@dataclass(frozen=True)
class Layout:
    """The places of all boxes, by their index, on a page of this size."""

    width: float
    height: float
    places: dict[int, Place]


def lay_out(diagram: Diagram) -> Layout:
    """Return a circle for hosts around at most one switch, rows for everything else."""
    hosts = len(diagram.levels[0])
    around_one = len(diagram.levels) == 1 or (
        len(diagram.levels) == 2 and len(diagram.levels[1]) == 1
    )
    return _circle(diagram) if around_one and hosts > 2 else _rows(diagram)


def _box_width(diagram: Diagram, box: int) -> float:
    node = diagram.nodes[box]
    return max(len(node.label), len(node.note)) * _LETTER + 16


def _box_height(diagram: Diagram, box: int) -> float:
    return _GROUP_HEIGHT if diagram.nodes[box].note else _BOX_HEIGHT


def _circle(diagram: Diagram) -> Layout:
    hosts = diagram.levels[0]
    widest = max(_box_width(diagram, box) for box in hosts)
    # Labels point outwards once they would touch side by side.
    upright = len(hosts) <= 12
    spacing = widest + 14 if upright else _UPRIGHT
    radius = max(140.0, len(hosts) * spacing / (2 * math.pi))
    reach = radius + widest + MARGIN
    places = {}
    for number, box in enumerate(hosts):
        angle = 2 * math.pi * number / len(hosts) - math.pi / 2
        degrees = math.degrees(angle) % 360
        # Text on the left half would stand on its head.
        turn = 0.0 if upright else degrees + (180 if 90 < degrees < 270 else 0)
        out = radius if upright else radius + widest / 2
        x, y = reach + out * math.cos(angle), reach + out * math.sin(angle)
        height = _BOX_HEIGHT if upright else _SLIM_HEIGHT
        places[box] = Place(x, y, widest, height, turn, at_ends=not upright)
    for box in [box for level in diagram.levels[1:] for box in level]:
        places[box] = Place(reach, reach, _box_width(diagram, box) + 12, 38)
    return Layout(2 * reach, 2 * reach, places)


def _rows(diagram: Diagram) -> Layout:
    """Return rows, the hosts lowest; a switch stands above the middle of what hangs on it."""
    widths = [_row_width(diagram, level) for level in range(len(diagram.levels))]
    width = max(420.0, *widths) + 2 * MARGIN
    tallest_host = max(
        (_box_width(diagram, box) if _is_turned(diagram, 0) else _box_height(diagram, box))
        for box in diagram.levels[0]
    )
    bottom = MARGIN + (len(diagram.levels) - 1) * _ROW_HEIGHT + _BOX_HEIGHT
    places: dict[int, Place] = {}
    for level, boxes in enumerate(diagram.levels):
        y = bottom - level * _ROW_HEIGHT + (tallest_host / 2 if level == 0 else 0)
        for box, x in zip(boxes, _columns(diagram, level, width, places), strict=True):
            size = _box_width(diagram, box), _box_height(diagram, box)
            if _is_turned(diagram, level):
                height = size[1] if diagram.nodes[box].note else _SLIM_HEIGHT
                places[box] = Place(x, y, size[0], height, turn=-90.0, at_ends=True)
            else:
                places[box] = Place(x, y, *size)
    return Layout(width, bottom + tallest_host + MARGIN, places)


def _is_turned(diagram: Diagram, level: int) -> bool:
    """Return whether the hosts' labels stand upright, since there are many."""
    return level == 0 and len(diagram.levels[0]) > 16


def _room(diagram: Diagram, level: int) -> float:
    """Return the width that each box of a row needs, with the space next to it."""
    if _is_turned(diagram, level):
        return _UPRIGHT if not any(diagram.nodes[box].note for box in diagram.levels[level]) else 48
    return max(_box_width(diagram, box) for box in diagram.levels[level]) + 12


def _row_width(diagram: Diagram, level: int) -> float:
    return len(diagram.levels[level]) * _room(diagram, level)


def _columns(diagram: Diagram, level: int, width: float, places: dict[int, Place]) -> list[float]:
    boxes = diagram.levels[level]
    step = (width - 2 * MARGIN) / len(boxes)
    even = [MARGIN + (number + 0.5) * step for number in range(len(boxes))]
    if level == 0:
        return even
    middles = []
    for number, box in enumerate(boxes):
        below = [
            places[cable.lower].x
            for cable in diagram.cables
            if cable.upper == box and cable.lower in places
        ]
        middles.append(sum(below) / len(below) if below else even[number])
    room = _room(diagram, level)
    apart = all(right - left >= room for left, right in itertools.pairwise(middles))
    return middles if apart else even
