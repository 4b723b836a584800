"""Tori and meshes: rows and columns of switches, a third dimension into the depth."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kumihimo.platform.drawing.frame import CABLE_COLOURS, Drawing, around, box, line, text
from kumihimo.platform.drawing.geometry import MARGIN
from kumihimo.platform.drawing.keys import cable_kind, counted, number, shown
from kumihimo.platform.model import Platform

# Places drawn along each of the dimensions; of a longer one its ends.
_MOST_PLACES = (8, 8, 4)
_LETTER = 7.2
_SWITCH_HEIGHT, _HOST_HEIGHT = 32.0, 18.0
_TO_HOSTS = 8.0
_NODE_HEIGHT = _SWITCH_HEIGHT + _TO_HOSTS + _HOST_HEIGHT
# Room between the levels of the depth, in which cables that close a ring go around.
_CHANNEL = 12.0
_BETWEEN = 40.0

Coordinates = tuple[int, ...]
Point = tuple[float, float]


def draw_grid(platform: Platform) -> Drawing:
    """Return the grid; of more than three dimensions the first three, of long ones their ends."""
    return _Grid(platform).draw()


@dataclass(frozen=True)
class _Step:
    """Two neighbours along a dimension, by their places in the picture."""

    dimension: int
    first: Coordinates
    second: Coordinates
    is_gap: bool


class _Grid:
    """A grid in the making. Coordinates are places in the picture: those of `shown`, with gaps."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._sizes = platform.numbers("topology.sizes")
        self._hosts = number(platform, "hosts_per_switch")
        self._wraps = platform["topology.kind"] == "torus"
        drawn = self._sizes[: len(_MOST_PLACES)]
        self._places = [shown(size, most) for size, most in zip(drawn, _MOST_PLACES, strict=False)]
        self._slots = [*(len(places) for places in self._places), 1, 1][:3]
        self._width = max(self._box_width(at) for at in self._all())
        # The depth leads to the right and up, so far that a column does not hide the next.
        self._depth = (self._width / 2 + _CHANNEL, -(_NODE_HEIGHT + _CHANNEL))
        deep = self._slots[2] - 1
        self._step = (
            self._width + deep * self._depth[0] + _BETWEEN,
            _NODE_HEIGHT - deep * self._depth[1] + _BETWEEN,
        )

    def draw(self) -> Drawing:
        deep = self._slots[2] - 1
        width = self._slots[0] * self._step[0] + 2 * MARGIN
        height = self._slots[1] * self._step[1] + 2 * MARGIN
        self._origin = (
            MARGIN + _BETWEEN / 2 + self._width / 2,
            MARGIN + _BETWEEN / 2 + _NODE_HEIGHT / 2 - deep * self._depth[1],
        )
        parts = [self._cable(step) for step in self._steps()]
        parts += [self._return(dimension, at) for dimension, at in self._rings()]
        # What lies deepest is drawn first.
        for at in sorted(self._all(), key=lambda at: (-self._slot(2, at), at)):
            parts += self._node(at)
        return Drawing(width, height, parts, self._legend(), self._remarks())

    def _all(self) -> Iterator[Coordinates]:
        """Yield the coordinates of the switches that are drawn."""
        real = [[place for place in places if place is not None] for places in self._places]
        return itertools.product(*real)

    def _steps(self) -> Iterator[_Step]:
        for dimension, places in enumerate(self._places):
            real = [place for place in places if place is not None]
            for at in self._all():
                position = real.index(at[dimension])
                if position + 1 < len(real):
                    after = real[position + 1]
                    to = (*at[:dimension], after, *at[dimension + 1 :])
                    yield _Step(dimension, at, to, is_gap=after > at[dimension] + 1)

    def _rings(self) -> Iterator[tuple[int, Coordinates]]:
        """Yield the dimension and the first switch of each ring."""
        for dimension in range(len(self._places)):
            if self._wraps and self._sizes[dimension] > 2:
                yield from ((dimension, at) for at in self._all() if at[dimension] == 0)

    def _slot(self, dimension: int, at: Coordinates) -> int:
        return self._places[dimension].index(at[dimension]) if dimension < len(at) else 0

    def _centre(self, at: Coordinates) -> Point:
        column, row, depth = (self._slot(dimension, at) for dimension in range(3))
        return (
            self._origin[0] + column * self._step[0] + depth * self._depth[0],
            self._origin[1] + row * self._step[1] + depth * self._depth[1],
        )

    def _cable(self, step: _Step) -> str:
        (x1, y1), (x2, y2) = self._centre(step.first), self._centre(step.second)
        colour = CABLE_COLOURS[1 + step.dimension]
        drawn = line(x1, y1, x2, y2, colour, 1.6)
        if not step.is_gap:
            return drawn
        return drawn + text("gap", (x1 + x2) / 2, (y1 + y2) / 2, "…")

    def _return(self, dimension: int, first: Coordinates) -> str:
        """Return the cable from the last switch of a ring to its first, around those between."""
        size = self._sizes[dimension]
        last = (*first[:dimension], size - 1, *first[dimension + 1 :])
        (x1, y1), (x2, y2) = self._centre(last), self._centre(first)
        colour = CABLE_COLOURS[1 + dimension]
        out = self._width / 2 + _CHANNEL
        up = _NODE_HEIGHT / 2 + _CHANNEL / 2
        if dimension == 0:
            path = (
                f"M {x1:.1f} {y1:.1f} h {out:.1f} v {-up:.1f} H {x2 - out:.1f} v {up:.1f} "
                f"H {x2:.1f}"
            )
        elif dimension == 1:
            aside = self._width / 2 + _CHANNEL / 2
            path = (
                f"M {x1:.1f} {y1:.1f} v {up + _CHANNEL / 2:.1f} h {-aside:.1f} "
                f"V {y2 - up - _CHANNEL / 2:.1f} h {aside:.1f} V {y2:.1f}"
            )
        else:
            # Below the diagonal, beside the boxes on it.
            bulge = self._width / 2 + 2 * _CHANNEL
            path = (
                f"M {x1:.1f} {y1:.1f} C {x1 + bulge:.1f} {y1 + 2 * up:.1f} "
                f"{x2 + 2 * bulge:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
            )
        return around(path, colour, 1.3)

    def _number(self, at: Coordinates) -> int:
        found, stride = 0, 1
        for coordinate, size in zip(at, self._sizes, strict=False):
            found += coordinate * stride
            stride *= size
        return found

    def _labels(self, at: Coordinates) -> tuple[str, str, str]:
        switch = self._number(at)
        rest = ", 0" * (len(self._sizes) - len(at))
        first = switch * self._hosts
        last = first + self._hosts - 1
        hosts = f"host{first}" if first == last else f"host{first} … {last}"
        return f"switch{switch}", f"({', '.join(map(str, at))}{rest})", hosts

    def _box_width(self, at: Coordinates) -> float:
        return max(len(words) for words in self._labels(at)) * _LETTER + 12

    def _node(self, at: Coordinates) -> list[str]:
        """Return a switch with its hosts hanging on it."""
        x, y = self._centre(at)
        name, coordinates, hosts = self._labels(at)
        top = y - _NODE_HEIGHT / 2
        below = top + _SWITCH_HEIGHT + _TO_HOSTS + _HOST_HEIGHT / 2
        return [
            line(x, top + _SWITCH_HEIGHT, x, below, CABLE_COLOURS[0], 4),
            box("host", x, below, self._width - 8, _HOST_HEIGHT),
            box("switch", x, top + _SWITCH_HEIGHT / 2, self._width, _SWITCH_HEIGHT),
            text("label", x, top + 10, name),
            text("note", x, top + 23, coordinates),
            text("note", x, below + 1, hosts),
        ]

    def _legend(self) -> list[tuple[str, str]]:
        switches = math.prod(self._sizes)
        kind = cable_kind(self._platform, self._platform.host_link)
        cables = counted(switches * self._hosts, "cable", "cables")
        found = [
            (f"{kind} in each direction: {cables} between hosts and the switch above",
             CABLE_COLOURS[0])
        ]  # fmt: skip
        for dimension, size in enumerate(self._sizes[: len(self._places)]):
            is_ring = self._wraps and size > 2
            cables = counted(switches // size * (size if is_ring else size - 1), "cable", "cables")
            form = f"ring of {size}, dashed where it closes" if is_ring else f"row of {size}"
            kind = cable_kind(self._platform, "switch_link", dimension)
            found.append(
                (f"{kind} in each direction: {cables} along dimension {dimension}, a {form}",
                 CABLE_COLOURS[1 + dimension])
            )  # fmt: skip
        return found

    def _remarks(self) -> list[str]:
        found = []
        whole = _by(self._sizes)
        drawn = sum(1 for _ in self._all())
        if drawn < math.prod(self._sizes):
            found.append(
                f"{drawn:,} of {whole} = {math.prod(self._sizes):,} switches are drawn: where … "
                "stands, others lie between."
            )
        if len(self._sizes) > len(self._places):
            found.append(
                f"Of {len(self._sizes)} dimensions the first three are drawn, at coordinate 0 of "
                "the others; each switch has cables along those, too."
            )
        return found


def _by(sizes: Sequence[int]) -> str:
    return " × ".join(map(str, sizes))
