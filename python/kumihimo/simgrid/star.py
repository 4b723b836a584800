"""Zones around one centre: plain clusters, routing Cluster, and Vivaldi."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal

from kumihimo.simgrid.scene import Coordinates, Link, Links, Scene, Segment, Zone
from kumihimo.simgrid.xml import Element

# Enough for coordinates of any sense; the same everywhere, unlike binary fractions.
_CONTEXT = Context(prec=40)
_PS_PER_MS = 10**9
# Adds nothing to the time of a message.
_FASTEST_BPS = 10**15


class StarZone(Zone):
    """Each member has a way up to the centre and a way down from it; empty ones are allowed."""

    def __init__(self, element: Element, scene: Scene, parent: Zone | None) -> None:
        """Make a zone without members."""
        super().__init__(element, scene, parent)
        self.up: dict[str, Links] = {}
        self.down: dict[str, Links] = {}
        self.loopbacks: dict[str, Links] = {}
        self.backbone: Links = ()

    def local(self, source: str, target: str) -> Segment | None:
        """Return the way up and down; a link in both, such as the backbone, is passed once."""
        if source in self.scene.zones or target in self.scene.zones:
            return None
        return Segment(self._up_and_down(source, target))

    def attachment(self, host: str) -> tuple[Links, Links, object] | None:
        """Return the ways up and down, without the backbone."""
        if host not in self.up or host not in self.down:
            return None
        up, down, shared = self.up[host], self.down[host], len(self.backbone)
        if up[len(up) - shared :] != self.backbone or down[:shared] != self.backbone:
            return None
        return up[: len(up) - shared], down[shared:], self.name

    def loopback(self, host: str) -> Links | None:
        """Return the host's loopback, or else the way up and down."""
        return self.loopbacks.get(host) or self._up_and_down(host, host) or None

    def _up_and_down(self, source: str, target: str) -> Links:
        links = (*self.up.get(source, ()), *self.down.get(target, ()))
        return tuple(dict.fromkeys(links))


class VivaldiZone(StarZone):
    """A star whose latencies follow from coordinates: plane distance in ms, and heights.

    Of a zone inside, the router that is named "router_" and its name has the coordinates, and is
    its gateway.
    """

    def local(self, source: str, target: str) -> Segment:
        """Return the way up, over the distance, and down."""
        ends = [f"router_{end}" if end in self.scene.zones else end for end in (source, target)]
        places = [self._place_of(end) for end in ends]
        distance = f"{self.name}:{source}:{target}"
        self.scene.links[distance] = Link(_FASTEST_BPS, _distance_ps(*places))
        links = (*self.up.get(source, ()), distance, *self.down.get(target, ()))
        return Segment(links, None if ends == [source, target] else (ends[0], ends[1]))

    def attachment(self, _host: str) -> None:
        """Return nothing: distances belong to pairs of hosts."""
        return

    def _place_of(self, member: str) -> Coordinates:
        if member not in self.scene.coordinates:
            message = f'"{member}" has no coordinates, as whatever is connected here must'
            self.scene.report.fail(self.element, "", message)
        return self.scene.coordinates[member]

    def loopback(self, _host: str) -> Links | None:
        """Return nothing: a distance to itself would be twice its height."""
        return None


def _distance_ps(a: Coordinates, b: Coordinates) -> int:
    add: Callable[[Decimal, Decimal], Decimal] = _CONTEXT.add
    x, y = (_CONTEXT.subtract(a[axis], b[axis]) for axis in (0, 1))
    plane = _CONTEXT.sqrt(add(_CONTEXT.multiply(x, x), _CONTEXT.multiply(y, y)))
    total = add(add(plane, abs(a[2])), abs(b[2]))
    return int(_CONTEXT.multiply(total, Decimal(_PS_PER_MS)).to_integral_value())
