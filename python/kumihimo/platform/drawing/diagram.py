"""What a drawing of a network shows: nodes in levels, cables, and groups where it gets too full."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kumihimo.platform.network import Link, Network
from kumihimo.units import DURATION, RATE


@dataclass(frozen=True, order=True)
class CableKind:
    """Cables of one rate and latency; both directions of a cable are alike."""

    bandwidth_bps: int
    latency_ps: int

    def __str__(self) -> str:
        """Return rate and latency of each direction."""
        return f"{RATE.format(self.bandwidth_bps)}, {DURATION.format(self.latency_ps)}"


@dataclass(frozen=True)
class Node:
    """A box of the drawing: one vertex of the network, or several alike.

    Attributes:
        members: Names of the vertices, "host0" or "switch0", in order.
        level: 0 for hosts; for a switch its distance to the nearest host.
    """

    members: tuple[str, ...]
    level: int

    @property
    def label(self) -> str:
        """The vertex's name, or the first and the last of several."""
        if len(self.members) == 1:
            return self.members[0]
        return f"{self.members[0]} … {self.members[-1]}"

    @property
    def note(self) -> str:
        """How many vertices a box stands for; empty for one."""
        if len(self.members) == 1:
            return ""
        return f"{len(self.members)} {'hosts' if self.level == 0 else 'switches'}"


@dataclass(frozen=True)
class Cable:
    """A line of the drawing: all cables of one kind between two boxes, or inside one.

    Attributes:
        upper: Index of the box of the higher level.
        lower: Index of the other box; the same for cables inside a box.
        kind: Rate and latency.
        count: How many cables the line stands for.
    """

    upper: int
    lower: int
    kind: CableKind
    count: int


@dataclass(frozen=True)
class Diagram:
    """Boxes and lines. `levels` lists the indices of boxes from the hosts upwards."""

    nodes: tuple[Node, ...]
    levels: tuple[tuple[int, ...], ...]
    cables: tuple[Cable, ...]

    @property
    def kinds(self) -> list[tuple[CableKind, int]]:
        """Each kind of cable with the number of cables, in the order from the hosts upwards."""
        counts: Counter[CableKind] = Counter()
        for cable in sorted(self.cables, key=lambda cable: self.nodes[cable.lower].level):
            counts[cable.kind] += cable.count
        return list(counts.items())


# Whether a drawing has room for these boxes on one level.
Fits = Callable[[list[Node]], bool]


def draw_up(network: Network, fits: Fits) -> Diagram:
    """Return the boxes and lines of a network.

    Where single hosts do not fit, those at the same switches become one box; levels that still do
    not fit become one box each.
    """
    vertices = [f"host{host}" for host in range(network.hosts)]
    vertices += [f"switch{switch}" for switch in range(network.switches)]
    neighbours: dict[str, set[str]] = {vertex: set() for vertex in vertices}
    for link in network.links:
        neighbours[link["source"]].add(link["target"])
        neighbours[link["target"]].add(link["source"])
    levels = _levels(vertices, neighbours)
    rows = [_row(names, level, neighbours, fits) for level, names in enumerate(levels)]
    nodes = tuple(node for row in rows for node in row)
    box_of = {member: index for index, node in enumerate(nodes) for member in node.members}
    indices = iter(range(len(nodes)))
    return Diagram(
        nodes,
        tuple(tuple(next(indices) for _ in row) for row in rows),
        _cables(network.links, nodes, box_of),
    )


def _levels(vertices: list[str], neighbours: dict[str, set[str]]) -> list[list[str]]:
    """Return the vertices by distance from the nearest host; what none reaches is on top."""
    distance = {vertex: 0 for vertex in vertices if vertex.startswith("host")}
    waiting = deque(distance)
    while waiting:
        vertex = waiting.popleft()
        for neighbour in neighbours[vertex]:
            if neighbour not in distance:
                distance[neighbour] = distance[vertex] + 1
                waiting.append(neighbour)
    top = max(distance.values())
    levels: list[list[str]] = [[] for _ in range(top + 1)]
    for vertex in vertices:
        levels[distance.get(vertex, top)].append(vertex)
    return levels


def _row(names: list[str], level: int, neighbours: dict[str, set[str]], fits: Fits) -> list[Node]:
    """Return the boxes of one level, as fine as there is room for."""
    singles = [Node((name,), level) for name in names]
    if fits(singles):
        return singles
    if level == 0:
        by_switches: dict[frozenset[str], list[str]] = {}
        for name in names:
            switches = frozenset(peer for peer in neighbours[name] if peer.startswith("switch"))
            by_switches.setdefault(switches, []).append(name)
        groups = [Node(tuple(members), level) for members in by_switches.values()]
        if fits(groups):
            return groups
    return [Node(tuple(names), level)]


def _cables(
    links: Iterable[Link], nodes: tuple[Node, ...], box_of: dict[str, int]
) -> tuple[Cable, ...]:
    """Return the lines between boxes; two directed links that face each other are one cable."""
    directed: Counter[tuple[int, int, CableKind]] = Counter()
    for link in links:
        source, target = box_of[link["source"]], box_of[link["target"]]
        # The box of the higher level first, so that both directions fall together.
        upper, lower = sorted((source, target), key=lambda box: (-nodes[box].level, box))
        kind = CableKind(link["bandwidth_bps"], link["latency_ps"])
        directed[upper, lower, kind] += 1
    return tuple(
        Cable(upper, lower, kind, (count + 1) // 2)
        for (upper, lower, kind), count in sorted(directed.items())
    )
