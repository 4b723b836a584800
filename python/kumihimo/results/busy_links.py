"""Which links were busiest, some of every kind that the network has."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from kumihimo.results.configuration import flatten

_SWITCH = "switch"
_DRAGONFLY = "dragonfly"
_BUSY = itemgetter("busy_ps")


@dataclass(frozen=True)
class BusyLinks:
    """The busiest links of one kind.

    Attributes:
        kind: "host", at a host; "switch", between switches; of a dragonfly "local" and "global",
            within and between its groups, instead.
        links: Rows of "per_link", busiest first, ties in the order of the network.
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
    by_kind = _by_kind(document)
    if not by_kind:
        return []
    # No more than these are shown, even of one kind alone; a network may have many more.
    busiest = {kind: heapq.nlargest(count, links, _BUSY) for kind, links in by_kind.items()}
    kinds = sorted(busiest, key=lambda kind: _order(busiest[kind][0]))
    share = max(1, count // len(kinds))
    shown = {kind: min(share, len(busiest[kind])) for kind in kinds}
    rest = ((_order(link), kind) for kind in kinds for link in busiest[kind][share:])
    for _, kind in sorted(rest)[: max(0, count - sum(shown.values()))]:
        shown[kind] += 1
    return [_busy_links(kind, by_kind[kind], busiest[kind][: shown[kind]]) for kind in kinds]


def busiest_links(document: Mapping[str, Any], count: int) -> list[Mapping[str, Any]]:
    """Return the links of `busiest_by_kind`, one after the other."""
    return [link for group in busiest_by_kind(document, count) for link in group.links]


def busiest_link(document: Mapping[str, Any]) -> tuple[Mapping[str, Any], int] | None:
    """Return the link that was busy longest, and how many others were for exactly as long."""
    busiest = max(document["per_link"], key=_BUSY, default=None)
    return None if busiest is None else (busiest, _ties(document["per_link"], [busiest]))


def busiest_link_name(link: Mapping[str, Any], ties: int) -> str:
    """Name the busiest link, and say how many were as busy."""
    return f"{link['name']} and {ties:,} more" if ties else str(link["name"])


def _order(link: Mapping[str, Any]) -> tuple[int, int]:
    return -link["busy_ps"], link["link"]


def _busy_links(
    kind: str, links: Sequence[Mapping[str, Any]], shown: Sequence[Mapping[str, Any]]
) -> BusyLinks:
    return BusyLinks(kind, shown, _ties(links, shown))


def _ties(links: Sequence[Mapping[str, Any]], shown: Sequence[Mapping[str, Any]]) -> int:
    """Count the links that were busy as long as the last of those shown, and are not."""
    last = shown[-1]["busy_ps"]
    return _count(links, last) - _count(shown, last)


def _count(links: Sequence[Mapping[str, Any]], busy_ps: int) -> int:
    return [link["busy_ps"] for link in links].count(busy_ps)


def _by_kind(document: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the links of each kind that there is, in their order in the document."""
    by_kind: dict[str, list[Mapping[str, Any]]] = {"host": [], "switch": []}
    # Without a call for each link: large networks have very many.
    for link in document["per_link"]:
        is_inner = link["source"].startswith(_SWITCH) and link["target"].startswith(_SWITCH)
        by_kind["switch" if is_inner else "host"].append(link)
    platform = dict(flatten(document["configuration"].get("platform", {})))
    if platform.get("topology.kind") == _DRAGONFLY:
        group_switches = int(platform["topology.switches_per_group"])
        inner = by_kind.pop("switch")
        by_kind["local"] = [link for link in inner if _is_local(link, group_switches)]
        by_kind["global"] = [link for link in inner if not _is_local(link, group_switches)]
    return {kind: links for kind, links in by_kind.items() if links}


def _is_local(link: Mapping[str, Any], group_switches: int) -> bool:
    """Whether both switches are of one group of a dragonfly."""
    ends = (link["source"], link["target"])
    first, second = (int(end.removeprefix(_SWITCH)) // group_switches for end in ends)
    return first == second
