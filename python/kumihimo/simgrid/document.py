"""A platform file of SimGrid as the keys of a platform file of ours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kumihimo.problems import PlatformError
from kumihimo.simgrid.cluster import ClusterZone, FatTreeZone, TorusZone
from kumihimo.simgrid.elements import Reading
from kumihimo.simgrid.linking import make_routes
from kumihimo.simgrid.packets import packet_bytes
from kumihimo.simgrid.reader import read_scene
from kumihimo.simgrid.report import Report
from kumihimo.simgrid.routes import Routes
from kumihimo.simgrid.scene import Link, Scene, Zone
from kumihimo.simgrid.star import StarZone
from kumihimo.simgrid.xml import parse_xml
from kumihimo.units import DURATION, RATE, SIZE, SPEED

# What SimGrid takes where a file says nothing of messages inside a host: the defaults of
# network/loopback-bw and network/loopback-lat.
_LOOPBACK = Link(498_000_000 * 8, 15_000_000)
# Hosts of a torus forward; ours are at switches, by links that take no time.
_FREE = {"bandwidth": "1000 Tb/s", "latency": "0 ns"}
_MOST_HOSTS_OF_STAR = 4096
_SLOWEST_FLOPS = 1000


@dataclass(frozen=True)
class SimgridPlatform:
    """What a file describes.

    Attributes:
        document: Keys as `tomllib` would give them. With the topology `routes` the key
            topology.file names the file itself.
        routes: The contents of that, None for any other topology.
        warnings: What in the file has no counterpart, with file, line and element.
    """

    document: dict[str, Any]
    routes: Routes | None
    warnings: tuple[str, ...]


def read_simgrid(file: str | Path) -> SimgridPlatform:
    """Read a platform file of SimGrid.

    A single cluster of a shape that is known here becomes a topology of that shape, any other
    platform links with a path for each pair of hosts.

    Raises:
        PlatformError: If the file cannot be read, or anything in it is wrong; the message names
            file, line, element, attribute and what was expected.
    """
    scene = _read(file)
    shape = _shape_of(scene)
    routes = None
    if shape is None:
        routes = make_routes(scene)
        shape = {"topology": {"kind": "routes", "file": Path(file).name}, **_network(scene, routes)}
    document = {**shape, "loopback": _loopback(scene), "node": _node(scene)}
    return SimgridPlatform(document, routes, scene.report.warnings())


def read_routes_file(file: str | Path) -> Routes:
    """Read only links and paths, of whatever shape.

    Raises:
        PlatformError: As `read_simgrid`.
    """
    scene = _read(file)
    return replace(make_routes(scene), warnings=scene.report.warnings())


def _read(file: str | Path) -> Scene:
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise PlatformError(f"cannot read the platform file {file}: {error.strerror}") from error
    report = Report(str(file))
    return read_scene(parse_xml(data, str(file)), Reading(report))


def _shape_of(scene: Scene) -> dict[str, Any] | None:
    """Return the keys of a single cluster of a known shape; None for anything else."""
    zone = _only_cluster(scene)
    if isinstance(zone, StarZone):
        return _star(scene, zone)
    if not isinstance(zone, ClusterZone) or not zone.links.duplex:
        return None
    if zone.links.limiter_bps is not None:
        return None
    keys = _keys(zone.links.each)
    if isinstance(zone, TorusZone):
        topology = {"kind": "torus", "sizes": list(zone.sizes), "hosts_per_switch": 1}
        return {"topology": topology, "link": _FREE, "switch_link": keys}
    if isinstance(zone, FatTreeZone):
        children, parents, cables = (list(column) for column in zip(*zone.levels, strict=True))
        topology = {"kind": "fat_tree", "children": children, "parents": parents, "cables": cables}
        return {"topology": topology, "link": keys}
    return None


def _network(scene: Scene, routes: Routes) -> dict[str, Any]:
    """Return the keys of packets, if messages must be cut to take about as long as in SimGrid."""
    size = packet_bytes(routes)
    if size == 0:
        return {}
    text = SIZE.format(size)
    message = (
        f"has links between slower ones: messages are cut into packets of {text}, because a whole "
        "one would be sent there only when it can follow without a gap; in SimGrid it flows"
    )
    scene.report.warn(next(iter(scene.zones.values())).element, message)
    return {"network": {"packet_size": text}}


def _only_cluster(scene: Scene) -> Zone | None:
    """Return the zone that holds all hosts if it comes from <cluster>."""
    zones = {id(zone): zone for zone in map(scene.zone_of.get, scene.hosts)}
    zone = next(iter(zones.values()))
    return zone if len(zones) == 1 and zone and zone.element.tag == "cluster" else None


def _star(scene: Scene, zone: StarZone) -> dict[str, Any] | None:
    """Return the keys of a plain cluster if each host has one link in two directions."""
    links = {
        scene.links[name] for ways in (zone.up, zone.down) for way in ways.values() for name in way
    }
    simple = all(
        len(zone.up[host]) == 1 and len(zone.down[host]) == 1 and zone.up[host] != zone.down[host]
        for host in scene.hosts
    )
    if not simple or len(links) != 1:
        return None
    topology: dict[str, Any] = {"kind": "star", "hosts": len(scene.hosts)}
    if len(scene.hosts) > _MOST_HOSTS_OF_STAR:
        # The same with paths by formula.
        topology = {"kind": "fat_tree", "children": [len(scene.hosts)]}
    return {"topology": topology, "link": _keys(next(iter(links)))}


def _keys(link: Link) -> dict[str, Any]:
    return {
        "bandwidth": RATE.format(link.bandwidth_bps),
        "latency": DURATION.format(link.latency_ps),
    }


def _loopback(scene: Scene) -> dict[str, Any]:
    """Return the one way of messages inside a host; where hosts differ, that of most."""
    ways: Counter[Link] = Counter()
    for host in scene.hosts:
        zone = scene.zone_of[host]
        names = zone.loopback(host) if zone is not None else None
        links = [scene.links[name] for name in names or ()]
        ways[_in_series(links) if links else _LOOPBACK] += 1
    way, count = ways.most_common(1)[0]
    if count < len(scene.hosts):
        element = next(iter(scene.hosts.values())).element
        text = ", ".join(_keys(way).values())
        message = f"hosts differ in their loopbacks; here all have that of most: {text}"
        scene.report.warn(element, message)
    return _keys(way)


def _in_series(links: list[Link]) -> Link:
    slowest = min(link.bandwidth_bps for link in links)
    return Link(slowest, sum(link.latency_ps for link in links))


def _node(scene: Scene) -> dict[str, Any]:
    """Return what hosts are like; where they differ, what most are like."""
    hosts = scene.hosts.values()
    element = next(iter(hosts)).element
    speed, with_speed = Counter(host.speed_flops for host in hosts).most_common(1)[0]
    cores, with_cores = Counter(host.cores for host in hosts).most_common(1)[0]
    for value, count, text in (
        ("speed", with_speed, SPEED.format(speed)),
        ("core", with_cores, str(cores)),
    ):
        if count < len(hosts):
            message = f"hosts differ in {value}; here all have that of most: {text}"
            scene.report.warn(element, message)
    if speed < _SLOWEST_FLOPS:
        message = f"a speed of {SPEED.format(speed)} has no counterpart: read as 1 kflop/s"
        scene.report.warn(element, message)
    return {"speed": SPEED.format(max(speed, _SLOWEST_FLOPS)), "ranks": cores}
