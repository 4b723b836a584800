"""Which links were busiest, some of every kind that the machine has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kumihimo.results.configuration import flatten

_SWITCH = "switch"
_DRAGONFLY = "dragonfly"


@dataclass(frozen=True)
class BusyLinks:
    """The busiest links of one kind.

    Attributes:
        kind: "host", at a host; "switch", between switches; of a dragonfly "local" and "global",
            within and between its groups, instead.
        links: Rows of "per_link", busiest first, ties in the machine's order.
        ties: How many more links of the kind were busy for exactly as long as the last of these.
    """

    kind: str
    links: Sequence[Mapping[str, Any]]
    ties: int

    @property
    def tie_note(self) -> str | None:
        """Say that there are more links like the last one; None if there are not."""
        if not self.ties:
            return None
        links = "link" if self.ties == 1 else "links"
        return f"and {self.ties:,} more {self.kind} {links}, busy as long as the last"


def busiest_by_kind(document: Mapping[str, Any], count: int) -> list[BusyLinks]:
    """Return the busiest links of each kind, about `count` in all, the kind of the busiest first.

    Links of hosts are often busy for the same time, one as the other, and would leave no room for
    those between switches, where messages meet. So every kind has an equal share, and what a kind
    does not fill goes to the busiest of the others.
    """
    kind_of = _kinds(document)
    by_kind: dict[str, list[Mapping[str, Any]]] = {}
    for link in sorted(document["per_link"], key=_busyness):
        by_kind.setdefault(kind_of(link), []).append(link)
    if not by_kind:
        return []
    share = max(1, count // len(by_kind))
    shown = {kind: min(share, len(links)) for kind, links in by_kind.items()}
    rest = sorted((link for links in by_kind.values() for link in links[share:]), key=_busyness)
    for link in rest[: max(0, count - sum(shown.values()))]:
        shown[kind_of(link)] += 1
    return [_busy_links(kind, links, shown[kind]) for kind, links in by_kind.items()]


def busiest_links(document: Mapping[str, Any], count: int) -> list[Mapping[str, Any]]:
    """Return the links of `busiest_by_kind`, one after the other."""
    return [link for group in busiest_by_kind(document, count) for link in group.links]


def busiest_link(document: Mapping[str, Any]) -> tuple[Mapping[str, Any], int] | None:
    """Return the link that was busy longest, and how many others were for exactly as long."""
    links = sorted(document["per_link"], key=_busyness)
    if not links:
        return None
    return links[0], _ties(links, 1)


def busiest_link_name(link: Mapping[str, Any], ties: int) -> str:
    """Name the busiest link, and say how many were as busy."""
    return f"{link['name']} and {ties:,} more" if ties else str(link["name"])


def _busyness(link: Mapping[str, Any]) -> tuple[int, int]:
    return -link["busy_ps"], link["link"]


def _busy_links(kind: str, links: Sequence[Mapping[str, Any]], count: int) -> BusyLinks:
    return BusyLinks(kind, links[:count], _ties(links, count))


def _ties(links: Sequence[Mapping[str, Any]], count: int) -> int:
    last = links[count - 1]["busy_ps"]
    return sum(link["busy_ps"] == last for link in links[count:])


def _kinds(document: Mapping[str, Any]) -> _KindOf:
    platform = dict(flatten(document["configuration"].get("platform", {})))
    if platform.get("topology.kind") != _DRAGONFLY:
        return _KindOf(None)
    return _KindOf(int(platform["topology.switches_per_group"]))


@dataclass(frozen=True)
class _KindOf:
    group_switches: int | None

    def __call__(self, link: Mapping[str, Any]) -> str:
        ends = (str(link["source"]), str(link["target"]))
        if not all(end.startswith(_SWITCH) for end in ends):
            return "host"
        if self.group_switches is None:
            return "switch"
        groups = {int(end.removeprefix(_SWITCH)) // self.group_switches for end in ends}
        return "local" if len(groups) == 1 else "global"
