"""Dragonflies: groups on a circle, their switches inside, global cables as chords."""

from __future__ import annotations

import itertools
import math

from kumihimo.platform.drawing.frame import CABLE_COLOURS, Drawing, box, line, text
from kumihimo.platform.drawing.geometry import MARGIN
from kumihimo.platform.drawing.keys import cable_kind, counted, number, shown
from kumihimo.platform.drawing.rings import Point, Ring, dragonfly_ring
from kumihimo.platform.model import Platform
from kumihimo.platform.network import Network

# Larger networks are drawn by their groups alone.
_MOST_SWITCHES = 100
_MOST_HOSTS_OF_SWITCH = 4
_MOST_GROUPS = 32
_LEAST_RADIUS = 76.0  # of a group
_SWITCH_ROOM, _HOST_ROOM = 40.0, 25.0
_LETTER = 7.0
_LOCAL, _GLOBAL = CABLE_COLOURS[1], CABLE_COLOURS[2]


def draw_groups(platform: Platform, network: Network) -> Drawing:
    """Return a dragonfly switch by switch, or by its groups if it is large."""
    groups, switches, hosts = (
        number(platform, name) for name in ("groups", "switches_per_group", "hosts_per_switch")
    )
    if groups * switches > _MOST_SWITCHES or hosts > _MOST_HOSTS_OF_SWITCH:
        return _by_groups(platform, groups, switches, hosts)
    return _by_switches(platform, network, switches, dragonfly_ring(groups, switches, hosts))


def _by_switches(platform: Platform, network: Network, switches: int, ring: Ring) -> Drawing:
    radius = max(_LEAST_RADIUS, _SWITCH_ROOM / 2 / math.sin(math.pi / max(2, switches)))
    if len(ring.hosts) > len(ring.switches):
        radius = max(radius, _HOST_ROOM / math.dist(*ring.hosts[:2]))
    side = ring.size * radius + 2 * MARGIN

    def at(vertex: str) -> Point:
        is_switch = vertex.startswith("switch")
        places = ring.switches if is_switch else ring.hosts
        x, y = places[int(vertex.removeprefix("switch" if is_switch else "host"))]
        return x * radius + MARGIN, y * radius + MARGIN

    parts = []
    for x, y in ring.groups:
        parts.append(
            f'<circle class="group" cx="{x * radius + MARGIN:.1f}" cy="{y * radius + MARGIN:.1f}" '
            f'r="{1.25 * radius if switches > 1 else radius / 2:.1f}"/>'
        )
    for link in network.links:
        source, target = link["source"], link["target"]
        # A cable is two links that face each other.
        if source.startswith("host") or (target.startswith("switch") and source < target):
            colour = _colour(source, target, switches)
            parts.append(line(*at(source), *at(target), colour, 1.4))
    for host in range(network.hosts):
        x, y = at(f"host{host}")
        parts += [box("host", x, y, 20, 13), text("small", x, y + 0.5, str(host))]
    for switch in range(network.switches):
        x, y = at(f"switch{switch}")
        parts += [box("switch", x, y, 28, 20), text("label", x, y + 0.5, str(switch))]
    for group, (x, y) in enumerate(ring.groups):
        # Inside, where only local cables are; a switch alone is in the middle itself.
        below = 0.0 if switches > 1 else 20.0
        parts.append(
            text("name", x * radius + MARGIN, y * radius + MARGIN + below, f"group {group}")
        )
    remark = "Large boxes are switches, small ones hosts, with their numbers."
    return Drawing(side, side, parts, _legend(platform), [remark])


def _colour(source: str, target: str, switches: int) -> str:
    if source.startswith("host"):
        return CABLE_COLOURS[0]
    groups = {int(vertex.removeprefix("switch")) // switches for vertex in (source, target)}
    return _LOCAL if len(groups) == 1 else _GLOBAL


def _by_groups(platform: Platform, groups: int, switches: int, hosts: int) -> Drawing:
    """Return a box for each group, of very many the first and the last."""
    places = shown(groups, _MOST_GROUPS)
    labels = [_group_words(group, switches, hosts) for group in places]
    width = max(len(words) for lines in labels for words in lines) * _LETTER + 14
    # Boxes are wider than they are high, so it is an ellipse; at its top they stand side by side,
    # at its sides one over the other.
    between = math.sin(2 * math.pi / max(5, len(places)))
    across = 1.25 * (width + 8) / between
    down = max(170.0, 58 / (0.6 * between))
    middle = across + width / 2 + MARGIN, down + 30 + MARGIN
    angles = [2 * math.pi * place / len(places) - math.pi / 2 for place in range(len(places))]
    centres = [
        (middle[0] + across * math.cos(angle), middle[1] + down * math.sin(angle))
        for angle in angles
    ]
    drawn = [centre for centre, group in zip(centres, places, strict=True) if group is not None]
    parts = [line(*a, *b, _GLOBAL, 0.8) for a, b in itertools.combinations(drawn, 2)]
    for (x, y), group, lines in zip(centres, places, labels, strict=True):
        if group is not None:
            parts.append(box("switch", x, y, width, 50))
        parts += [
            text("note" if place else "label", x, y - 14 + 14 * place, words)
            for place, words in enumerate(lines)
        ]
    remarks = [
        f"A box is a group, in which each two of {switches} switches have a cable, and each switch "
        f"{counted(hosts, 'host', 'hosts')}."
    ]
    if len(drawn) < groups:
        remarks.append(f"{len(drawn)} of {groups} groups are drawn, the first and the last.")
    return Drawing(2 * middle[0], 2 * middle[1], parts, _legend(platform), remarks)


def _group_words(group: int | None, switches: int, hosts: int) -> list[str]:
    if group is None:
        return ["…"]
    first = group * switches
    return [
        f"group {group}",
        _range("switch", first, switches),
        _range("host", first * hosts, switches * hosts),
    ]


def _range(name: str, first: int, count: int) -> str:
    return f"{name}{first}" if count == 1 else f"{name}{first} … {first + count - 1}"


def _legend(platform: Platform) -> list[tuple[str, str]]:
    groups, switches, hosts = (
        number(platform, name) for name in ("groups", "switches_per_group", "hosts_per_switch")
    )
    per_pair = switches * number(platform, "global_links_per_switch") // max(1, groups - 1)
    classes = [
        (platform.host_link, groups * switches * hosts,
         "between hosts and switches", CABLE_COLOURS[0]),
        ("local", groups * math.comb(switches, 2), "between each two switches of a group", _LOCAL),
        ("global", math.comb(groups, 2) * per_pair,
         f"between groups, {per_pair} between each two", _GLOBAL),
    ]  # fmt: skip
    return [
        (
            f"{cable_kind(platform, section)} in each direction: "
            f"{counted(count, 'cable', 'cables')} {where}",
            colour,
        )
        for section, count, where, colour in classes
        if count
    ]
