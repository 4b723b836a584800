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
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from kumihimo.platform.simgrid.paths import path
from kumihimo.platform.simgrid.scene import Scene, Wire

MOST_HOSTS = 2048
_MOST_LINKS = 1 << 20
# Adds nothing to the time of a message, and what it adds to a queue's is not to be noticed.
_FREE = Wire(10**15, 0)

# Characters that no name in XML has. A host's access to the first wire of a path and from the last
# one stand with the wires, told apart by a sign before the host's name.
_FROM, _TO = _SIGNS = ("\1", "\2")
# Stands between the name of a pipe and that of the host whose messages it carries.
_OF_HOST = "\0"

# One end of a wire: which, and the wire.
_End = tuple[str, str]
_BEGIN, _END = "begin", "end"


@dataclass(frozen=True)
class Routes:
    """Links, and the path of each pair of hosts.

    Attributes:
        hosts: The names of hosts in the file; a host's number is its place here.
        switches: How many there are.
        links: Source vertex, target vertex, bit/s and ps of each.
        begins: Where the path of each pair begins in `path_links`: hosts x hosts + 1 numbers, the
            pairs ordered by source, then target.
        path_links: The links of all paths.
        warnings: What in the file has no counterpart, with file, line and element.
    """

    hosts: tuple[str, ...]
    switches: int
    links: tuple[tuple[int, int, int, int], ...]
    begins: array[int]
    path_links: array[int]
    warnings: tuple[str, ...] = ()

    def parameters(self, _link: Mapping[str, int]) -> dict[str, Any]:
        """Return the core's parameters."""
        columns = [list(column) for column in zip(*self.links, strict=True)] or [[], [], [], []]
        names = ("sources", "targets", "bandwidth_bps", "latency_ps")
        return {
            "hosts": len(self.hosts),
            "switches": self.switches,
            **dict(zip(names, columns, strict=True)),
            "path_begins": self.begins.tolist(),
            "path_links": self.path_links.tolist(),
        }

    def canonical(self) -> dict[str, Any]:
        """Return what can change a result; of the paths, which may be a million, their digest."""
        paths = b"".join(_little_endian(numbers) for numbers in (self.begins, self.path_links))
        return {
            "hosts": len(self.hosts),
            "switches": self.switches,
            "links": [list(link) for link in self.links],
            "paths_sha256": hashlib.sha256(paths).hexdigest(),
        }


def _little_endian(numbers: array[int]) -> bytes:
    copy = array("Q", numbers)
    if sys.byteorder == "big":
        copy.byteswap()
    return copy.tobytes()


def make_routes(scene: Scene) -> Routes:
    """Return the links and paths of everything in a file.

    Raises:
        PlatformError: If there are too many hosts, or no path between two of them.
    """
    root = next(iter(scene.zones.values()))
    hosts = tuple(scene.hosts)
    if len(hosts) > MOST_HOSTS:
        message = (
            f"has {len(hosts)} hosts; expected at most {MOST_HOSTS}, unless it is one cluster of "
            "SPLITDUPLEX links without limiter: TORUS, FAT_TREE, or FLAT without backbone"
        )
        scene.report.fail(root.element, "", message)
    ways = _ways(scene, hosts)
    links = _Links(scene, hosts, _Joints(ways))
    begins, path_links = array("Q", [0]), array("Q")
    for way in ways:
        path_links.extend([links.number(wire) for wire in way if links.is_real(wire)])
        begins.append(len(path_links))
    if len(links.links) > _MOST_LINKS:
        message = f"makes {len(links.links)} links; expected at most {_MOST_LINKS}"
        scene.report.fail(root.element, "", message)
    return Routes(hosts, links.switches, tuple(links.links), begins, path_links)


def _ways(scene: Scene, hosts: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the wires of each pair between the accesses of the two hosts; none within a host.

    A pipe is one of its own for each host that sends over it.
    """
    ways: list[tuple[str, ...]] = []
    pipes: set[str] = set()
    for source in hosts:
        for target in hosts:
            if source == target:
                ways.append(())
                continue
            wires = path(scene, source, target)
            if scene.pipes:
                used = [wire for wire in wires if wire in scene.pipes]
                pipes.update(used)
                wires = tuple(
                    f"{wire}{_OF_HOST}{source}" if wire in used else wire for wire in wires
                )
            ways.append((_FROM + source, *wires, _TO + target))
    for name in sorted(pipes):
        message = (
            "FATPIPE has no full counterpart: messages of different hosts pass side by side, those "
            "of one host one after another"
        )
        scene.report.warn(scene.pipes[name], message)
    return ways


class _Joints:
    """Ends of wires that are one vertex, as a forest of which each tree is one of them."""

    def __init__(self, ways: list[tuple[str, ...]]) -> None:
        self._above: dict[_End, _End] = {}
        follows: dict[tuple[str, str], None] = {}
        for way in ways:
            follows.update(dict.fromkeys(pairwise(way)))
        for before, after in follows:
            root, below = self.find((_END, before)), self.find((_BEGIN, after))
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

    def __init__(self, scene: Scene, hosts: tuple[str, ...], joints: _Joints) -> None:
        self._scene = scene
        self._joints = joints
        self._hosts = {host: number for number, host in enumerate(hosts)}
        self._vertices: dict[_End, int] = {}
        self._numbers: dict[str, int] = {}
        # Accesses that are no links, because the first or last wire is at the host itself.
        self._direct: set[str] = set()
        self.switches = 0
        self.links: list[tuple[int, int, int, int]] = []
        for ends in joints.vertices():
            self._find_host(ends)

    def is_real(self, wire: str) -> bool:
        """Return whether this is a link."""
        return wire not in self._direct

    def number(self, wire: str) -> int:
        """Return the number of a link."""
        number = self._numbers.get(wire)
        if number is None:
            number = self._numbers[wire] = len(self.links)
            self.links.append(self._make(wire))
        return number

    def _find_host(self, ends: list[_End]) -> None:
        """Note the vertex as a host if only one host's wires begin there, or only end."""
        for access, access_side, wire_side in ((_FROM, _END, _BEGIN), (_TO, _BEGIN, _END)):
            accesses = [name for side, name in ends if side == access_side and name[0] == access]
            wires = [name for side, name in ends if side == wire_side and name[0] not in _SIGNS]
            if len(accesses) == 1 and len(accesses) + len(wires) == len(ends):
                self._vertices[self._joints.find(ends[0])] = self._hosts[accesses[0][1:]]
                self._direct.add(accesses[0])

    def _make(self, wire: str) -> tuple[int, int, int, int]:
        like = self._scene.wires[wire.partition(_OF_HOST)[0]] if wire[0] not in _SIGNS else _FREE
        source = self._hosts[wire[1:]] if wire[0] == _FROM else self._vertex((_BEGIN, wire))
        target = self._hosts[wire[1:]] if wire[0] == _TO else self._vertex((_END, wire))
        return source, target, like.bandwidth_bps, like.latency_ps

    def _vertex(self, end: _End) -> int:
        root = self._joints.find(end)
        if root not in self._vertices:
            self._vertices[root] = len(self._hosts) + self.switches
            self.switches += 1
        return self._vertices[root]
