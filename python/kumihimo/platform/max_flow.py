"""The largest flow through a network of directed links, by Dinic's algorithm."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator


def max_flow(
    vertices: int,
    arcs: Iterable[tuple[int, int, int]],
    sources: Iterable[int],
    targets: Iterable[int],
) -> int:
    """Return the largest total flow from all `sources` to all `targets`.

    Args:
        vertices: Their number; they are counted from 0.
        arcs: Start, end and capacity of each link.
        sources: Vertices that send without limit of their own.
        targets: Vertices that receive without limit; none of them is a source.
    """
    network = _Residual(vertices + 2)
    capacity_sum = 0
    for start, end, capacity in arcs:
        network.add(start, end, capacity)
        capacity_sum += capacity
    for source in sources:
        network.add(vertices, source, capacity_sum)
    for target in targets:
        network.add(target, vertices + 1, capacity_sum)
    return network.flow(vertices, vertices + 1)


class _Residual:
    """What capacity is left; arc 2k and arc 2k + 1 are the two directions of one link."""

    def __init__(self, vertices: int) -> None:
        self._ends: list[int] = []
        self._left: list[int] = []
        self._leaving: list[list[int]] = [[] for _ in range(vertices)]

    def add(self, start: int, end: int, capacity: int) -> None:
        for vertex, other, left in ((start, end, capacity), (end, start, 0)):
            self._leaving[vertex].append(len(self._ends))
            self._ends.append(other)
            self._left.append(left)

    def flow(self, source: int, target: int) -> int:
        total = 0
        while (levels := self._levels(source))[target] >= 0:
            unused = [iter(arcs) for arcs in self._leaving]
            while path := self._path(source, target, levels, unused):
                amount = min(self._left[arc] for arc in path)
                for arc in path:
                    self._left[arc] -= amount
                    self._left[arc ^ 1] += amount
                total += amount
        return total

    def _levels(self, source: int) -> list[int]:
        """Return each vertex's distance from the source over arcs with capacity, -1 if none."""
        levels = [-1] * len(self._leaving)
        levels[source] = 0
        waiting = deque([source])
        while waiting:
            vertex = waiting.popleft()
            for arc in self._leaving[vertex]:
                end = self._ends[arc]
                if self._left[arc] > 0 and levels[end] < 0:
                    levels[end] = levels[vertex] + 1
                    waiting.append(end)
        return levels

    def _path(
        self, source: int, target: int, levels: list[int], unused: list[Iterator[int]]
    ) -> list[int]:
        """Return the arcs of a path that goes one level further with each; empty if none is left.

        An arc that led nowhere, or that a path was found over, is not tried again in this phase.
        """
        path: list[int] = []
        vertex = source
        while vertex != target:
            for arc in unused[vertex]:
                end = self._ends[arc]
                if self._left[arc] > 0 and levels[end] == levels[vertex] + 1:
                    path.append(arc)
                    vertex = end
                    break
            else:
                if not path:
                    return []
                vertex = self._ends[path.pop() ^ 1]
        return path
