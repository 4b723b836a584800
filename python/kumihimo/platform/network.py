"""The network of a platform as the simulator's core builds it, and what can be said of it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypedDict, cast

from kumihimo.platform.max_flow import max_flow
from kumihimo.platform.model import Platform
from kumihimo.platform.schema.host_list import HostList
from kumihimo.problems import PlatformError

# Beyond these sizes the questions about all pairs, or all links, would take seconds.
_MOST_HOSTS_FOR_ALL_PAIRS = 64
_MOST_LINKS_FOR_FLOW = 200_000
_MOST_LINKS_FOR_PAIRS = 200_000


class Link(TypedDict):
    """One directed link; vertices are named "host0" or "switch0"."""

    name: str
    source: str
    target: str
    bandwidth_bps: int
    latency_ps: int


class Network(Protocol):
    """What is used of `kumihimo._core.Network`."""

    @property
    def hosts(self) -> int:
        """How many hosts there are."""

    @property
    def switches(self) -> int:
        """How many switches there are."""

    @property
    def link_count(self) -> int:
        """How many directed links there are."""

    @property
    def virtual_channels(self) -> int:
        """How many virtual channels each link has; 0 if its buffers have no limit."""

    @property
    def links(self) -> Sequence[Link]:
        """All directed links."""

    def route(self, source: int, target: int) -> Sequence[int]:
        """Return the indices of the links between two hosts, in order; none if not connected."""

    def noisy_hops(self, source: int, target: int) -> Sequence[Mapping[str, Any]]:
        """Return the links of the path that corrupt bits, in order."""

    def zero_load_ps(self, source: int, target: int, size_bytes: int) -> int:
        """Return the time of a message through the empty network."""


@dataclass(frozen=True)
class Pair:
    """Two hosts and the way between them.

    Attributes:
        source: Number of the host that sends.
        target: Number of the host that receives.
        vertices: Names along the path, both hosts included.
        empty_ps: Time of a message without data through the empty network.
        kib_ps: Time of a message of 1 KiB through the empty network.
    """

    source: int
    target: int
    vertices: tuple[str, ...]
    empty_ps: int
    kib_ps: int


def build_network(platform: Platform) -> Network:
    """Return the network that the platform describes.

    Raises:
        PlatformError: If the core refuses it.
        UserError: If ranks are put on hosts that it does not have.
    """
    # Imported late: reading and checking files works without the compiled core.
    core = importlib.import_module("kumihimo._core")
    try:
        network = cast(Network, core.Network(platform.network_spec()))
    except ValueError as error:
        raise PlatformError(f"{platform.file}: {error}") from error
    for attached in platform.attached.values():
        if isinstance(attached, HostList):
            attached.check(network.hosts)
    return network


def extreme_pairs(network: Network) -> tuple[Pair, Pair] | None:
    """Return the nearest and the farthest two hosts by the time of an empty message.

    Among equals the first pair counts. In networks of more than 64 hosts only pairs with host 0 are
    looked at. Returns None if no two of these are connected, or for more than 200,000 links.
    """
    if network.link_count > _MOST_LINKS_FOR_PAIRS:
        return None
    all_pairs = network.hosts <= _MOST_HOSTS_FOR_ALL_PAIRS
    times = {
        (source, target): network.zero_load_ps(source, target, 0)
        for source in range(network.hosts if all_pairs else 1)
        for target in range(network.hosts)
        if source != target and network.route(source, target)
    }
    if not times:
        return None
    nearest = min(times, key=lambda pair: times[pair])
    farthest = max(times, key=lambda pair: times[pair])
    links = network.links
    return _pair(network, links, *nearest), _pair(network, links, *farthest)


def halves_bandwidth_bps(network: Network) -> int | None:
    """Return the rate at which the lower half of the hosts can send to the upper half.

    It is the largest flow from the hosts 0..n/2-1 to the others over all paths, not only those
    that routing takes. None for a network of one host, of more than 200,000 links, or with a link
    from a switch to itself: what passes that switch need not pass the link.
    """
    if network.hosts < 2 or network.link_count > _MOST_LINKS_FOR_FLOW:
        return None
    links = network.links
    if any(link["source"] == link["target"] for link in links):
        return None
    vertices: dict[str, int] = {f"host{host}": host for host in range(network.hosts)}
    arcs = []
    for link in links:
        source = vertices.setdefault(link["source"], len(vertices))
        target = vertices.setdefault(link["target"], len(vertices))
        arcs.append((source, target, link["bandwidth_bps"]))
    half = network.hosts // 2
    return max_flow(len(vertices), arcs, range(half), range(half, network.hosts))


def _pair(network: Network, links: Sequence[Link], source: int, target: int) -> Pair:
    path = [links[index] for index in network.route(source, target)]
    return Pair(
        source,
        target,
        (f"host{source}", *(link["target"] for link in path)),
        network.zero_load_ps(source, target, 0),
        network.zero_load_ps(source, target, 1024),
    )
