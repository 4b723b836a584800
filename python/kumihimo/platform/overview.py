"""The resolved platform as text for people and as JSON for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kumihimo.platform.model import Platform
from kumihimo.platform.network import (
    Network,
    Pair,
    build_network,
    extreme_pairs,
    halves_bandwidth_bps,
)
from kumihimo.problems import PlatformError
from kumihimo.units import DURATION, RATE

# In vertices; longer ones are printed by their ends.
_LONGEST_PATH = 7


@dataclass(frozen=True)
class Overview:
    """A platform, the network made from it, and what was found out about that.

    Attributes:
        platform: The keys.
        network: The network.
        pairs: The nearest and the farthest two hosts; None if no two are connected.
        halves_bps: Rate from the lower half of the hosts to the upper; None if not known.
    """

    platform: Platform
    network: Network
    pairs: tuple[Pair, Pair] | None
    halves_bps: int | None

    @property
    def ranks(self) -> int:
        """How many ranks the platform has room for."""
        return self.network.hosts * int(self.platform["node.ranks"])


def examine(platform: Platform) -> Overview:
    """Build the network of a platform and find out what the overview says about it.

    Raises:
        PlatformError: If the simulator's core refuses the network, or finds no path in it.
        UserError: If ranks are put on hosts that it does not have.
    """
    network = build_network(platform)
    try:
        pairs = extreme_pairs(network)
    except ValueError as error:
        raise PlatformError(f"{platform.file}: {error}") from error
    return Overview(platform, network, pairs, halves_bandwidth_bps(network))


def as_json(overview: Overview) -> dict[str, Any]:
    """Return everything in plain values; integers are in the unit that the name ends with."""
    platform, network = overview.platform, overview.network
    return {
        "name": platform.name,
        "file": platform.file,
        "keys": {
            path: {
                "value": setting.value,
                "text": setting.text,
                "is_default": setting.is_default,
            }
            for path, setting in platform.settings.items()
        },
        "network": {
            "hosts": network.hosts,
            "ranks": overview.ranks,
            "switches": network.switches,
            "links": network.link_count,
            "virtual_channels": network.virtual_channels,
            "unconnected_pairs": platform.unconnected_pairs(),
            "halves_bandwidth_bps": overview.halves_bps,
            "nearest": _pair_as_json(overview.pairs and overview.pairs[0]),
            "farthest": _pair_as_json(overview.pairs and overview.pairs[1]),
        },
    }


def _pair_as_json(pair: Pair | None) -> dict[str, Any] | None:
    if pair is None:
        return None
    return {
        "path": list(pair.vertices),
        "zero_load_0_bytes_ps": pair.empty_ps,
        "zero_load_1024_bytes_ps": pair.kib_ps,
    }


def key_lines(platform: Platform) -> list[tuple[str, str, bool]]:
    """Return path, value and whether it is a default of every key that has something to say."""
    return [
        (path, setting.text, setting.is_default)
        for path, setting in platform.settings.items()
        if setting.value != ""
    ]


def network_lines(overview: Overview) -> list[tuple[str, str]]:
    """Return the totals of the network, as names with values."""
    network = overview.network
    per_host = int(overview.platform["node.ranks"])
    lines = [
        ("hosts", str(network.hosts)),
        ("ranks", f"{overview.ranks} ({per_host} on each host)"),
        ("switches", str(network.switches)),
        ("links", f"{network.link_count}, each in one direction"),
    ]
    if network.virtual_channels > 0:
        lines.append(("channels", f"{network.virtual_channels} on each link"))
    if overview.halves_bps is not None:
        half = network.hosts // 2
        ends = f"{_range(0, half)} to {_range(half, network.hosts)}"
        lines.append(("half to half", f"{RATE.format(overview.halves_bps)} from {ends}"))
    unconnected = overview.platform.unconnected_pairs()
    if unconnected > 0:
        pairs = network.hosts * (network.hosts - 1)
        lines.append(("without route", f"{unconnected} of {pairs} pairs of hosts"))
    if overview.pairs is not None:
        nearest, farthest = overview.pairs
        if nearest.empty_ps == farthest.empty_ps:
            lines.append(("any two hosts", _pair_text(nearest)))
        else:
            lines.append(("nearest hosts", _pair_text(nearest)))
            lines.append(("farthest hosts", _pair_text(farthest)))
    return lines


def _range(first: int, end: int) -> str:
    return f"host{first}" if end - first == 1 else f"host{first}\u2026{end - 1}"


def _pair_text(pair: Pair) -> str:
    return (
        f"0 B in {DURATION.format(pair.empty_ps)}, 1 KiB in {DURATION.format(pair.kib_ps)} "
        f"({_path_text(pair.vertices)})"
    )


def _path_text(vertices: tuple[str, ...]) -> str:
    """Return a path; of a long one both ends and its length."""
    if len(vertices) <= _LONGEST_PATH:
        return " > ".join(vertices)
    ends = " > ".join((*vertices[:2], "…", *vertices[-2:]))
    return f"{ends}: {len(vertices) - 1} links"
