"""The ways between all hosts of a file, kept small: hosts that are alike share theirs.

In a plain cluster all ways differ in nothing but the wires that belong to one host: those up from
it to what it is attached to, and those down to it. Such hosts are of one kind. Only the ways
between kinds are written down, so that a file may have more hosts than pairs of them fit into
memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from kumihimo.platform.schema.topologies.routes import MOST_KINDS
from kumihimo.platform.simgrid.paths import path
from kumihimo.platform.simgrid.routed import FullZone
from kumihimo.platform.simgrid.scene import Scene, Wires

# Characters that no name in XML has. A host's access to the first wire of a path and from the last
# one stand with the wires, told apart by a sign before the host's name.
FROM, TO = SIGNS = ("\1", "\2")
# Stands between the name of a pipe and that of the host whose messages it carries.
OF_HOST = "\0"


@dataclass(frozen=True)
class Ways:
    """Every way is one up from a host, one between kinds of hosts, and one down to a host.

    Attributes:
        hosts: In the order of the file.
        kinds: The kind of each host.
        members: The hosts of each kind, by number.
        up: The wires of each host up to what it is attached to; none if nobody is like it.
        down: The wires from there to the host.
        between: Of each pair of kinds, ordered by source, then target: kinds x kinds.
        pipes: Wires in `between` that messages of different hosts pass side by side.
    """

    hosts: tuple[str, ...]
    kinds: list[int]
    members: list[list[int]]
    up: list[Wires]
    down: list[Wires]
    between: list[Wires]
    pipes: tuple[str, ...] = ()

    def follows(self) -> Iterator[Wires]:
        """Yield wires that follow each other, until each that follows another was among them.

        What is behind the way up from one host is behind those of all hosts of its kind.
        """
        for wires in (*self.up, *self.down):
            yield wires
        last = [self.up[some[0]][-1:] for some in self.members]
        first = [self.down[some[0]][:1] for some in self.members]
        for number, wires in enumerate(self.between):
            source, target = divmod(number, len(self.members))
            if source != target or len(self.members[source]) > 1:
                yield (*last[source], *wires, *first[target])


def explicit_ways(scene: Scene) -> Ways:
    """Return the way of each pair of hosts; every host is of a kind of its own.

    A pipe is one of its own for each host that sends over it.

    Raises:
        PlatformError: If there is no path between two hosts.
    """
    hosts = tuple(scene.hosts)
    between: list[Wires] = []
    pipes: set[str] = set()
    for source in hosts:
        for target in hosts:
            if source == target:
                between.append(())
                continue
            wires = path(scene, source, target)
            used = [wire for wire in wires if wire in scene.pipes]
            pipes.update(used)
            if used:
                wires = tuple(
                    f"{wire}{OF_HOST}{source}" if wire in used else wire for wire in wires
                )
            between.append((FROM + source, *wires, TO + target))
    _warn_of_pipes(scene, pipes)
    numbers = range(len(hosts))
    none: list[Wires] = [()] * len(hosts)
    return Ways(hosts, list(numbers), [[number] for number in numbers], none, none, between)


def ways_of_kinds(scene: Scene) -> Ways:
    """Return the ways between kinds of hosts.

    Raises:
        PlatformError: If there are too many kinds, or no path between two hosts.
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
    between: list[Wires] = []
    pipes: dict[str, None] = {}
    for some in members:
        for others in members:
            source, target = some[0], others[0] if some is not others else some[-1]
            if source == target:
                between.append(())
                continue
            ends = hosts[source], hosts[target]
            way = (FROM + ends[0], *path(scene, *ends), TO + ends[1])
            inner = way[len(up[source]) : len(way) - len(down[target])]
            between.append(inner)
            pipes.update(dict.fromkeys(wire for wire in inner if wire in scene.pipes))
    _warn_of_pipes(scene, set(pipes))
    return Ways(hosts, kinds, members, up, down, between, tuple(pipes))


def _attach(
    scene: Scene, hosts: tuple[str, ...]
) -> tuple[list[Wires], list[Wires], list[int], list[list[int]]]:
    """Return the wires up and down of each host, its kind, and the hosts of each kind."""
    keys: list[object] = []
    up: list[Wires] = []
    down: list[Wires] = []
    gateways = _special_hosts(scene)
    for host in hosts:
        zone = scene.zone_of[host]
        attachment = zone.attachment(host) if zone is not None and host not in gateways else None
        wires = attachment[0] + attachment[1] if attachment is not None else ()
        if attachment is None or any(wire in scene.pipes for wire in wires):
            keys.append(host)
            up.append(())
            down.append(())
            continue
        looks = tuple(tuple(scene.wires[wire] for wire in part) for part in attachment[:2])
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


def _warn_of_pipes(scene: Scene, pipes: set[str]) -> None:
    for name in sorted(pipes):
        message = (
            "FATPIPE has no full counterpart: messages of different hosts pass side by side, those "
            "of one host one after another"
        )
        scene.report.warn(scene.pipes[name], message)
