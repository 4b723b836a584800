"""A stand-in for the network of the compiled core: links and paths, written a second time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from kumihimo.platform.network import Link


class NetworkDouble:
    """Star, fully connected network and tree, built from what `Platform.network_spec()` says."""

    KINDS = frozenset({"star", "fully_connected", "tree"})

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec
        self._links: list[Link] = []
        counts = spec["parameters"]
        if spec["topology"] == "tree":
            self.hosts = counts["leaves"] * counts["hosts_per_leaf"]
            self.switches = counts["leaves"] + counts["spines"]
        else:
            self.hosts = counts["hosts"]
            self.switches = 1 if spec["topology"] == "star" else 0
        makers = {"star": self._star, "fully_connected": self._fully_connected, "tree": self._tree}
        makers[spec["topology"]]()
        self._index = {
            (link["source"], link["target"]): index for index, link in enumerate(self._links)
        }

    @property
    def links(self) -> Sequence[Link]:
        return self._links

    @property
    def link_count(self) -> int:
        return len(self._links)

    @property
    def virtual_channels(self) -> int:
        return 0

    def route(self, source: int, target: int) -> Sequence[int]:
        path = self._vertices(source, target)
        return [self._index[step] for step in itertools.pairwise(path)]

    def zero_load_ps(self, source: int, target: int, size_bytes: int) -> int:
        """A message in one packet; the slowest link serialises, no faster link waits."""
        path = [self._links[index] for index in self.route(source, target)]
        bits = 8 * (size_bytes + self._spec["packet_header_bytes"])
        slowest = min(link["bandwidth_bps"] for link in path)
        latency = sum(link["latency_ps"] for link in path)
        hops = (len(path) - 1) * self._spec["switch_latency_ps"]
        return int(latency + hops + -(-bits * 10**12 // slowest))

    def _vertices(self, source: int, target: int) -> list[str]:
        ends = f"host{source}", f"host{target}"
        if self._spec["topology"] == "fully_connected":
            return [*ends]
        if self._spec["topology"] == "star":
            return [ends[0], "switch0", ends[1]]
        counts = self._spec["parameters"]
        first, last = source // counts["hosts_per_leaf"], target // counts["hosts_per_leaf"]
        if first == last:
            return [ends[0], f"switch{first}", ends[1]]
        spine = counts["leaves"] + target % counts["spines"]
        return [ends[0], f"switch{first}", f"switch{spine}", f"switch{last}", ends[1]]

    def _connect(self, one: str, other: str, kind: str = "host_link") -> None:
        values = self._spec[kind]
        for source, target in ((one, other), (other, one)):
            self._links.append(
                Link(
                    name=f"{source}->{target}",
                    source=source,
                    target=target,
                    bandwidth_bps=values["bandwidth_bps"],
                    latency_ps=values["latency_ps"],
                )
            )

    def _star(self) -> None:
        for host in range(self.hosts):
            self._connect(f"host{host}", "switch0")

    def _fully_connected(self) -> None:
        for lower in range(self.hosts):
            for upper in range(lower + 1, self.hosts):
                self._connect(f"host{lower}", f"host{upper}")

    def _tree(self) -> None:
        counts = self._spec["parameters"]
        for host in range(self.hosts):
            self._connect(f"host{host}", f"switch{host // counts['hosts_per_leaf']}")
        for leaf in range(counts["leaves"]):
            for spine in range(counts["spines"]):
                self._connect(f"switch{leaf}", f"switch{counts['leaves'] + spine}", "switch_link")
