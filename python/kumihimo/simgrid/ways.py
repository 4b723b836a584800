"""The ways between all hosts of a file, kept small: hosts that are alike share theirs.

In a plain cluster all ways differ in nothing but the links that belong to one host: those up from
it to what it is attached to, and those down to it. Such hosts are of one kind. Only the ways
between kinds are written down, so that a file may have more hosts than pairs of them fit into
memory.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from kumihimo.simgrid.limits import MOST_KINDS
from kumihimo.simgrid.paths import path
from kumihimo.simgrid.routed import FullZone
from kumihimo.simgrid.scene import Links, Scene

# Characters that no name in XML has. A host's access to the first link of a path and from the last
# one stand with the links, distinguished by a sign before the host's name.
FROM, TO = SIGNS = ("\1", "\2")
# In place of the links between kinds of hosts that are not connected.
NO_WAY: Links = ("\0",)
# With more kinds of hosts it takes seconds to find all ways.
_MANY_KINDS = 512


@dataclass(frozen=True)
class Ways:
    """Every way is one up from a host, one between kinds of hosts, and one down to a host.

    Attributes:
        hosts: In the order of the file.
        kinds: The kind of each host.
        members: The hosts of each kind, by number.
        up: The links of each host up to what it is attached to; none if no other host is like it.
        down: The links from there to the host.
        between: Of each pair of kinds, ordered by source, then target: kinds x kinds. `NO_WAY`
            where they are not connected.
        pipes: Links in `between` that messages of different hosts pass side by side, in the order
            in which they are used.
    """

    hosts: tuple[str, ...]
    kinds: list[int]
    members: list[list[int]]
    up: list[Links]
    down: list[Links]
    between: list[Links]
    pipes: tuple[str, ...] = ()

    def follows(self) -> Iterator[Links]:
        """Yield links that follow each other, until each that follows another was among them.

        What is behind the way up from one host is behind those of all hosts of its kind.
        """
        for links in (*self.up, *self.down):
            yield links
        last = [self.up[some[0]][-1:] for some in self.members]
        first = [self.down[some[0]][:1] for some in self.members]
        for number, links in enumerate(self.between):
            source, target = divmod(number, len(self.members))
            if links != NO_WAY and (source != target or len(self.members[source]) > 1):
                yield (*last[source], *links, *first[target])


def find_ways(scene: Scene) -> Ways:
    """Return the ways between all hosts.

    Raises:
        PlatformError: If there are too many kinds of hosts.
    """
    hosts = tuple(scene.hosts)
    up, down, kinds, members = _attach(scene, hosts)
    if len(members) > MOST_KINDS:
        message = (
            f"has {len(hosts)} hosts of {len(members)} kinds; expected at most {MOST_KINDS} kinds, "
            "unless it is one cluster of SPLITDUPLEX links without limiter: TORUS, FAT_TREE, or "
            "FLAT without backbone. Alike are hosts of a plain cluster, or of one router of a "
            "DRAGONFLY, whose links are no FATPIPE"
        )
        scene.report.fail(next(iter(scene.zones.values())).element, "", message)
    between: list[Links] = []
    for source in _shown(members):
        between += (_between(scene, hosts, (up, down), source, target) for target in members)
    pipes = [link for link in dict.fromkeys(chain.from_iterable(between)) if link in scene.pipes]
    _warn_of_pipes(scene, pipes)
    return Ways(hosts, kinds, members, up, down, between, tuple(pipes))


def _shown(members: list[list[int]]) -> Iterable[list[int]]:
    """Return the kinds of hosts; on a terminal it is shown how far one is with many of them."""
    if len(members) < _MANY_KINDS or not sys.stderr.isatty():
        return members
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(members, "finding paths between hosts", console=console, transient=True)


def _between(
    scene: Scene,
    hosts: tuple[str, ...],
    own: tuple[list[Links], list[Links]],
    some: list[int],
    others: list[int],
) -> Links:
    """Return the links between two kinds of hosts, of which `own` are not."""
    source, target = some[0], others[0] if some is not others else some[-1]
    if source == target:
        return ()
    way = path(scene, hosts[source], hosts[target])
    if way is None:
        return NO_WAY
    up, down = own
    way = (FROM + hosts[source], *way, TO + hosts[target])
    return way[len(up[source]) : len(way) - len(down[target])]


def _attach(
    scene: Scene, hosts: tuple[str, ...]
) -> tuple[list[Links], list[Links], list[int], list[list[int]]]:
    """Return the links up and down of each host, its kind, and the hosts of each kind."""
    keys: list[object] = []
    up: list[Links] = []
    down: list[Links] = []
    gateways = _special_hosts(scene)
    for host in hosts:
        zone = scene.zone_of[host]
        attachment = zone.attachment(host) if zone is not None and host not in gateways else None
        links = attachment[0] + attachment[1] if attachment is not None else ()
        if attachment is None or any(link in scene.pipes for link in links):
            keys.append(host)
            up.append(())
            down.append(())
            continue
        looks = tuple(tuple(scene.links[link] for link in part) for part in attachment[:2])
        keys.append((zone, attachment[2], looks))
        up.append((FROM + host, *attachment[0]))
        down.append((*attachment[1], TO + host))
    alike = Counter(keys)
    numbers: dict[object, int] = {}
    kinds: list[int] = []
    members: list[list[int]] = []
    for number, key in enumerate(keys):
        if alike[key] == 1:
            up[number] = down[number] = ()
        kinds.append(numbers.setdefault(key, len(members)))
        if kinds[-1] == len(members):
            members.append([])
        members[kinds[-1]].append(number)
    return up, down, kinds, members


def _special_hosts(scene: Scene) -> set[str]:
    """Return hosts whose ways are like no other's: gateways, and ends of bypasses."""
    special: set[str] = set()
    for zone in scene.zones.values():
        segments = list(zone.bypasses.values())
        for ends in zone.bypasses:
            special.update(ends)
        if isinstance(zone, FullZone):
            segments += zone.routes.values()
        for segment in segments:
            special.update(segment.gateways or ())
    return special


def _warn_of_pipes(scene: Scene, pipes: list[str]) -> None:
    for name in sorted(pipes):
        message = (
            "FATPIPE has no full counterpart: messages of different hosts pass side by side, those "
            "of one host one after another"
        )
        scene.report.warn(scene.pipes[name], message)
