"""Where switches and hosts of a dragonfly stand: groups on a circle, each a circle of switches."""

from __future__ import annotations

import math
from dataclasses import dataclass

_STUB = 0.5  # from a switch to its hosts, in radii of a group
_BESIDE = 1.25  # room of a group over what it takes
_MOST_TURN = math.radians(65)  # of the hosts of a switch away from the direction outwards
_BETWEEN_HOSTS = math.radians(43)

Point = tuple[float, float]


@dataclass(frozen=True)
class Ring:
    """A dragonfly in the plane; lengths are in radii of a group, y grows downwards.

    Attributes:
        size: Width and height of the square around everything.
        groups: Centre of each group.
        switches: Place of each switch, group by group.
        hosts: Place of each host, switch by switch.
    """

    size: float
    groups: list[Point]
    switches: list[Point]
    hosts: list[Point]


def dragonfly_ring(groups: int, switches_per_group: int, hosts_per_switch: int) -> Ring:
    """Return the places; the first group stands on top, the others follow clockwise."""
    reach = (1.0 + _STUB) * _BESIDE
    radius = 0.0 if groups == 1 else max(reach, reach / math.sin(math.pi / groups))
    middle = radius + reach
    ring = Ring(2 * middle, [], [], [])
    for group in range(groups):
        outwards = 2 * math.pi * group / groups - math.pi / 2
        centre = _along((middle, middle), outwards, radius)
        ring.groups.append(centre)
        for number in range(switches_per_group):
            angle = outwards + 2 * math.pi * number / switches_per_group
            place = _along(centre, angle, 1.0 if switches_per_group > 1 else 0.0)
            ring.switches.append(place)
            ring.hosts.extend(
                _along(place, angle + turn, _STUB)
                for turn in _turns(hosts_per_switch, switches_per_group)
            )
    return ring


def _turns(count: int, switches: int) -> list[float]:
    """Return the angles at which hosts stand next to the direction outwards.

    With many switches they turn away less, lest they come near the hosts of the next switch.
    """
    most = min(_MOST_TURN, 2.2 * math.pi / switches)
    between = min(_BETWEEN_HOSTS, 2 * most / max(1, count - 1))
    return [(number - (count - 1) / 2) * between for number in range(count)]


def _along(point: Point, angle: float, length: float) -> Point:
    return point[0] + length * math.cos(angle), point[1] + length * math.sin(angle)
