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


class Machine(Protocol):
    """What is used of `kumihimo._core.Machine`."""

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


def build_machine(platform: Platform) -> Machine:
    """Return the network that the platform describes.

    Raises:
        PlatformError: If the core refuses it.
        UserError: If ranks are put on hosts that it does not have.
    """
    # Imported late: reading and checking files works without the compiled core.
    core = importlib.import_module("kumihimo._core")
    try:
        machine = cast(Machine, core.Machine(platform.machine_spec()))
    except ValueError as error:
        raise PlatformError(f"{platform.file}: {error}") from error
    for attached in platform.attached.values():
        if isinstance(attached, HostList):
            attached.check(machine.hosts)
    return machine


def extreme_pairs(machine: Machine) -> tuple[Pair, Pair] | None:
    """Return the nearest and the farthest two hosts by the time of an empty message.

    Among equals the first pair counts. In networks of more than 64 hosts only pairs with host 0 are
    looked at. Returns None if no two of these are connected, or for more than 200,000 links.
    """
    if machine.link_count > _MOST_LINKS_FOR_PAIRS:
        return None
    all_pairs = machine.hosts <= _MOST_HOSTS_FOR_ALL_PAIRS
    times = {
        (source, target): machine.zero_load_ps(source, target, 0)
        for source in range(machine.hosts if all_pairs else 1)
        for target in range(machine.hosts)
        if source != target and machine.route(source, target)
    }
    if not times:
        return None
    nearest = min(times, key=lambda pair: times[pair])
    farthest = max(times, key=lambda pair: times[pair])
    links = machine.links
    return _pair(machine, links, *nearest), _pair(machine, links, *farthest)


def halves_bandwidth_bps(machine: Machine) -> int | None:
    """Return the rate at which the lower half of the hosts can send to the upper half.

    It is the largest flow from the hosts 0..n/2-1 to the others over all paths, not only those
    that routing takes. None for a machine of one host, of more than 200,000 links, or with a link
    from a switch to itself: what passes that switch need not pass the link.
    """
    if machine.hosts < 2 or machine.link_count > _MOST_LINKS_FOR_FLOW:
        return None
    links = machine.links
    if any(link["source"] == link["target"] for link in links):
        return None
    vertices: dict[str, int] = {f"host{host}": host for host in range(machine.hosts)}
    arcs = []
    for link in links:
        source = vertices.setdefault(link["source"], len(vertices))
        target = vertices.setdefault(link["target"], len(vertices))
        arcs.append((source, target, link["bandwidth_bps"]))
    half = machine.hosts // 2
    return max_flow(len(vertices), arcs, range(half), range(half, machine.hosts))


def _pair(machine: Machine, links: Sequence[Link], source: int, target: int) -> Pair:
    path = [links[index] for index in machine.route(source, target)]
    return Pair(
        source,
        target,
        (f"host{source}", *(link["target"] for link in path)),
        machine.zero_load_ps(source, target, 0),
        machine.zero_load_ps(source, target, 1024),
    )
