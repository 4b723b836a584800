"""Links and the paths of hosts over them, as the core's kind `routes` takes them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Lists:
    """Many lists of links, one behind the other.

    Attributes:
        begins: Where each begins in `links`, and the end.
        links: The numbers of links.
    """

    begins: Numbers
    links: Numbers

    def little_endian(self) -> bytes:
        """Return all of it, the same on every computer."""
        return _little_endian(self.begins, self.links)


@dataclass(frozen=True, eq=False)
class Routes:
    """Links, and the paths of hosts: up from a host, between kinds of hosts, down to a host.

    Attributes:
        file: Where all this was read from.
        hosts: The names of hosts in the file; a host's number is its place here.
        switches: How many there are.
        links: Source vertex, target vertex, bit/s and ps of each.
        kinds: The kind of each host.
        up: The links of each host before those between kinds.
        down: The links to each host behind those.
        between: The links of each pair of kinds, ordered by source, then target. A number from
            that of all links on is that of a pipe; the one behind those of pipes, alone, says that
            there is no path.
        pipes: The first link of each pipe: host h takes the one h further.
        warnings: What in the file has no counterpart, with file, line and element.
    """

    file: str
    hosts: tuple[str, ...]
    switches: int
    links: tuple[tuple[int, int, int, int], ...]
    kinds: tuple[int, ...]
    up: Lists
    down: Lists
    between: Lists
    pipes: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()

    def parameters(self, _link: Mapping[str, int]) -> dict[str, Any]:
        """Return the core's parameters."""
        columns = [list(column) for column in zip(*self.links, strict=True)] or [[], [], [], []]
        names = ("sources", "targets", "bandwidth_bps", "latency_ps")
        return {
            "hosts": len(self.hosts),
            "switches": self.switches,
            **dict(zip(names, columns, strict=True)),
            "kinds": list(self.kinds),
            "pipes": list(self.pipes),
            **{
                f"{name}_{part}": getattr(lists, part).tolist()
                for name, lists in (("up", self.up), ("down", self.down), ("path", self.between))
                for part in ("begins", "links")
            },
        }

    def canonical(self) -> dict[str, Any]:
        """Return what can change a result; of the paths, which may be a million, their digest."""
        kinds = _little_endian(np.array(self.kinds), np.array(self.pipes))
        ends = kinds + self.up.little_endian() + self.down.little_endian()
        return {
            "hosts": len(self.hosts),
            "switches": self.switches,
            "links": [list(link) for link in self.links],
            "paths_sha256": hashlib.sha256(self.between.little_endian()).hexdigest(),
            "kinds_sha256": hashlib.sha256(ends).hexdigest(),
        }

    def gaps(self) -> npt.NDArray[np.bool_]:
        """Return of each pair of kinds, kinds x kinds, whether there is no path between them."""
        gap = len(self.links) + len(self.pipes)
        is_gap = np.zeros(len(self.between.begins) - 1, np.bool_)
        # No other list has this number.
        places = np.flatnonzero(self.between.links == gap)
        begins = self.between.begins.astype(np.int64)
        is_gap[np.searchsorted(begins, places, side="right") - 1] = True
        kinds = max(self.kinds) + 1
        return is_gap.reshape(kinds, kinds)

    def unconnected_pairs(self) -> int:
        """Return how many pairs of different hosts have no path from the one to the other."""
        members = Counter(self.kinds)
        return sum(
            members[int(source)] * members[int(target)]
            for source, target in np.argwhere(self.gaps())
        )

    def gap_text(self, source: int, target: int) -> str:
        """Return in words that there is no path from one host, by its number, to another."""
        return f'{self.file} has no route from "{self.hosts[source]}" to "{self.hosts[target]}"'


def _little_endian(*lists: npt.NDArray[Any]) -> bytes:
    return b"".join(numbers.astype("<u8").tobytes() for numbers in lists)
