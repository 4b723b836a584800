"""Reads <cluster>: plain ones, tori, fat trees and dragonflies."""

from __future__ import annotations

import math
import re

from kumihimo.simgrid.cluster import (
    ClusterLinks,
    ClusterZone,
    DragonflyShape,
    DragonflyZone,
    FatTreeZone,
    TorusZone,
)
from kumihimo.simgrid.elements import Reading, radicals_of
from kumihimo.simgrid.quantities import BANDWIDTH, LATENCY
from kumihimo.simgrid.scene import Host, Link, Scene, Zone
from kumihimo.simgrid.star import StarZone
from kumihimo.simgrid.xml import Element

_TOPOLOGIES = ("FLAT", "TORUS", "FAT_TREE", "DRAGONFLY")
_MOST_IN_SHAPE = 1 << 21


def read_cluster(element: Element, scene: Scene, reading: Reading, parent: Zone | None) -> None:
    """Enter a cluster with its hosts, links and router."""
    attributes = reading.attributes(element)
    topology = attributes["topology"]
    if topology not in _TOPOLOGIES:
        expected = ", ".join(_TOPOLOGIES)
        message = f'expected one of {expected}; found "{topology}"'
        reading.report.complain(element, "topology", message)
        return
    links = _read_links(element, attributes, reading)
    zone: Zone | None
    if topology == "FLAT":
        zone = StarZone(element, scene, parent)
    else:
        zone = _shaped(element, scene, parent, links, attributes, reading)
        if attributes["bb_bw"]:
            message = "bb_bw has no effect with topology, as in SimGrid"
            reading.report.warn(element, message)
        if attributes["limiter_link"] and topology != "TORUS":
            message = "limiter_link has no counterpart at switches: only hosts are limited"
            reading.report.warn(element, message)
    if zone is None:
        return
    scene.add_member(zone.name, parent, element)
    scene.zones[zone.name] = zone
    radicals = _read_hosts(element, zone, attributes, reading)
    router = f"{attributes['prefix']}{zone.name}_router{attributes['suffix']}"
    scene.add_member(attributes["router_id"] or router, zone, element)
    if isinstance(zone, StarZone):
        _connect_star(zone, radicals, links, attributes, reading)
    elif isinstance(zone, ClusterZone):
        zone.ranks = {name: rank for rank, name in enumerate(radicals)}
        if len(radicals) != zone.expected_hosts():
            message = f"expected {zone.expected_hosts()} hosts as by topo_parameters"
            reading.report.complain(element, "radical", f"{message}, found {len(radicals)}")
        zone.loopbacks = {name: _loopback(zone, attributes, reading) for name in radicals}


def _read_links(element: Element, attributes: dict[str, str], reading: Reading) -> ClusterLinks:
    policy = reading.policy(element, "sharing_policy", attributes["sharing_policy"])
    limiter = attributes["limiter_link"]
    return ClusterLinks(
        Link(
            reading.value(element, "bw", attributes["bw"], BANDWIDTH),
            reading.value(element, "lat", attributes["lat"], LATENCY),
            is_fatpipe=policy == "FATPIPE",
        ),
        duplex=policy == "SPLITDUPLEX",
        limiter_bps=(
            reading.value(element, "limiter_link", limiter, BANDWIDTH) if limiter else None
        ),
    )


def _read_hosts(
    element: Element, zone: Zone, attributes: dict[str, str], reading: Reading
) -> dict[str, int]:
    """Enter the hosts; return the number of each by its name."""
    host = Host(
        reading.speed(element, attributes["speed"]),
        reading.count(element, "core", attributes["core"], 1024),
        element,
    )
    radicals: dict[str, int] = {}
    for radical in radicals_of(element, attributes["radical"], reading):
        name = f"{attributes['prefix']}{radical}{attributes['suffix']}"
        radicals[name] = radical
        zone.scene.add_host(name, zone, host)
    return radicals


def _connect_star(
    zone: StarZone,
    radicals: dict[str, int],
    links: ClusterLinks,
    attributes: dict[str, str],
    reading: Reading,
) -> None:
    """Connect the hosts of a plain cluster to its centre, each over the backbone if any."""
    zone.backbone = _backbone(zone, attributes, reading)
    for name, radical in radicals.items():
        link_name = f"{zone.name}_link_{radical}"
        cable = zone.scene.add_link(
            link_name, links.each, duplex=links.duplex, element=zone.element
        )
        limiter: tuple[str, ...] = ()
        if links.limiter_bps is not None:
            limiter = (f"{link_name}_limiter",)
            zone.scene.links[limiter[0]] = Link(links.limiter_bps, 0)
        zone.up[name] = (*limiter, cable.up, *zone.backbone)
        zone.down[name] = (*zone.backbone, cable.down, *limiter)
        zone.loopbacks[name] = _loopback(zone, attributes, reading)


def _backbone(zone: StarZone, attributes: dict[str, str], reading: Reading) -> tuple[str, ...]:
    latency = reading.value(zone.element, "bb_lat", attributes["bb_lat"], LATENCY)
    if not attributes["bb_bw"]:
        if latency:
            reading.report.complain(zone.element, "bb_bw", "is missing; bb_lat needs it")
        return ()
    policy = attributes["bb_sharing_policy"]
    if policy not in ("SHARED", "FATPIPE"):
        message = f'expected SHARED or FATPIPE, found "{policy}"'
        reading.report.complain(zone.element, "bb_sharing_policy", message)
    rate = reading.value(zone.element, "bb_bw", attributes["bb_bw"], BANDWIDTH)
    link = Link(rate, latency, is_fatpipe=policy == "FATPIPE")
    name = f"{zone.name}_backbone"
    return (zone.scene.add_link(name, link, duplex=False, element=zone.element).up,)


def _loopback(zone: Zone, attributes: dict[str, str], reading: Reading) -> tuple[str, ...]:
    """Return the loopback of each host, which all share the description of one."""
    rate, latency = attributes["loopback_bw"], attributes["loopback_lat"]
    if not rate:
        if latency:
            message = "is missing; loopback_lat needs it"
            reading.report.complain(zone.element, "loopback_bw", message)
        return ()
    name = f"{zone.name}_loopback"
    if name not in zone.scene.links:
        zone.scene.links[name] = Link(
            reading.value(zone.element, "loopback_bw", rate, BANDWIDTH),
            reading.value(zone.element, "loopback_lat", latency or "0", LATENCY),
        )
    return (name,)


def _shaped(
    element: Element,
    scene: Scene,
    parent: Zone | None,
    links: ClusterLinks,
    attributes: dict[str, str],
    reading: Reading,
) -> ClusterZone | None:
    """Return a cluster with a topology; None if its parameters are wrong."""
    topology, text = attributes["topology"], attributes["topo_parameters"]
    if topology == "TORUS":
        sizes = _numbers(text)
        if sizes and math.prod(sizes) <= _MOST_IN_SHAPE:
            return TorusZone(element, scene, parent, links, tuple(sizes))
        expected = 'the dimensions of a torus such as "4,4,2"'
    elif topology == "FAT_TREE":
        lists = [_numbers(part) for part in text.split(";")]
        depth = lists[0][0] if lists[0] else 0
        if len(lists) == 4 and len(lists[0]) == 1 and {len(part) for part in lists[1:]} == {depth}:
            levels = tuple(zip(*lists[1:], strict=True))
            if math.prod(math.prod(level) for level in levels) <= _MOST_IN_SHAPE**2:
                return FatTreeZone(element, scene, parent, links, levels)
        expected = 'levels; children; parents; cables such as "2;4,4;1,2;1,2"'
    else:
        lists = [_numbers(part) for part in text.split(";")]
        if [len(part) for part in lists] == [2, 2, 2, 1]:
            shape = DragonflyShape(*(number for part in lists for number in part))
            if shape.groups <= shape.routers:
                return DragonflyZone(element, scene, parent, links, shape)
            expected = f"as many routers in a chassis as there are groups, {shape.groups}"
        else:
            expected = (
                'groups, cables; chassis, cables; routers, cables; nodes such as "3,4;4,3;5,1;2"'
            )
    message = f'expected {expected}; found "{text:.60}"'
    reading.report.complain(element, "topo_parameters", message)
    return None


def _numbers(text: str) -> list[int]:
    """Return the whole numbers above zero in a list with commas; nothing if one is not."""
    parts = [part.strip() for part in text.split(",")]
    if all(re.fullmatch(r"[0-9]{1,7}", part, re.ASCII) and int(part) > 0 for part in parts):
        return [int(part) for part in parts]
    return []
