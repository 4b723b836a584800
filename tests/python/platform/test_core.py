"""The compiled core takes what platform files give, and builds the network they describe."""

import importlib
from collections.abc import Sequence
from typing import Any

import pytest
from network_double import NetworkDouble
from platform_texts import PLATFORMS, small

from kumihimo.platform import Platform, load_platform
from kumihimo.platform.network import Link, build_network
from kumihimo.platform.schema.topologies import KINDS

PLATFORMS_TO_BUILD = [
    *(
        platform
        for platform in map(load_platform, sorted(PLATFORMS.glob("*.toml")))
        if platform["topology.kind"] in NetworkDouble.KINDS
    ),
    small("star", hosts=1),
    small("fully_connected", hosts=5),
    small("tree", leaves=3, hosts_per_leaf=2, spines=2),
    small("tree", leaves=1, hosts_per_leaf=3, spines=1),
]


def name_of(platform: Platform) -> str:
    """Name and kind of a platform, for the test's name."""
    return f"{platform.name}-{platform['topology.kind']}"


def test_the_core_knows_the_kinds_of_the_table() -> None:
    core: Any = importlib.import_module("kumihimo._core")
    assert set(core.topology_kinds()) == {kind.name for kind in KINDS}


def ends(links: Sequence[Link]) -> list[tuple[str, str, int, int]]:
    """What a network's links connect, and how; sorted."""
    return sorted(
        (link["source"], link["target"], link["bandwidth_bps"], link["latency_ps"])
        for link in links
    )


@pytest.mark.parametrize("platform", PLATFORMS_TO_BUILD, ids=name_of)
def test_the_network_has_the_links_of_the_second_description(platform: Platform) -> None:
    network, double = build_network(platform), NetworkDouble(platform.network_spec())
    assert (network.hosts, network.switches) == (double.hosts, double.switches)
    assert ends(network.links) == ends(double.links)


@pytest.mark.parametrize("platform", PLATFORMS_TO_BUILD, ids=name_of)
def test_paths_and_times_are_those_of_the_second_description(platform: Platform) -> None:
    network, double = build_network(platform), NetworkDouble(platform.network_spec())
    links, links_of_double = network.links, double.links
    pairs = [(0, target) for target in range(1, network.hosts, max(1, network.hosts // 16))]
    pairs += [(target, 0) for _, target in pairs]
    for source, target in pairs:
        path = [links[index]["target"] for index in network.route(source, target)]
        assert path == [links_of_double[index]["target"] for index in double.route(source, target)]
        for size_bytes in (0, 1, 1024):
            assert network.zero_load_ps(source, target, size_bytes) == double.zero_load_ps(
                source, target, size_bytes
            )
