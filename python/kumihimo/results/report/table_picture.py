"""Dragonflies by groups, and any network as a table of who is linked to whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kumihimo.results.binning import group_bounds
from kumihimo.results.report.load import CellPicture, LinkLoad, Vertex, busiest

_MOST_SIDE = 64

_GROUPS = (
    "A cell is the busiest global link from the group of its row to that of its column; on the "
    "diagonal it is the busiest local link inside the group. "
)
_VERTICES = "A cell is the busiest link from the vertices of its row to those of its column. "


def dragonfly_picture(
    loads: Sequence[LinkLoad], groups: int, switches_per_group: int
) -> CellPicture:
    """Return the links between switches, group by group."""
    inner = [load for load in loads if load.is_between_switches]
    names = [str(group) for group in range(groups)]
    return _table(inner, names, lambda vertex: vertex.number // switches_per_group,
                  "group", _GROUPS)  # fmt: skip


def vertex_picture(loads: Sequence[LinkLoad]) -> CellPicture:
    """Return all links by the vertices at their ends; those that had no link are left out."""
    vertices = sorted({vertex for load in loads for vertex in (load.source, load.target)})
    places = {vertex: place for place, vertex in enumerate(vertices)}
    names = [str(vertex) for vertex in vertices]
    return _table(loads, names, places.__getitem__, "vertex", _VERTICES)


def _table(
    loads: Sequence[LinkLoad],
    names: Sequence[str],
    place_of: Callable[[Vertex], int],
    what: str,
    sentence: str,
) -> CellPicture:
    bounds = group_bounds(len(names), _MOST_SIDE)
    cells: dict[tuple[int, int], tuple[LinkLoad, int]] = {}
    for load in loads:
        row, column = (
            place_of(vertex) * len(bounds) // len(names) for vertex in (load.source, load.target)
        )
        busiest(cells, (row, column), load)
    labels = [
        names[first] if first == last else f"{names[first]}–{names[last]}" for first, last in bounds
    ]
    return CellPicture(labels, labels, cells, f"From {what}", f"To {what}", sentence)
