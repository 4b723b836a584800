"""Zones whose routes are written down: Full, Floyd, Dijkstra and None."""

from __future__ import annotations

import heapq
from itertools import pairwise

from kumihimo.simgrid.paths import path
from kumihimo.simgrid.scene import Links, Scene, Segment, Zone
from kumihimo.simgrid.xml import Element


class FullZone(Zone):
    """Every route is written down. Without any it is a zone of routing None."""

    def __init__(self, element: Element, scene: Scene, parent: Zone | None) -> None:
        """Make a zone without routes."""
        super().__init__(element, scene, parent)
        self.routes: dict[tuple[str, str], Segment] = {}

    def local(self, source: str, target: str) -> Segment | None:
        """Return the route as it is written down."""
        return self.routes.get((source, target))

    def loopback(self, host: str) -> Links | None:
        """Return the route from the host to itself."""
        route = self.routes.get((host, host))
        return None if route is None else route.links


class ShortestZone(FullZone):
    """Routes are put together to the path of the fewest links.

    Of equally short paths SimGrid takes what its tables give; the same order is kept here.
    """

    def __init__(self, element: Element, scene: Scene, parent: Zone | None) -> None:
        """Make a zone without routes."""
        super().__init__(element, scene, parent)
        self._neighbours: dict[str, list[str]] | None = None
        # The member before each member on the path from a source.
        self._trees: dict[str, dict[str, str]] = {}

    def local(self, source: str, target: str) -> Segment | None:
        """Return the shortest path."""
        tree = self._trees.get(source)
        if tree is None:
            tree = self._trees[source] = self._tree(source)
        if target not in tree:
            return None
        stops = [target]
        while stops[-1] != source:
            stops.append(tree[stops[-1]])
        stops.reverse()
        return self._join([self.routes[hop] for hop in pairwise(stops)])

    def _tree(self, source: str) -> dict[str, str]:
        if self._neighbours is None:
            self._neighbours = {}
            for before, after in self.routes:
                self._neighbours.setdefault(before, []).append(after)
                self._neighbours.setdefault(after, [])
        order = {member: index for index, member in enumerate(self._neighbours)}
        tree: dict[str, str] = {}
        cost = {source: 0}
        queue = [(0, order.get(source, 0), source)]
        while queue:
            reached_at, _, member = heapq.heappop(queue)
            if reached_at > cost[member]:
                continue
            for neighbour in self._neighbours.get(member, ()):
                total = reached_at + len(self.routes[member, neighbour].links)
                if neighbour not in cost or total < cost[neighbour]:
                    cost[neighbour] = total
                    tree[neighbour] = member
                    heapq.heappush(queue, (total, order[neighbour], neighbour))
        return tree

    def _join(self, hops: list[Segment]) -> Segment | None:
        """Return hops as one way; between zones, with the ways from gateway to gateway."""
        links: list[str] = []
        gateway: str | None = None
        for hop in hops:
            if gateway is not None and hop.gateways and hop.gateways[0] != gateway:
                between = path(self.scene, gateway, hop.gateways[0])
                if between is None:
                    return None
                links += between
            links += hop.links
            gateway = hop.gateways[1] if hop.gateways else None
        first, last = hops[0].gateways, hops[-1].gateways
        return Segment(tuple(links), (first[0], last[1]) if first and last else None)
