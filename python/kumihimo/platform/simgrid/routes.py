"""From the wires between hosts to links between vertices, as the core's kind `routes` takes them.

Links of SimGrid have no ends: only routes say what follows on what. Here a link leads from a vertex
to a vertex. So wherever one wire follows another the end of the one and the beginning of the other
become one vertex: the host itself where only its own wires begin or end, else a switch, to which
the host is connected by a link that takes no time.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from kumihimo.platform.schema.topologies.routes import MOST_KINDS
from kumihimo.platform.simgrid.scene import Scene, Wire, Wires
from kumihimo.platform.simgrid.ways import (
    FROM,
    OF_HOST,
    SIGNS,
    TO,
    Ways,
    explicit_ways,
    ways_of_kinds,
)

_MOST_LINKS = 1 << 20
# Adds nothing to the time of a message, and what it adds to a queue's is not to be noticed.
_FREE = Wire(10**15, 0)

# One end of a wire: which, and the wire.
_End = tuple[str, str]
_BEGIN, _END = "begin", "end"


@dataclass(frozen=True)
class Lists:
    """Many lists of links, one behind the other.

    Attributes:
        begins: Where each begins in `links`, and the end.
        links: The numbers of links.
    """

    begins: array[int]
    links: array[int]

    def __getitem__(self, number: int) -> array[int]:
        """Return one of the lists."""
        return self.links[self.begins[number] : self.begins[number + 1]]

    def little_endian(self) -> bytes:
        """Return all of it, the same on every computer."""
        return b"".join(_little_endian(numbers) for numbers in (self.begins, self.links))


@dataclass(frozen=True)
class Routes:
    """Links, and the paths of hosts: up from a host, between kinds of hosts, down to a host.

    Attributes:
        hosts: The names of hosts in the file; a host's number is its place here.
        switches: How many there are.
        links: Source vertex, target vertex, bit/s and ps of each.
        kinds: The kind of each host.
        up: The links of each host before those between kinds.
        down: The links to each host behind those.
        between: The links of each pair of kinds, ordered by source, then target. A number from
            that of all links on is that of a pipe.
        pipes: The first link of each pipe: host h takes the one h further.
        warnings: What in the file has no counterpart, with file, line and element.
    """

    hosts: tuple[str, ...]
    switches: int
    links: tuple[tuple[int, int, int, int], ...]
    kinds: array[int]
    up: Lists
    down: Lists
    between: Lists
    pipes: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()

    def parameters(self, _link: Mapping[str, int]) -> dict[str, Any]:
        """Return the core's parameters."""
        columns = [list(column) for column in zip(*self.links, strict=True)] or [[], [], [], []]
        names = ("sources", "targets", "bandwidth_bps", "latency_ps")
        return {
            "hosts": len(self.hosts),
            "switches": self.switches,
            **dict(zip(names, columns, strict=True)),
            "kinds": self.kinds.tolist(),
            "pipes": list(self.pipes),
            **{
                f"{name}_{part}": getattr(lists, part).tolist()
                for name, lists in (("up", self.up), ("down", self.down), ("path", self.between))
                for part in ("begins", "links")
            },
        }

    def canonical(self) -> dict[str, Any]:
        """Return what can change a result; of the paths, which may be a million, their digest."""
        text = {
            "hosts": len(self.hosts),
            "switches": self.switches,
            "links": [list(link) for link in self.links],
            "paths_sha256": hashlib.sha256(self.between.little_endian()).hexdigest(),
        }
        if len(self.between.begins) == len(self.hosts) ** 2 + 1:
            return text
        ends = b"".join(lists.little_endian() for lists in (self.up, self.down))
        kinds = b"".join(_little_endian(array("Q", part)) for part in (self.kinds, self.pipes))
        return {**text, "kinds_sha256": hashlib.sha256(kinds + ends).hexdigest()}

    def ways(self) -> Iterator[list[int]]:
        """Yield the links of a path of each kind: between hosts that stand for their kinds."""
        first: dict[int, int] = {}
        for host, kind in enumerate(self.kinds):
            first.setdefault(kind, host)
        for source, target in ((a, b) for a in first for b in first):
            between = self.between[source * len(first) + target]
            links = (*self.up[first[source]], *between, *self.down[first[target]])
            yield [
                link if link < len(self.links) else self.pipes[link - len(self.links)]
                for link in links
            ]


def _little_endian(numbers: array[int]) -> bytes:
    copy = array("Q", numbers)
    if sys.byteorder == "big":
        copy.byteswap()
    return copy.tobytes()


def make_routes(scene: Scene) -> Routes:
    """Return the links and paths of everything in a file.

    Raises:
        PlatformError: If there are too many kinds of hosts, or no path between two hosts.
    """
    few = len(scene.hosts) <= MOST_KINDS
    ways = explicit_ways(scene) if few else ways_of_kinds(scene)
    links = _Links(scene, ways)
    up, down, between = (links.lists(part) for part in (ways.up, ways.down, ways.between))
    pipes = links.add_pipes()
    total = len(links.links)
    if total > _MOST_LINKS:
        message = f"makes {total} links; expected at most {_MOST_LINKS}"
        scene.report.fail(next(iter(scene.zones.values())).element, "", message)
    return Routes(
        ways.hosts,
        links.switches,
        tuple(links.links),
        array("Q", ways.kinds),
        _numbered(up, total),
        _numbered(down, total),
        _numbered(between, total),
        pipes,
    )


def _numbered(lists: list[list[int]], links: int) -> Lists:
    """Put lists into one; pipes, which are negative so far, have numbers behind all links."""
    begins = array("Q", [0])
    for numbers in lists:
        begins.append(begins[-1] + len(numbers))
    every = (number if number >= 0 else links + ~number for number in chain(*lists))
    return Lists(begins, array("Q", every))


class _Joints:
    """Ends of wires that are one vertex, as a forest of which each tree is one of them."""

    def __init__(self, ways: Ways) -> None:
        self._above: dict[_End, _End] = {}
        follows: dict[tuple[str, str], None] = {}
        for way in ways.follows():
            follows.update(dict.fromkeys(pairwise(way)))
        for before, after in follows:
            self._join((_END, before), (_BEGIN, after))
        for members in ways.members:
            for side, wires, place in ((_END, ways.up, -1), (_BEGIN, ways.down, 0)):
                for host in members[1:]:
                    self._join((side, wires[members[0]][place]), (side, wires[host][place]))

    def _join(self, one: _End, other: _End) -> None:
        root, below = self.find(one), self.find(other)
        if root != below:
            self._above[below] = root

    def find(self, end: _End) -> _End:
        """Return the end that stands for all those that are one vertex with this one."""
        above = self._above.setdefault(end, end)
        while above != end:
            self._above[end] = self._above[above]
            end = self._above[end]
            above = self._above[end]
        return end

    def vertices(self) -> list[list[_End]]:
        """Return the ends of each vertex."""
        members: dict[_End, list[_End]] = {}
        for end in list(self._above):
            members.setdefault(self.find(end), []).append(end)
        return list(members.values())


class _Links:
    """Gives numbers to vertices and links as paths ask for them."""

    def __init__(self, scene: Scene, ways: Ways) -> None:
        self._scene = scene
        self._joints = joints = _Joints(ways)
        self._hosts = {host: number for number, host in enumerate(ways.hosts)}
        self._pipes = {wire: number for number, wire in enumerate(ways.pipes)}
        self._vertices: dict[_End, int] = {}
        self._numbers: dict[str, int] = {}
        # Accesses that are no links, because the first or last wire is at the host itself.
        self._direct: set[str] = set()
        self.switches = 0
        self.links: list[tuple[int, int, int, int]] = []
        for ends in joints.vertices():
            self._find_host(ends)

    def lists(self, ways: list[Wires]) -> list[list[int]]:
        """Return the numbers of links; that of a pipe is ~ its own."""
        return [[self._number(wire) for wire in way if wire not in self._direct] for way in ways]

    def add_pipes(self) -> tuple[int, ...]:
        """Add a link of each pipe for each host; return the first one of each."""
        first = []
        for wire in self._pipes:
            first.append(len(self.links))
            self.links += [self._make(wire)] * len(self._hosts)
        return tuple(first)

    def _number(self, wire: str) -> int:
        if wire in self._pipes:
            return ~self._pipes[wire]
        number = self._numbers.get(wire)
        if number is None:
            number = self._numbers[wire] = len(self.links)
            self.links.append(self._make(wire))
        return number

    def _find_host(self, ends: list[_End]) -> None:
        """Note the vertex as a host if only one host's wires begin there, or only end."""
        for access, access_side, wire_side in ((FROM, _END, _BEGIN), (TO, _BEGIN, _END)):
            accesses = [name for side, name in ends if side == access_side and name[0] == access]
            wires = [name for side, name in ends if side == wire_side and name[0] not in SIGNS]
            if len(accesses) == 1 and len(accesses) + len(wires) == len(ends):
                self._vertices[self._joints.find(ends[0])] = self._hosts[accesses[0][1:]]
                self._direct.add(accesses[0])

    def _make(self, wire: str) -> tuple[int, int, int, int]:
        like = self._scene.wires[wire.partition(OF_HOST)[0]] if wire[0] not in SIGNS else _FREE
        source = self._hosts[wire[1:]] if wire[0] == FROM else self._vertex((_BEGIN, wire))
        target = self._hosts[wire[1:]] if wire[0] == TO else self._vertex((_END, wire))
        return source, target, like.bandwidth_bps, like.latency_ps

    def _vertex(self, end: _End) -> int:
        root = self._joints.find(end)
        if root not in self._vertices:
            self._vertices[root] = len(self._hosts) + self.switches
            self.switches += 1
        return self._vertices[root]
