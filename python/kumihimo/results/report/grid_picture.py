"""Torus and mesh: planes of switches, side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kumihimo.results.binning import group_bounds
from kumihimo.results.report.figure import WIDTH
from kumihimo.results.report.load import (
    CellPicture,
    Dot,
    LinePicture,
    LinkLoad,
    Segment,
    busiest,
)

MOST_LINES = 25_000
_MOST_BLOCKS = 64
_SMALLEST_STEP, _LARGEST_STEP = 9.0, 40.0
_GAP = 1.4  # between planes, in steps
_TITLE_HEIGHT = 16.0

_SENTENCE = (
    "Switches stand at the points of a grid, planes of the first two dimensions side by side; a "
    "line is a link between neighbours, two lines the two directions, a stub the link that closes "
    "a ring. "
)
_DOTS = "A square is the busiest link from its switch into other planes. "
_BLOCKS = "A cell is a block of switches with the busiest link that begins there. "


def grid_picture(loads: Sequence[LinkLoad], sizes: Sequence[int]) -> LinePicture | CellPicture:
    """Return the links between switches of a grid of these sizes, hosts' own links left out."""
    inner = [load for load in loads if load.is_between_switches]
    width, height = sizes[0], sizes[1] if len(sizes) > 1 else 1
    if 5 * width * height > MOST_LINES:
        return _blocks(inner, width, height)
    return _planes(inner, sizes, width, height)


def _planes(
    loads: Sequence[LinkLoad], sizes: Sequence[int], width: int, height: int
) -> LinePicture:
    count = math.prod(sizes) // (width * height)
    by_plane: dict[int, list[LinkLoad]] = {}
    for load in loads:
        by_plane.setdefault(load.source.number // (width * height), []).append(load)
    fitting = max(1, MOST_LINES // (5 * width * height))
    chosen = sorted(by_plane, key=lambda plane: (-sum(x.use for x in by_plane[plane]), plane))
    shown = sorted(chosen[:fitting])
    across = max(1, min(len(shown), int(WIDTH / (_SMALLEST_STEP * (width + _GAP)))))
    step = min(_LARGEST_STEP, WIDTH / (across * (width + _GAP)))
    segments: list[Segment] = []
    dots: list[Dot] = []
    titles = []
    for position, plane in enumerate(shown):
        left = (position % across) * (width + _GAP) * step
        top = (position // across) * ((height + _GAP) * step + _TITLE_HEIGHT) + _TITLE_HEIGHT
        if count > 1:
            titles.append((left, top - 4, _plane_name(plane, sizes)))
        _draw_plane(by_plane[plane], width, height, (left, top, step), segments, dots)
    rows = -(-len(shown) // across)
    sentence = _SENTENCE + (_DOTS if dots else "")
    if len(shown) < len(by_plane):
        sentence += f"Of {count:,} planes the {len(shown)} busiest are shown. "
    total_height = rows * ((height + _GAP) * step + _TITLE_HEIGHT)
    return LinePicture(
        across * (width + _GAP) * step, total_height, segments, dots, titles, sentence
    )


def _plane_name(plane: int, sizes: Sequence[int]) -> str:
    coordinates = []
    for size in sizes[2:]:
        plane, coordinate = divmod(plane, size)
        coordinates.append(str(coordinate))
    return f"plane {', '.join(coordinates)}"


def _draw_plane(
    loads: Sequence[LinkLoad],
    width: int,
    height: int,
    place: tuple[float, float, float],
    segments: list[Segment],
    dots: list[Dot],
) -> None:
    """Add the links that begin in one plane; `place` is its left, its top and a step's pixels."""
    left, top, step = place
    outwards: dict[int, LinkLoad] = {}
    for load in loads:
        source, target = load.source.number, load.target.number
        if source // (width * height) != target // (width * height):
            known = outwards.get(source)
            outwards[source] = load if known is None or load.use > known.use else known
            continue
        x, y = source % width, source // width % height
        dx, dy = target % width - x, target // width % height - y
        closes_ring = abs(dx) > 1 or abs(dy) > 1
        # The link that closes a ring leads outwards.
        sign = -1 if closes_ring else 1
        ux = sign * ((dx > 0) - (dx < 0))
        uy = sign * ((dy > 0) - (dy < 0))
        begin, end = 0.18, 0.5 if closes_ring else 0.82
        # The two directions lie side by side: each on its right.
        px, py = x + 0.5 - 0.09 * uy, y + 0.5 + 0.09 * ux
        segments.append(
            Segment(left + (px + begin * ux) * step, top + (py + begin * uy) * step,
                    left + (px + end * ux) * step, top + (py + end * uy) * step, load)
        )  # fmt: skip
    for source, load in outwards.items():
        x, y = source % width, source // width % height
        dots.append(Dot(left + (x + 0.5) * step, top + (y + 0.5) * step, load))


def _blocks(loads: Sequence[LinkLoad], width: int, height: int) -> CellPicture:
    """Return a table of blocks for planes that are too large, all planes in one."""
    column_bounds = group_bounds(width, _MOST_BLOCKS)
    row_bounds = group_bounds(height, _MOST_BLOCKS)
    cells: dict[tuple[int, int], tuple[LinkLoad, int]] = {}
    for load in loads:
        x, y = load.source.number % width, load.source.number // width % height
        key = y * len(row_bounds) // height, x * len(column_bounds) // width
        busiest(cells, key, load)
    return CellPicture(
        [f"{first}–{last}" for first, last in row_bounds],
        [f"{first}–{last}" for first, last in column_bounds],
        cells,
        "Second coordinate",
        "First coordinate",
        _BLOCKS,
    )
