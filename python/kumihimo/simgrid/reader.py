"""Reads the elements of a platform file of SimGrid into a scene."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from kumihimo.simgrid.cluster_reader import read_cluster
from kumihimo.simgrid.elements import Reading, radicals_of
from kumihimo.simgrid.quantities import BANDWIDTH, LATENCY
from kumihimo.simgrid.route_reader import read_routes
from kumihimo.simgrid.routed import FullZone, ShortestZone
from kumihimo.simgrid.scene import Host, Link, Scene, Zone
from kumihimo.simgrid.star import StarZone, VivaldiZone
from kumihimo.simgrid.xml import Element

# By the value of `routing` in lower case, as SimGrid compares it.
_ROUTINGS: dict[str, tuple[str, type[Zone]]] = {
    "full": ("Full", FullZone),
    "floyd": ("Floyd", ShortestZone),
    "dijkstra": ("Dijkstra", ShortestZone),
    "dijkstracache": ("DijkstraCache", ShortestZone),
    "cluster": ("Cluster", StarZone),
    "vivaldi": ("Vivaldi", VivaldiZone),
    "none": ("None", FullZone),
}
# Of wireless networks: the stations of a cell share its time, each at a rate of its own.
_WIFI = "has no counterpart: wireless networks cannot be simulated, wired ones only"
_OLDEST_VERSION, _NEWEST_VERSION = Decimal(4), Decimal("4.2")


def read_scene(root: Element, reading: Reading) -> Scene:
    """Return what the file describes.

    Raises:
        PlatformError: If anything in it is wrong, with every problem that was seen.
    """
    report = reading.report
    scene = Scene(report)
    if root.tag != "platform":
        report.fail(root, "", "expected a platform file of SimGrid, which begins with <platform>")
    attributes = reading.attributes(root)
    _check_version(root, attributes["version"], reading)
    reader = _Reader(scene, reading)
    tops = reading.children(root)
    if len(tops) != 1:
        report.complain(root, "", f"expected one zone or cluster inside, found {len(tops)}")
    for top in tops:
        reader.read(top, None)
    report.finish()
    for zone in scene.zones.values():
        read_routes(zone, reading)
    report.finish()
    if not scene.hosts:
        report.fail(root, "", "there is no host; expected at least one")
    return scene


def _check_version(root: Element, text: str, reading: Reading) -> None:
    try:
        version = Decimal(text)
        known = _OLDEST_VERSION <= version < _NEWEST_VERSION
    except InvalidOperation:
        known = False
    if not known:
        message = f'expected "4" or "4.1", found "{text}"; simgrid_update_xml brings files up to it'
        reading.report.complain(root, "version", message)


class _Reader:
    """Enters zones and all that is in them, except routes, which may name later elements."""

    def __init__(self, scene: Scene, reading: Reading) -> None:
        self._scene = scene
        self._reading = reading

    def read(self, element: Element, parent: Zone | None) -> None:
        """Enter a zone or a cluster."""
        kind = self._reading.kind(element)
        if kind == "zone":
            self._read_zone(element, parent)
        elif kind == "cluster":
            read_cluster(element, self._scene, self._reading, parent)
        else:
            self._complain(element, "", "expected it inside of a zone")

    def _read_zone(self, element: Element, parent: Zone | None) -> None:
        attributes = self._reading.attributes(element)
        routing = attributes["routing"]
        if routing.lower() == "wifi":
            self._complain(element, "routing", f"{routing} {_WIFI}")
            return
        if routing.lower() not in _ROUTINGS:
            names = ", ".join(name for name, _ in _ROUTINGS.values())
            self._complain(element, "routing", f'expected one of {names}; found "{routing}"')
            return
        zone = _ROUTINGS[routing.lower()][1](element, self._scene, parent)
        self._scene.add_member(zone.name, parent, element)
        self._scene.zones[zone.name] = zone
        inside = self._reading.children(element)
        # Cabinets pass the backbone, wherever it stands.
        for child in sorted(inside, key=lambda child: self._reading.kind(child) != "backbone"):
            self._read_member(child, zone)

    def _read_member(self, element: Element, zone: Zone) -> None:
        kind = self._reading.kind(element)
        if kind in ("zone", "cluster"):
            self.read(element, zone)
        elif kind == "host":
            self._read_host(element, zone)
        elif kind == "router":
            attributes = self._reading.attributes(element)
            self._scene.add_member(attributes["id"], zone, element)
            self._place(element, attributes["id"], attributes["coordinates"])
        elif kind == "link":
            self._read_link(element)
        elif kind == "backbone":
            self._read_backbone(element, zone)
        elif kind == "cabinet":
            self._read_cabinet(element, zone)
        elif kind == "peer":
            self._read_peer(element, zone)

    def _read_host(self, element: Element, zone: Zone) -> None:
        attributes = self._reading.attributes(element)
        speed = self._reading.speed(element, attributes["speed"], attributes["pstate"])
        cores = self._reading.count(element, "core", attributes["core"], 1024)
        self._scene.add_host(attributes["id"], zone, Host(speed, cores, element))
        self._place(element, attributes["id"], attributes["coordinates"])

    def _read_link(self, element: Element) -> None:
        attributes = self._reading.attributes(element)
        policy = attributes["sharing_policy"]
        if policy == "WIFI":
            self._complain(element, "sharing_policy", f"{policy} {_WIFI}")
            return
        policy = self._reading.policy(element, "sharing_policy", policy)
        self._scene.add_link(
            attributes["id"],
            Link(
                self._reading.value(element, "bandwidth", attributes["bandwidth"], BANDWIDTH),
                self._reading.value(element, "latency", attributes["latency"], LATENCY),
                is_fatpipe=policy == "FATPIPE",
            ),
            duplex=policy == "SPLITDUPLEX",
            element=element,
        )

    def _read_backbone(self, element: Element, zone: Zone) -> None:
        attributes = self._reading.attributes(element)
        if not isinstance(zone, StarZone) or zone.backbone:
            self._complain(element, "", "expected at most one, in a zone of routing Cluster")
            return
        link = Link(
            self._reading.value(element, "bandwidth", attributes["bandwidth"], BANDWIDTH),
            self._reading.value(element, "latency", attributes["latency"], LATENCY),
        )
        cable = self._scene.add_link(attributes["id"], link, duplex=False, element=element)
        zone.backbone = (cable.up,)

    def _read_cabinet(self, element: Element, zone: Zone) -> None:
        attributes = self._reading.attributes(element)
        if not isinstance(zone, StarZone) or isinstance(zone, VivaldiZone):
            self._complain(element, "", "expected it in a zone of routing Cluster")
            return
        speed = self._reading.speed(element, attributes["speed"])
        link = Link(
            self._reading.value(element, "bw", attributes["bw"], BANDWIDTH),
            self._reading.value(element, "lat", attributes["lat"], LATENCY),
        )
        for radical in radicals_of(element, attributes["radical"], self._reading):
            name = f"{attributes['prefix']}{radical}{attributes['suffix']}"
            self._scene.add_host(name, zone, Host(speed, 1, element))
            cable = self._scene.add_link(f"link_{name}", link, duplex=True, element=element)
            zone.up[name] = (cable.up, *zone.backbone)
            zone.down[name] = (*zone.backbone, cable.down)

    def _read_peer(self, element: Element, zone: Zone) -> None:
        attributes = self._reading.attributes(element)
        if not isinstance(zone, VivaldiZone):
            self._complain(element, "", "expected it in a zone of routing Vivaldi")
            return
        name = attributes["id"]
        speed = self._reading.speed(element, attributes["speed"])
        self._scene.add_host(name, zone, Host(speed, 1, element))
        if self._reading.value(element, "lat", attributes["lat"], LATENCY) != 0:
            self._reading.report.warn(element, "lat has no effect, as in SimGrid: distances count")
        for attribute, ways, suffix in (("bw_out", zone.up, "UP"), ("bw_in", zone.down, "DOWN")):
            rate = self._reading.value(element, attribute, attributes[attribute], BANDWIDTH)
            link_name = f"link_{name}_{suffix}"
            self._scene.add_link(link_name, Link(rate, 0), duplex=False, element=element)
            ways[name] = (link_name,)
        self._place(element, name, attributes["coordinates"])

    def _place(self, element: Element, name: str, text: str) -> None:
        """Take the coordinates of a host or router, which count under routing Vivaldi."""
        if not text and element.tag != "peer":
            return
        try:
            coordinates = tuple(Decimal(part) for part in text.split())
        except InvalidOperation:
            coordinates = ()
        if len(coordinates) != 3 or not all(part.is_finite() for part in coordinates):
            message = f'expected three numbers such as "25.5 9.4 1.4", found "{text}"'
            self._complain(element, "coordinates", message)
            return
        self._scene.coordinates[name] = coordinates

    def _complain(self, element: Element, attribute: str, message: str) -> None:
        self._reading.report.complain(element, attribute, message)
