"""How busy each link was, and where it lies: what the pictures of the network are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

# Links that a grid shows as marks at their switch.
FROM_HOSTS, TO_HOSTS, TO_PLANES = "from its hosts", "to its hosts", "to other planes"
DOT_KINDS = {FROM_HOSTS: "triangle-up", TO_HOSTS: "triangle-down", TO_PLANES: "square"}

_VERTEX = re.compile(r"(host|switch)([0-9]+)")


@dataclass(frozen=True, order=True)
class Vertex:
    """A host or a switch; hosts come first in order."""

    is_switch: bool
    number: int

    def __str__(self) -> str:
        """Return its name."""
        return f"{'switch' if self.is_switch else 'host'}{self.number}"


@dataclass(frozen=True)
class LinkLoad:
    """A directed link that carried something.

    Attributes:
        name: Of the link.
        source: Where it begins.
        target: Where it ends.
        use: Share of virtual time in which it was sending, in per cent.
    """

    name: str
    source: Vertex
    target: Vertex
    use: float

    @property
    def is_between_switches(self) -> bool:
        """Whether no host is at either end."""
        return self.source.is_switch and self.target.is_switch


@dataclass(frozen=True)
class Segment:
    """A link as a line, in pixels; y grows downwards."""

    x1: float
    y1: float
    x2: float
    y2: float
    load: LinkLoad


@dataclass(frozen=True)
class Dot:
    """The busiest of some links, as a mark at a place.

    Attributes:
        x: In pixels.
        y: In pixels.
        kind: What these links are, one of DOT_KINDS.
        load: The busiest of them.
        count: How many links these are.
    """

    x: float
    y: float
    kind: str
    load: LinkLoad
    count: int


@dataclass(frozen=True)
class Spot:
    """A host or switch.

    Attributes:
        x: In pixels.
        y: In pixels.
        vertex: Which one.
        name: With its coordinates.
        label: What is written at its place; empty where there is no room.
    """

    x: float
    y: float
    vertex: Vertex
    name: str
    label: str


@dataclass(frozen=True)
class LinePicture:
    """Links as lines.

    Attributes:
        width: In pixels.
        height: In pixels.
        segments: The lines.
        dots: Links that are not drawn as lines.
        spots: Hosts and switches.
        titles: Words at places: x, y and text.
        sentence: What is shown, for the caption.
        name_of: Returns a vertex with its coordinates.
        dot_area: Of each dot, in square pixels.
        spot_area: Of each spot without a number, in square pixels.
    """

    width: float
    height: float
    segments: list[Segment]
    dots: list[Dot]
    spots: list[Spot]
    titles: list[tuple[float, float, str]]
    sentence: str
    name_of: Callable[[Vertex], str] = str
    dot_area: float = 26.0
    spot_area: float = 16.0

    def loads(self) -> list[LinkLoad]:
        """Return the links that are drawn."""
        return [line.load for line in self.segments] + [dot.load for dot in self.dots]


@dataclass(frozen=True)
class CellPicture:
    """The busiest link of each cell of a table.

    Attributes:
        rows: Labels from top to bottom.
        columns: Labels from left to right.
        cells: By row and column the busiest link, and how many links there are.
        row_title: What the rows are.
        column_title: What the columns are.
        sentence: What is shown, for the caption.
    """

    rows: list[str]
    columns: list[str]
    cells: dict[tuple[int, int], tuple[LinkLoad, int]]
    row_title: str
    column_title: str
    sentence: str

    def loads(self) -> list[LinkLoad]:
        """Return the links that give the cells their colours."""
        return [load for load, _ in self.cells.values()]


def link_loads(document: Mapping[str, Any]) -> list[LinkLoad]:
    """Return all links of a result that carried something, in the network's order."""
    virtual_time_ps = max(1, int(document["virtual_time_ps"]))
    return [
        LinkLoad(
            str(row["name"]),
            _vertex(str(row["source"])),
            _vertex(str(row["target"])),
            100 * int(row["busy_ps"]) / virtual_time_ps,
        )
        for row in document["per_link"]
    ]


def busiest(cells: dict[tuple[int, int], tuple[LinkLoad, int]], key: tuple[int, int],
            load: LinkLoad) -> None:  # fmt: skip
    """Count a link in its cell, which shows the busiest one."""
    known, count = cells.get(key, (load, 0))
    cells[key] = (load if load.use > known.use else known, count + 1)


def _vertex(name: str) -> Vertex:
    match = _VERTEX.fullmatch(name)
    assert match is not None, name
    return Vertex(match[1] == "switch", int(match[2]))
