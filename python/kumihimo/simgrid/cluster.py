"""Clusters with a topology: hosts in order, and links that are made when a path needs them."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace

from kumihimo.simgrid.scene import Cable, Link, Links, Scene, Segment, Zone
from kumihimo.simgrid.xml import Element


@dataclass(frozen=True)
class ClusterLinks:
    """What the links of a cluster are like.

    Attributes:
        each: Each direction of a link.
        duplex: Whether each direction is a link of its own.
        limiter_bps: Rate that each host has for what comes and goes; None without limit.
    """

    each: Link
    duplex: bool
    limiter_bps: int | None


class ClusterZone(Zone):
    """A cluster of a regular shape; a subclass for each shape says the paths."""

    def __init__(
        self, element: Element, scene: Scene, parent: Zone | None, links: ClusterLinks
    ) -> None:
        """Make a cluster without hosts."""
        super().__init__(element, scene, parent)
        self.links = links
        self.ranks: dict[str, int] = {}
        self.loopbacks: dict[str, Links] = {}
        self._cables: dict[str, Cable] = {}

    @abstractmethod
    def expected_hosts(self) -> int:
        """Return how many hosts the shape has."""

    @abstractmethod
    def between(self, source: int, target: int) -> list[str]:
        """Return the links between two different hosts by their ranks.

        The limiter of the source is not among them.
        """

    def local(self, source: str, target: str) -> Segment:
        """Return the way between two hosts; the cluster's router is at no distance."""
        if source not in self.ranks or target not in self.ranks:
            return Segment(())
        links = self.between(self.ranks[source], self.ranks[target])
        return Segment((*self.limiter(self.ranks[source]), *links))

    def loopback(self, host: str) -> Links | None:
        """Return the host's loopback."""
        return self.loopbacks.get(host)

    def cable(self, name: str, cables: int = 1) -> Cable:
        """Return the link `name` of this cluster, as fast as `cables` cables together."""
        full = f"{self.name}_{name}"
        if full not in self._cables:
            link = replace(self.links.each, bandwidth_bps=self.links.each.bandwidth_bps * cables)
            duplex = self.links.duplex
            self._cables[full] = self.scene.add_link(
                full, link, duplex=duplex, element=self.element
            )
        return self._cables[full]

    def limiter(self, rank: int) -> Links:
        """Return the limiter of a host; nothing if there is none."""
        if self.links.limiter_bps is None:
            return ()
        name = f"{self.name}_link_{rank}_limiter"
        self.scene.links[name] = Link(self.links.limiter_bps, 0)
        return (name,)


class TorusZone(ClusterZone):
    """A torus in which hosts forward, in dimension order."""

    def __init__(
        self,
        element: Element,
        scene: Scene,
        parent: Zone | None,
        links: ClusterLinks,
        sizes: tuple[int, ...],
    ) -> None:
        """Make a torus of these dimensions."""
        super().__init__(element, scene, parent, links)
        self.sizes = sizes

    def expected_hosts(self) -> int:
        """Return the product of the dimensions."""
        return math.prod(self.sizes)

    def between(self, source: int, target: int) -> list[str]:
        """Return the links and limiters of the shorter ways, dimension by dimension."""
        links: list[str] = []
        at, stride = source, 1
        for dimension, size in enumerate(self.sizes):
            here, there = at // stride % size, target // stride % size
            ahead = (there - here) % size
            # Of two equally short ways SimGrid takes the one up, except from the middle.
            goes_up = ahead <= size // 2 and not 2 * ahead == 2 * here == size
            for _ in range(ahead if goes_up else size - ahead):
                here = at // stride % size
                step = 1 if goes_up else -1
                after = at + ((here + step) % size - here) * stride
                # A link belongs to the host at its lower end.
                name = f"dim{dimension}_{at if goes_up else after}"
                links.append(self.cable(name).up if goes_up else self.cable(name).down)
                at = after
                links += self.limiter(at)
            stride *= size
        return links


class FatTreeZone(ClusterZone):
    """A fat tree XGFT(h; m; w) with parallel cables, routed by d-mod-k."""

    def __init__(
        self,
        element: Element,
        scene: Scene,
        parent: Zone | None,
        links: ClusterLinks,
        levels: tuple[tuple[int, int, int], ...],
    ) -> None:
        """Make a fat tree; of each level children, parents and cables, next to the hosts first."""
        super().__init__(element, scene, parent, links)
        self.levels = levels

    def expected_hosts(self) -> int:
        """Return the product of the numbers of children."""
        return math.prod(children for children, _, _ in self.levels)

    def between(self, source: int, target: int) -> list[str]:
        """Return the links up to the lowest common level and down again."""
        up: list[str] = []
        down = list(self.limiter(target))
        first, divisor = source, 1
        # The parents chosen so far name the switches on the way, of both branches alike.
        branch = ""
        for level, (children, parents, cables) in enumerate(self.levels):
            if source == target:
                break
            port = target // divisor % (parents * cables)
            divisor *= parents
            parent, cable = port % parents, port // parents
            up.append(self.cable(f"l{level}_{source}{branch}_to_{parent}_{cable}").up)
            name = f"l{level}_{target}{branch}_to_{parent}_{first % cables}"
            down.append(self.cable(name).down)
            branch += f".{parent}"
            source, target = source // children, target // children
        return [*up, *reversed(down)]


@dataclass(frozen=True)
class DragonflyShape:
    """Numbers of the parts of a dragonfly, and of the cables that each of its links stands for."""

    groups: int
    blue_cables: int
    chassis: int
    black_cables: int
    routers: int
    green_cables: int
    nodes: int


class DragonflyZone(ClusterZone):
    """A dragonfly whose groups are grids: green links in a chassis, black between chassis.

    Router g of a group's first chassis has the blue link to group g.
    """

    def __init__(
        self,
        element: Element,
        scene: Scene,
        parent: Zone | None,
        links: ClusterLinks,
        shape: DragonflyShape,
    ) -> None:
        """Make a dragonfly of this shape."""
        super().__init__(element, scene, parent, links)
        self.shape = shape

    def expected_hosts(self) -> int:
        """Return how many nodes all routers have."""
        shape = self.shape
        return shape.groups * shape.chassis * shape.routers * shape.nodes

    def between(self, source: int, target: int) -> list[str]:
        """Return the links of the minimal path."""
        links = [self.cable(f"node_{source}").up]
        at, end = self._router(source), self._router(target)
        if at[0] != end[0]:
            # To the router that has the link to the other group, over it, and on from there.
            links += self._within_group(at, (at[0], 0, end[0]))
            blue = self._link("blue", (at[0],), (end[0],), self.shape.blue_cables)
            links.append(blue)
            at = (end[0], 0, at[0])
        links += self._within_group(at, end)
        links.append(self.cable(f"node_{target}").down)
        return [*links, *self.limiter(target)]

    def attachment(self, host: str) -> tuple[Links, Links, object] | None:
        """Return the link to the host's router."""
        if host not in self.ranks:
            return None
        rank = self.ranks[host]
        cable = self.cable(f"node_{rank}")
        limiter = self.limiter(rank)
        return (*limiter, cable.up), (cable.down, *limiter), self._router(rank)

    def _router(self, rank: int) -> tuple[int, int, int]:
        """Return group, chassis and number of a node's router."""
        chassis, router = divmod(rank // self.shape.nodes, self.shape.routers)
        group, chassis = divmod(chassis, self.shape.chassis)
        return group, chassis, router

    def _within_group(self, at: tuple[int, int, int], end: tuple[int, int, int]) -> list[str]:
        """Return the links between two routers: first in the chassis, then to the other one."""
        links = []
        group, chassis, router = at
        if router != end[2]:
            ends = ((group, chassis, router), (group, chassis, end[2]))
            links.append(self._link("green", *ends, self.shape.green_cables))
        if chassis != end[1]:
            ends = ((group, chassis, end[2]), end)
            links.append(self._link("black", *ends, self.shape.black_cables))
        return links

    def _link(self, colour: str, at: tuple[int, ...], to: tuple[int, ...], cables: int) -> str:
        """Return the link from `at` to `to`; links are named by their lower end first."""
        low, high = min(at, to), max(at, to)
        name = "_".join(str(part) for part in (colour, *low, *high))
        cable = self.cable(name, cables)
        return cable.up if at == low else cable.down
