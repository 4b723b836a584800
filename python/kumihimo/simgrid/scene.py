"""What a platform file of SimGrid describes: links, hosts, and zones that know their paths."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from decimal import Decimal

from kumihimo.simgrid.report import Report
from kumihimo.simgrid.xml import Element


@dataclass(frozen=True)
class Link:
    """What messages queue for: a link, or one direction of it.

    Attributes:
        bandwidth_bps: In bit/s.
        latency_ps: In ps.
        is_fatpipe: Whether messages pass it side by side, each at the full rate.
    """

    bandwidth_bps: int
    latency_ps: int
    is_fatpipe: bool = False


@dataclass(frozen=True)
class Host:
    """A computer.

    Attributes:
        speed_flops: Of one core.
        cores: How many ranks it has room for.
        element: Where it is described.
    """

    speed_flops: int
    cores: int
    element: Element


# Two numbers of a plane, and a height; in ms.
Coordinates = tuple[Decimal, ...]
# Names of links, in order.
Links = tuple[str, ...]


@dataclass(frozen=True)
class Segment:
    """A way through one zone.

    Attributes:
        links: In order.
        gateways: Where it begins and ends, if it leads from one zone inside to another.
    """

    links: Links
    gateways: tuple[str, str] | None = None


class Zone(ABC):
    """A part of the network with its own routing."""

    def __init__(self, element: Element, scene: Scene, parent: Zone | None) -> None:
        """Make a zone without members."""
        self.element = element
        self.scene = scene
        self.parent = parent
        self.name = element.attributes.get("id", "")
        self.bypasses: dict[tuple[str, str], Segment] = {}

    @abstractmethod
    def local(self, source: str, target: str) -> Segment | None:
        """Return the way between two members: hosts, routers or zones; None if there is none."""

    def segment(self, source: str, target: str) -> Segment | None:
        """Return the way between two members, a bypass if there is one."""
        return self.bypasses.get((source, target)) or self.local(source, target)

    def attachment(self, _host: str) -> tuple[Links, Links, object] | None:
        """Return how a host is attached, if all its ways begin and end alike.

        Returns:
            The links that all its ways to other members begin with and that are no other host's,
            those that all ways to it end with, and what it is attached to: all that follows is the
            same for whatever else is attached there. None if this cannot be said.
        """
        return None

    def loopback(self, _host: str) -> Links | None:
        """Return the way of a host to itself; None if the file does not say it."""
        return None


@dataclass
class Scene:
    """Everything in a file, by name.

    Attributes:
        report: For what is wrong.
        links: All of them; those of a link in two directions end with _UP and _DOWN.
        duplex: Names of links in two directions.
        pipes: Where each link is described that messages pass side by side.
        hosts: In the order of the file.
        zones: All of them.
        zone_of: The zone that each host, router or zone is a member of.
        coordinates: Of hosts and routers that have them.
        ways: Paths to and from gateways that were looked for before; None where there is none.
        lineages: The zones around a member, outermost first, that were found before.
    """

    report: Report
    links: dict[str, Link] = field(default_factory=dict)
    duplex: set[str] = field(default_factory=set)
    pipes: dict[str, Element] = field(default_factory=dict)
    hosts: dict[str, Host] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    zone_of: dict[str, Zone | None] = field(default_factory=dict)
    coordinates: dict[str, Coordinates] = field(default_factory=dict)
    ways: dict[tuple[str, str], Links | None] = field(default_factory=dict)
    lineages: dict[str, list[Zone]] = field(default_factory=dict)

    def add_member(self, name: str, zone: Zone | None, element: Element) -> None:
        """Enter a host, router or zone; complain if there is one of that name."""
        if name in self.zone_of:
            message = f'"{name}" is the name of an earlier host, router or zone'
            self.report.complain(element, "", message)
        self.zone_of[name] = zone

    def add_host(self, name: str, zone: Zone, host: Host) -> None:
        """Enter a host."""
        self.add_member(name, zone, host.element)
        self.hosts[name] = host

    def add_link(self, name: str, link: Link, *, duplex: bool, element: Element) -> Cable:
        """Enter a link; complain if there is one of that name."""
        if name in self.links or name in self.duplex:
            self.report.complain(element, "", f'"{name}" is the name of an earlier link')
        if not duplex:
            self.links[name] = link
            if link.is_fatpipe:
                self.pipes[name] = element
            return Cable(name, name)
        self.duplex.add(name)
        cable = Cable(f"{name}_UP", f"{name}_DOWN")
        self.links[cable.up] = self.links[cable.down] = link
        return cable


@dataclass(frozen=True)
class Cable:
    """The names of a link's two directions; the same one if they share it."""

    up: str
    down: str
