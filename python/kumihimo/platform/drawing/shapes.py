"""Draws networks of regular shape from their keys, however large: slices, groups, levels."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kumihimo.platform.drawing.diagram import CableKind
from kumihimo.platform.drawing.keys import cable_kind, counted, number, shown
from kumihimo.platform.model import Platform

_MOST_GROUPS = 6


def draw_shape(platform: Platform) -> str | None:
    """Return lines about the shape; None for kinds that are drawn by their links."""
    draw = {
        "torus": _grid,
        "mesh": _grid,
        "fat_tree": _fat_tree,
        "butterfly": _butterfly,
        "dragonfly": _dragonfly,
    }.get(str(platform["topology.kind"]))
    return None if draw is None else "\n".join(line.rstrip() for line in draw(platform)) + "\n"


def _range(name: str, first: int, count: int) -> str:
    return f"{name}{first}" if count == 1 else f"{name}{first} … {name}{first + count - 1}"


# Letters of the names in front of links.
_NAMES = len("at each switch")


def _grid(platform: Platform) -> list[str]:
    """Return the first slice of a torus or mesh, and what each dimension's links are."""
    sizes = platform.numbers("topology.sizes")
    wraps = platform["topology.kind"] == "torus"
    columns, rows = sizes[0], sizes[1] if len(sizes) > 1 else 1
    lines = [f"  {line}" for line in _slice(columns, rows, wraps)]
    slices = math.prod(sizes[2:])
    if slices > 1:
        lines = [f"switches of the first of {slices} slices:", *lines]
    else:
        lines = ["switches:", *lines]
    per_switch = number(platform, "hosts_per_switch")
    lines.append(
        f"  {'at each switch':<{_NAMES}}  "
        f"{counted(per_switch, 'host', 'hosts')}: {_at_hosts(platform)}"
    )
    for index, size in enumerate(sizes):
        form = "ring" if wraps and size > 2 else "row"
        lines.append(
            f"  {f'dimension {index}':<{_NAMES}}  {form} of {size}: "
            f"{cable_kind(platform, 'switch_link', index)}"
        )
    return lines


def _slice(columns: int, rows: int, wraps: bool) -> list[str]:
    width = len(str(columns * rows - 1))
    lines: list[str] = []
    for row in shown(rows):
        if row is None:
            lines.append("…".rjust(width + 2))
            continue
        cells = [
            "…" if column is None else str(row * columns + column).rjust(width)
            for column in shown(columns)
        ]
        end = "─" if wraps and columns > 2 else " "
        lines.append(f"{end} {' ─ '.join(cells)} {end}")
    return lines


def _fat_tree(platform: Platform) -> list[str]:
    """Return a line for each level, the highest on top."""
    children = platform.numbers("topology.children")
    levels = len(children)
    parents, cables = (
        _each(platform.numbers(f"topology.{name}"), levels) for name in ("parents", "cables")
    )
    lines: list[str] = []
    for level in range(levels):
        switches = math.prod(children[level + 1 :]) * math.prod(parents[: level + 1])
        down = children[level] * cables[level]
        up = parents[level + 1] * cables[level + 1] if level + 1 < levels else 0
        of_level = ("switch_link", level - 1) if level else (platform.host_link,)
        kind = cable_kind(platform, *of_level)
        lines.insert(
            0,
            f"  level {level + 1:<3} {counted(switches, 'switch', 'switches')}, "
            f"{down} down, {up} up: {kind}",
        )
    return [
        "levels, with links down and up, and what a link down is:",
        *lines,
        f"  hosts     {math.prod(children)}",
    ]


def _at_hosts(platform: Platform) -> CableKind:
    return cable_kind(platform, platform.host_link)


def _each(values: Sequence[int], count: int) -> list[int]:
    return list(values) if len(values) > 1 else [values[0]] * count


def _butterfly(platform: Platform) -> list[str]:
    """Return the stages from left to right, as messages pass them."""
    radix, stages = number(platform, "radix"), number(platform, "stages")
    per_stage = radix ** (stages - 1)
    lines = ["stages, each way of a message from top to bottom:"]
    lines.append(f"  {_range('host', 0, per_stage * radix)}")
    for stage in range(stages):
        kind = cable_kind(platform, "switch_link" if stage else platform.host_link)
        lines.append(f"    {per_stage * radix} links: {kind}")
        lines.append(f"  {_range('switch', stage * per_stage, per_stage)}")
    lines.append(f"    {per_stage * radix} links: {_at_hosts(platform)}")
    lines.append(f"  {_range('host', 0, per_stage * radix)}")
    return lines


def _dragonfly(platform: Platform) -> list[str]:
    """Return a line for each of the first groups and the last, and what connects them."""
    groups, switches = number(platform, "groups"), number(platform, "switches_per_group")
    hosts, ports = (
        number(platform, "hosts_per_switch"),
        number(platform, "global_links_per_switch"),
    )
    lines = ["groups:"]
    for group in shown(groups, _MOST_GROUPS):
        if group is None:
            lines.append("  …")
            continue
        of_group = _range("switch", group * switches, switches)
        at_group = _range("host", group * switches * hosts, switches * hosts)
        lines.append(f"  {group:<6} {of_group}, {at_group}")
    lines.append(
        f"  at each switch        {counted(hosts, 'host', 'hosts')}: {_at_hosts(platform)}"
    )
    if switches > 1:
        lines.append(f"  each two of a group   1 cable: {cable_kind(platform, 'local')}")
    if groups > 1:
        count = switches * ports // (groups - 1)
        lines.append(
            f"  each two groups       {counted(count, 'cable', 'cables')}: "
            f"{cable_kind(platform, 'global')}"
        )
    return lines
