"""What drawings take from the keys of a platform, and how they say it."""

from __future__ import annotations

from kumihimo.platform.drawing.diagram import CableKind
from kumihimo.platform.model import Platform

_MOST_IN_FULL = 8


def number(platform: Platform, name: str) -> int:
    """Return a number of the topology."""
    return int(platform[f"topology.{name}"])


def cable_kind(platform: Platform, section: str, index: int = 0) -> CableKind:
    """Return rate and latency of links of one class."""
    values = [platform.numbers(f"{section}.{name}") for name in ("bandwidth", "latency")]
    return CableKind(*(value[index if len(value) > 1 else 0] for value in values))


def counted(count: int, one: str, many: str) -> str:
    """Return a number with the noun that fits."""
    return f"{count} {one if count == 1 else many}"


def shown(size: int, most: int = _MOST_IN_FULL) -> list[int | None]:
    """Return the places to draw; None for those that are left out."""
    return [*range(size)] if size <= most else [*range(most // 2), None, size - 1]
