"""Reads the routes of zones."""

from __future__ import annotations

from kumihimo.simgrid.elements import Reading
from kumihimo.simgrid.routed import FullZone
from kumihimo.simgrid.scene import Links, Scene, Segment, Zone
from kumihimo.simgrid.star import StarZone, VivaldiZone
from kumihimo.simgrid.xml import Element

_DIRECTIONS = ("UP", "DOWN", "NONE")
_OPPOSITE = {"UP": "DOWN", "DOWN": "UP"}


def read_routes(zone: Zone, reading: Reading) -> None:
    """Enter the routes and host links of a zone; all that they name must have been read."""
    if reading.kind(zone.element) != "zone":
        return
    for element in zone.element.children:
        kind = reading.kind(element)
        if kind == "host_link":
            _read_host_link(element, zone, reading)
        elif kind in ("route", "zoneRoute"):
            _read_route(element, zone, reading)
        elif kind in ("bypassRoute", "bypassZoneRoute"):
            _read_bypass(element, zone, reading)


def _read_host_link(element: Element, zone: Zone, reading: Reading) -> None:
    attributes = reading.attributes(element)
    if not isinstance(zone, StarZone) or isinstance(zone, VivaldiZone):
        reading.report.complain(element, "", "expected it in a zone of routing Cluster")
        return
    name = attributes["id"]
    if not _is_member(element, "id", name, zone, reading):
        return
    links = []
    for attribute in ("up", "down"):
        if attributes[attribute] not in zone.scene.links:
            _complain_about_link(element, attribute, attributes[attribute], zone.scene, reading)
            return
        links.append(attributes[attribute])
    zone.up[name] = (links[0], *zone.backbone)
    zone.down[name] = (*zone.backbone, links[1])


def _read_route(element: Element, zone: Zone, reading: Reading) -> None:
    attributes = reading.attributes(element)
    is_symmetrical = attributes["symmetrical"].upper()
    if is_symmetrical not in ("YES", "NO"):
        message = f'expected YES or NO, found "{attributes["symmetrical"]}"'
        reading.report.complain(element, "symmetrical", message)
    if not isinstance(zone, FullZone):
        message = "expected it in a zone of routing Full, Floyd or Dijkstra"
        reading.report.complain(element, "", message)
        return
    found = _ends_and_segment(element, zone, reading)
    if found is None:
        return
    (source, target), segment, backward = found
    _enter(element, zone, (source, target), segment, reading)
    if is_symmetrical == "YES" and source != target:
        gateways = segment.gateways and (segment.gateways[1], segment.gateways[0])
        _enter(element, zone, (target, source), Segment(backward, gateways), reading)


def _read_bypass(element: Element, zone: Zone, reading: Reading) -> None:
    names = [element.attributes.get(end, "") for end in ("src", "dst")]
    if any(name in zone.scene.zone_of and zone.scene.zone_of[name] is not zone for name in names):
        message = f"<{element.tag}> between parts of inner zones has no counterpart: passed over"
        reading.report.warn(element, message)
        return
    reading.attributes(element)
    found = _ends_and_segment(element, zone, reading)
    if found is not None:
        zone.bypasses[found[0]] = found[1]


def _enter(
    element: Element, zone: FullZone, ends: tuple[str, str], segment: Segment, reading: Reading
) -> None:
    if ends in zone.routes:
        message = f'there is a route from "{ends[0]}" to "{ends[1]}" already'
        reading.report.complain(element, "", f"{message}; routes are symmetrical by default")
    zone.routes[ends] = segment


def _ends_and_segment(
    element: Element, zone: Zone, reading: Reading
) -> tuple[tuple[str, str], Segment, Links] | None:
    """Return the ends of a route, its way, and the links of the way back; None if it is wrong."""
    attributes = element.attributes
    between_zones = reading.kind(element) in ("zoneRoute", "bypassZoneRoute")
    ends = attributes.get("src", ""), attributes.get("dst", "")
    valid = all(
        _is_member(element, end, name, zone, reading)
        for end, name in zip(("src", "dst"), ends, strict=True)
    )
    gateways = attributes.get("gw_src", ""), attributes.get("gw_dst", "")
    for end, name in zip(("src", "dst"), ends, strict=True):
        if valid and (name in zone.scene.zones) != between_zones:
            expected = "a zone" if between_zones else "a host or a router"
            reading.report.complain(element, end, f'expected {expected}, found "{name}"')
            valid = False
    if valid and between_zones:
        for number, attribute in enumerate(("gw_src", "gw_dst")):
            valid &= _is_inside(element, attribute, gateways[number], ends[number], zone, reading)
    forward = _links(element, zone.scene, reading)
    if not valid or forward is None:
        return None
    there = tuple(link for link, _ in forward)
    back = tuple(link for _, link in reversed(forward))
    return ends, Segment(there, gateways if between_zones else None), back


def _links(element: Element, scene: Scene, reading: Reading) -> list[tuple[str, str]] | None:
    """Return the links of a route, each with that of the way back; None if one is wrong."""
    links: list[tuple[str, str]] = []
    inside = reading.children(element)
    for link in inside:
        attributes = reading.attributes(link)
        name, direction = attributes["id"], attributes["direction"]
        if direction not in _DIRECTIONS:
            message = f'expected one of {", ".join(_DIRECTIONS)}; found "{direction}"'
            reading.report.complain(link, "direction", message)
        elif name in scene.links:
            links.append((name, name))
        elif name not in scene.duplex:
            _complain_about_link(link, "id", name, scene, reading)
        elif direction == "NONE":
            message = f'"{name}" is SPLITDUPLEX; expected direction="UP" or direction="DOWN"'
            reading.report.complain(link, "direction", message)
        else:
            links.append((f"{name}_{direction}", f"{name}_{_OPPOSITE[direction]}"))
    if not inside:
        reading.report.complain(element, "", "expected at least one <link_ctn> inside")
    return links if inside and len(links) == len(inside) else None


def _is_member(element: Element, attribute: str, name: str, zone: Zone, reading: Reading) -> bool:
    if name in zone.scene.zone_of and zone.scene.zone_of[name] is zone:
        return True
    message = f'expected a member of the zone "{zone.name}", found "{name}"'
    reading.report.complain(element, attribute, message)
    return False


def _is_inside(
    element: Element, attribute: str, name: str, around: str, zone: Zone, reading: Reading
) -> bool:
    """Return whether a gateway is a host or router in the zone `around`, however deep."""
    scene = zone.scene
    inner = scene.zone_of.get(name) if name not in scene.zones else None
    while inner is not None and inner.name != around:
        inner = inner.parent
    if inner is not None:
        return True
    message = f'expected a host or router in the zone "{around}", found "{name}"'
    reading.report.complain(element, attribute, message)
    return False


def _complain_about_link(
    element: Element, attribute: str, name: str, scene: Scene, reading: Reading
) -> None:
    if name in scene.duplex:
        message = f'"{name}" is SPLITDUPLEX; expected "{name}_UP" or "{name}_DOWN"'
    else:
        message = f'there is no link "{name}"; expected one that is described in the file'
    reading.report.complain(element, attribute, message)
