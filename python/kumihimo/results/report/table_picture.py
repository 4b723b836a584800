"""Dragonflies by groups, and any network as a table of linked vertices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kumihimo.results.binning import group_bounds
from kumihimo.results.report.load import CellPicture, LinkLoad, Vertex, busiest

_MOST_SIDE = 64

_HOSTS = "hosts"
_GROUPS = (
    "A cell is the busiest global link from the group of its row to that of its column; on the "
    "diagonal it is the busiest local link inside the group, in the row and column of the hosts "
    "the busiest link from and to the hosts of a group. "
)
_VERTICES = "A cell is the busiest link from the vertices of its row to those of its column. "


def dragonfly_picture(
    loads: Sequence[LinkLoad], groups: int, switches_per_group: int
) -> CellPicture:
    """Return the links group by group, those of hosts in a row and a column of their own."""
    bounds = group_bounds(groups, _MOST_SIDE)
    # All hosts are one row and column, behind those of the groups.
    place_of_hosts = len(bounds)

    def place_of(vertex: Vertex) -> int:
        if not vertex.is_switch:
            return place_of_hosts
        return vertex.number // switches_per_group * len(bounds) // groups

    labels = [*_range_names([str(group) for group in range(groups)], bounds), _HOSTS]
    return _table(loads, labels, place_of, "group", _GROUPS)


def vertex_picture(loads: Sequence[LinkLoad]) -> CellPicture:
    """Return all links by the vertices at their ends; those that had no link are left out."""
    vertices = sorted({vertex for load in loads for vertex in (load.source, load.target)})
    places = {vertex: place for place, vertex in enumerate(vertices)}
    bounds = group_bounds(len(vertices), _MOST_SIDE)
    labels = _range_names([str(vertex) for vertex in vertices], bounds)
    return _table(
        loads,
        labels,
        lambda vertex: places[vertex] * len(bounds) // len(vertices),
        "vertex",
        _VERTICES,
    )


def _range_names(names: Sequence[str], bounds: Sequence[tuple[int, int]]) -> list[str]:
    return [
        names[first] if first == last else f"{names[first]}–{names[last]}" for first, last in bounds
    ]


def _table(
    loads: Sequence[LinkLoad],
    labels: list[str],
    place_of: Callable[[Vertex], int],
    what: str,
    sentence: str,
) -> CellPicture:
    cells: dict[tuple[int, int], tuple[LinkLoad, int]] = {}
    for load in loads:
        busiest(cells, (place_of(load.source), place_of(load.target)), load)
    return CellPicture(labels, labels, cells, f"From {what}", f"To {what}", sentence)
