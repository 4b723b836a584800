"""From the links of SimGrid to links between vertices.

Links of SimGrid have no ends: only routes say what follows on what. Here a link leads from a vertex
to a vertex. So wherever one link follows another the end of the one and the beginning of the other
become one vertex: the host itself where only its own links begin or end, else a switch, to which
the host is connected by a link that takes no time.
"""

from __future__ import annotations

from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from kumihimo.simgrid.routes import Lists, Routes
from kumihimo.simgrid.scene import Link, Links, Scene
from kumihimo.simgrid.ways import FROM, NO_WAY, SIGNS, TO, Ways, find_ways

_MOST_LINKS = 1 << 20
# Adds nothing to the time of a message, and what it adds to a queue's is not to be noticed.
_FREE = Link(10**15, 0)
# In place of a link's number: there is no link.
_NOTHING = -(1 << 62)

# One end of a link: which, and the link.
_End = tuple[str, str]
_BEGIN, _END = "begin", "end"


def make_routes(scene: Scene) -> Routes:
    """Return the links and paths of everything in a file.

    Raises:
        PlatformError: If there are too many kinds of hosts, or links.
    """
    ways = find_ways(scene)
    links = _Links(scene, ways)
    up, down, between = (links.lists(part) for part in (ways.up, ways.down, ways.between))
    pipes = links.add_pipes()
    total = len(links.links)
    if total > _MOST_LINKS:
        message = f"makes {total} links; expected at most {_MOST_LINKS}"
        scene.report.fail(next(iter(scene.zones.values())).element, "", message)
    return Routes(
        scene.report.file,
        ways.hosts,
        links.switches,
        tuple(links.links),
        tuple(ways.kinds),
        _numbered(*up, total),
        _numbered(*down, total),
        _numbered(*between, total),
        pipes,
    )


def _numbered(begins: npt.NDArray[np.int64], numbers: npt.NDArray[np.int64], links: int) -> Lists:
    """Return lists in which pipes, which are negative so far, have numbers behind all links."""
    every = np.where(numbers < 0, links + ~numbers, numbers)
    return Lists(begins.astype(np.uint64), every.astype(np.uint64))


class _Joints:
    """Ends of links that are one vertex, as a forest of which each tree is one of them."""

    def __init__(self, ways: Ways) -> None:
        self._above: dict[_End, _End] = {}
        follows: dict[tuple[str, str], None] = {}
        for way in ways.follows():
            follows.update(dict.fromkeys(pairwise(way)))
        for before, after in follows:
            self._join((_END, before), (_BEGIN, after))
        for members in ways.members:
            for side, links, place in ((_END, ways.up, -1), (_BEGIN, ways.down, 0)):
                for host in members[1:]:
                    self._join((side, links[members[0]][place]), (side, links[host][place]))

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
        self._pipes = ways.pipes
        self._vertices: dict[_End, int] = {}
        # Those of pipes are negative until the number of links is known.
        self._numbers = {link: ~number for number, link in enumerate((*ways.pipes, *NO_WAY))}
        self.switches = 0
        self.links: list[tuple[int, int, int, int]] = []
        for ends in joints.vertices():
            self._find_host(ends)

    def lists(self, ways: list[Links]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return where the links of each way begin, and the end, and the numbers of links."""
        for link in dict.fromkeys(chain.from_iterable(ways)):
            if link not in self._numbers:
                self._numbers[link] = len(self.links)
                self.links.append(self._make(link))
        every = map(self._numbers.__getitem__, chain.from_iterable(ways))
        numbers = np.fromiter(every, np.int64)
        is_link = numbers != _NOTHING
        links_before = np.concatenate(([0], np.cumsum(is_link)))
        begins = np.cumsum(np.fromiter((0, *map(len, ways)), np.int64))
        return links_before[begins], numbers[is_link]

    def add_pipes(self) -> tuple[int, ...]:
        """Add a link of each pipe for each host; return the first one of each."""
        first = []
        for link in self._pipes:
            first.append(len(self.links))
            self.links += [self._make(link)] * len(self._hosts)
        return tuple(first)

    def _find_host(self, ends: list[_End]) -> None:
        """Note the vertex as a host if only one host's links begin there, or only end.

        Its access is then no link, because the first or last link is at the host itself.
        """
        for access, access_side, link_side in ((FROM, _END, _BEGIN), (TO, _BEGIN, _END)):
            accesses = [name for side, name in ends if side == access_side and name[0] == access]
            links = [name for side, name in ends if side == link_side and name[0] not in SIGNS]
            if len(accesses) == 1 and len(accesses) + len(links) == len(ends):
                self._vertices[self._joints.find(ends[0])] = self._hosts[accesses[0][1:]]
                self._numbers[accesses[0]] = _NOTHING

    def _make(self, link: str) -> tuple[int, int, int, int]:
        like = self._scene.links[link] if link[0] not in SIGNS else _FREE
        source = self._hosts[link[1:]] if link[0] == FROM else self._vertex((_BEGIN, link))
        target = self._hosts[link[1:]] if link[0] == TO else self._vertex((_END, link))
        return source, target, like.bandwidth_bps, like.latency_ps

    def _vertex(self, end: _End) -> int:
        root = self._joints.find(end)
        if root not in self._vertices:
            self._vertices[root] = len(self._hosts) + self.switches
            self.switches += 1
        return self._vertices[root]
