"""Torus and mesh: planes of switches, side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from kumihimo.results.binning import group_bounds
from kumihimo.results.report.figure import WIDTH
from kumihimo.results.report.load import (
    FROM_HOSTS,
    TO_HOSTS,
    TO_PLANES,
    CellPicture,
    Dot,
    LinePicture,
    LinkLoad,
    Segment,
    Spot,
    Vertex,
    busiest,
)

MOST_LINES = 25_000
_MARKS_A_SWITCH = 8  # four links in the plane, three marks, the switch itself
_MOST_BLOCKS = 64
_SMALLEST_STEP, _LARGEST_STEP = 9.0, 56.0
_STEP_FOR_NUMBERS = 32.0  # from here on a switch has room for its number
_STEP_FOR_COORDINATES = 14.0
_GAP = 1.4  # between planes, in steps
_TITLE_HEIGHT = 30.0
# Where the marks of a switch stand, in steps from it: between its links.
_MARK_PLACES = {FROM_HOSTS: (-0.27, 0.27), TO_HOSTS: (0.27, 0.27), TO_PLANES: (0.27, -0.27)}

# Marks and switches leave room for the lines between them: widths in steps, and at most in pixels.
_MARK_WIDTH, _LARGEST_MARK = 0.3, 5.1
_SPOT_WIDTH, _LARGEST_SPOT = 0.22, 4.0

_SENTENCE = (
    "Switches are the points of a grid, with planes of the first two dimensions next to each "
    "other. A line is a link between neighbours, two lines the two directions, a stub the link "
    "that closes a ring. A mark next to a switch is its busiest link from its hosts, to its hosts "
    "or into other planes. Point at a link or switch for its name and coordinates. "
)
_BLOCKS = (
    "A cell is a block of switches, over all planes, with the busiest link that begins there, at "
    "a switch or at its hosts. "
)


def grid_picture(
    loads: Sequence[LinkLoad], sizes: Sequence[int], hosts_per_switch: int
) -> LinePicture | CellPicture:
    """Return the links of a grid of these sizes."""
    grid = _Grid(sizes, hosts_per_switch)
    if _MARKS_A_SWITCH * grid.width * grid.height > MOST_LINES:
        return _blocks(loads, grid)
    return _planes(loads, grid)


@dataclass(frozen=True)
class _Grid:
    """The numbers of a grid; switches are numbered along the first dimension first."""

    sizes: Sequence[int]
    hosts_per_switch: int
    width: int = field(init=False)
    height: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", self.sizes[0])
        object.__setattr__(self, "height", self.sizes[1] if len(self.sizes) > 1 else 1)

    @property
    def planes(self) -> int:
        return math.prod(self.sizes) // (self.width * self.height)

    def switch_of(self, vertex: Vertex) -> int:
        return vertex.number if vertex.is_switch else vertex.number // self.hosts_per_switch

    def plane_of(self, vertex: Vertex) -> int:
        return self.switch_of(vertex) // (self.width * self.height)

    def column_and_row(self, vertex: Vertex) -> tuple[int, int]:
        switch = self.switch_of(vertex)
        return switch % self.width, switch // self.width % self.height

    def coordinates(self, number: int, sizes: Sequence[int]) -> str:
        found = []
        for size in sizes:
            number, coordinate = divmod(number, size)
            found.append(str(coordinate))
        return ", ".join(found)

    def name(self, vertex: Vertex) -> str:
        return f"{vertex} ({self.coordinates(self.switch_of(vertex), self.sizes)})"


def _planes(loads: Sequence[LinkLoad], grid: _Grid) -> LinePicture:
    by_plane: dict[int, list[LinkLoad]] = {}
    for load in loads:
        # A plane has the links that begin in it.
        by_plane.setdefault(grid.plane_of(load.source), []).append(load)
    fitting = max(1, MOST_LINES // (_MARKS_A_SWITCH * grid.width * grid.height))
    chosen = sorted(by_plane, key=lambda plane: (-sum(x.use for x in by_plane[plane]), plane))
    shown = sorted(chosen[:fitting])
    across = max(1, min(len(shown), int(WIDTH / (_SMALLEST_STEP * (grid.width + _GAP)))))
    step = min(_LARGEST_STEP, WIDTH / (across * (grid.width + _GAP)))
    sentence = _SENTENCE
    if len(shown) < len(by_plane):
        sentence += f"Of {grid.planes:,} planes the {len(shown)} busiest are shown. "
    rows = -(-len(shown) // across)
    total_height = rows * ((grid.height + _GAP) * step + _TITLE_HEIGHT)
    total_width = across * (grid.width + _GAP) * step
    picture = LinePicture(
        total_width,
        total_height,
        [],
        [],
        [],
        [],
        sentence,
        grid.name,
        dot_area=min(_LARGEST_MARK, _MARK_WIDTH * step) ** 2,
        spot_area=min(_LARGEST_SPOT, _SPOT_WIDTH * step) ** 2,
    )
    for position, plane in enumerate(shown):
        # Half a gap on the left, for the coordinates of rows.
        left = (position % across) * (grid.width + _GAP) * step + _GAP * step / 2
        top = (position // across) * ((grid.height + _GAP) * step + _TITLE_HEIGHT) + _TITLE_HEIGHT
        drawn = _Plane(picture, grid, plane, left, top, step)
        drawn.name()
        drawn.draw(by_plane[plane])
    return picture


@dataclass(frozen=True)
class _Plane:
    """One plane in the making: its left, its top and a step in pixels."""

    picture: LinePicture
    grid: _Grid
    plane: int
    left: float
    top: float
    step: float

    def name(self) -> None:
        """Write the plane's name, the coordinates of columns and rows, and its switches."""
        grid, step = self.grid, self.step
        titles = self.picture.titles
        if grid.planes > 1:
            title = f"plane {grid.coordinates(self.plane, grid.sizes[2:])}"
            titles.append((self.left, self.top - 18, title))
        if step >= _STEP_FOR_COORDINATES:
            for column in range(grid.width):
                titles.append((self.left + (column + 0.5) * step - 3, self.top - 6, str(column)))
            for row in range(grid.height) if len(grid.sizes) > 1 else ():
                titles.append((self.left - 14, self.top + (row + 0.5) * step, str(row)))
        first = self.plane * grid.width * grid.height
        for switch in range(first, first + grid.width * grid.height):
            vertex = Vertex(is_switch=True, number=switch)
            label = str(switch) if step >= _STEP_FOR_NUMBERS else ""
            self.picture.spots.append(
                Spot(*self.place(vertex), vertex, f"switch {grid.name(vertex)[6:]}", label)
            )

    def place(self, vertex: Vertex, right: float = 0.0, down: float = 0.0) -> tuple[float, float]:
        column, row = self.grid.column_and_row(vertex)
        return (
            self.left + (column + 0.5 + right) * self.step,
            self.top + (row + 0.5 + down) * self.step,
        )

    def draw(self, loads: Sequence[LinkLoad]) -> None:
        """Add the links that begin here."""
        marks: dict[tuple[int, str], tuple[LinkLoad, int]] = {}
        for load in loads:
            if load.is_between_switches and self.grid.plane_of(load.target) == self.plane:
                self.picture.segments.append(self._segment(load))
                continue
            kind = FROM_HOSTS if not load.source.is_switch else TO_HOSTS
            if load.is_between_switches:
                kind = TO_PLANES
            key = self.grid.switch_of(load.source), kind
            known, count = marks.get(key, (load, 0))
            marks[key] = (load if load.use > known.use else known, count + 1)
        for (switch, kind), (load, count) in sorted(marks.items(), key=lambda mark: mark[0]):
            x, y = self.place(Vertex(is_switch=True, number=switch), *_MARK_PLACES[kind])
            self.picture.dots.append(Dot(x, y, kind, load, count))

    def _segment(self, load: LinkLoad) -> Segment:
        x, y = self.grid.column_and_row(load.source)
        to_x, to_y = self.grid.column_and_row(load.target)
        dx, dy = to_x - x, to_y - y
        closes_ring = abs(dx) > 1 or abs(dy) > 1
        # The link that closes a ring leads outwards.
        sign = -1 if closes_ring else 1
        ux = sign * ((dx > 0) - (dx < 0))
        uy = sign * ((dy > 0) - (dy < 0))
        begin, end = 0.18, 0.5 if closes_ring else 0.82
        # The two directions lie side by side: each on its right.
        right, down = -0.07 * uy, 0.07 * ux
        return Segment(
            *self.place(load.source, right + begin * ux, down + begin * uy),
            *self.place(load.source, right + end * ux, down + end * uy),
            load,
        )


def _blocks(loads: Sequence[LinkLoad], grid: _Grid) -> CellPicture:
    """Return a table of blocks for planes that are too large, all planes in one."""
    column_bounds = group_bounds(grid.width, _MOST_BLOCKS)
    row_bounds = group_bounds(grid.height, _MOST_BLOCKS)
    cells: dict[tuple[int, int], tuple[LinkLoad, int]] = {}
    for load in loads:
        x, y = grid.column_and_row(load.source)
        key = y * len(row_bounds) // grid.height, x * len(column_bounds) // grid.width
        busiest(cells, key, load)
    return CellPicture(
        [f"{first}–{last}" for first, last in row_bounds],
        [f"{first}–{last}" for first, last in column_bounds],
        cells,
        "Second coordinate",
        "First coordinate",
        _BLOCKS,
    )
