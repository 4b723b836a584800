"""Platform files of SimGrid: what is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from simgrid_texts import FILES, FULL, ROUTE, TWO_HOSTS, cluster, load, problem_of, zone

from kumihimo.platform import load_platform
from kumihimo.platform.network import build_network
from kumihimo.platform.overview import examine
from kumihimo.simgrid.document import read_routes_file


@pytest.mark.parametrize(
    ("name", "kind", "hosts"),
    [
        ("star", "star", 8),
        ("torus", "torus", 60),
        ("fat_tree", "fat_tree", 16),
        ("backbone", "routes", 5),
        ("dragonfly", "routes", 120),
        ("full", "routes", 3),
        ("grid", "routes", 9),
        ("torus_shared", "routes", 12),
    ],
)
def test_a_platform_becomes_a_topology_that_is_known(name: str, kind: str, hosts: int) -> None:
    platform = load_platform(FILES / f"{name}.xml")
    assert platform["topology.kind"] == kind
    assert build_network(platform).hosts == hosts
    assert platform.name == name


@pytest.mark.parametrize("name", ["star", "torus", "fat_tree"])
def test_a_shape_and_its_routes_give_the_same_times(name: str, tmp_path: Path) -> None:
    (tmp_path / "routes.toml").write_text(
        f'[topology]\nkind = "routes"\nfile = "{FILES / name}.xml"\n[node]\nspeed = "1 Gflop/s"\n'
    )
    shape = build_network(load_platform(FILES / f"{name}.xml"))
    routes = build_network(load_platform(tmp_path / "routes.toml"))
    pairs = [(a, b) for a in range(shape.hosts) for b in range(shape.hosts)]
    for size in (0, 12345):
        assert [routes.zero_load_ps(a, b, size) for a, b in pairs if a != b] == [
            shape.zero_load_ps(a, b, size) for a, b in pairs if a != b
        ]


def test_a_shared_link_is_one_queue_and_a_split_one_is_two() -> None:
    routes = read_routes_file(FILES / "full.xml")
    network = build_network(load_platform(FILES / "full.xml"))
    links = network.links

    def of(rate_bps: int, source: int, target: int) -> list[int]:
        path = network.route(source, target)
        return [link for link in path if links[link]["bandwidth_bps"] == rate_bps]

    assert routes.hosts == ("alpha", "beta", "gamma")
    bus, far = 10**9, 10**10
    assert of(bus, 0, 1) == of(bus, 1, 0) == of(bus, 0, 2) == of(bus, 2, 0) != []
    assert of(far, 0, 2) != of(far, 2, 0)
    assert of(far, 2, 1) == of(far, 2, 0)


def test_a_pipe_is_one_queue_for_each_host_that_sends_over_it() -> None:
    network = build_network(load_platform(FILES / "grid.xml"))
    links = network.links

    def wan(source: int, target: int) -> list[int]:
        path = network.route(source, target)
        return [link for link in path if links[link]["latency_ps"] == 7 * 10**9]

    # Hosts 0 to 4 are in the east, 5 to 7 in the west.
    assert len(wan(0, 5)) == 1
    assert wan(0, 5) == wan(0, 7)
    assert wan(0, 5) != wan(1, 5)


def test_the_rate_between_halves_is_not_told_where_a_medium_is_shared() -> None:
    assert examine(load_platform(FILES / "backbone.xml")).halves_bps == 2 * 10**9
    assert examine(load_platform(FILES / "floyd.xml")).halves_bps is None


def test_keys_come_from_hosts_and_loopbacks() -> None:
    platform = load_platform(FILES / "grid.xml")
    assert platform["node.speed"] == 4 * 10**9
    assert platform["node.ranks"] == 2
    assert platform["loopback.bandwidth"] == 80 * 10**9
    assert platform["loopback.latency"] == 10**6
    assert load_platform(FILES / "floyd.xml")["loopback.latency"] == 15 * 10**6


def test_packets_are_cut_only_where_a_link_lies_between_slower_ones() -> None:
    assert load_platform(FILES / "full.xml")["network.packet_size"] == 0
    assert load_platform(FILES / "backbone.xml")["network.packet_size"] == 256


def test_equal_networks_have_equal_canonical_forms(tmp_path: Path) -> None:
    renamed = FULL.replace("alpha", "A").replace("125MBps", "1Gbps").replace("50us", "0.05ms")
    assert load(tmp_path, renamed).canonical() == load_platform(FILES / "full.xml").canonical()
    slower = FULL.replace("125MBps", "124MBps")
    assert load(tmp_path, slower).canonical() != load_platform(FILES / "full.xml").canonical()
    other_way = FULL.replace('<link_ctn id="slow"/></route>', '<link_ctn id="bus"/></route>', 1)
    assert load(tmp_path, other_way).canonical() != load_platform(FILES / "full.xml").canonical()


def test_older_names_are_read(tmp_path: Path) -> None:
    text = FULL.replace("zone", "AS").replace("SPLITDUPLEX", "FULLDUPLEX")
    text = text.replace('version="4.1"', 'version="4"')
    assert load(tmp_path, text).canonical() == load_platform(FILES / "full.xml").canonical()


def test_a_bypass_replaces_a_route(tmp_path: Path) -> None:
    bypass = '<link id="m" bandwidth="1Gbps" latency="9us"/>' + ROUTE
    bypass += '<bypassRoute src="a" dst="b"><link_ctn id="m"/></bypassRoute>'
    network = build_network(load(tmp_path, zone("Full", TWO_HOSTS + bypass)))
    assert network.zero_load_ps(0, 1, 0) == 9 * 10**6
    assert network.zero_load_ps(1, 0, 0) == 10**6


def test_a_large_star_has_paths_by_formula(tmp_path: Path) -> None:
    network = build_network(load(tmp_path, cluster("", "0-65535")))
    assert network.hosts == 65536
    assert network.switches == 1
    assert network.zero_load_ps(3, 65535, 1000) == 2 * 10**6 + 10**6


def test_zones_under_vivaldi_are_as_far_as_their_routers(tmp_path: Path) -> None:
    inside = "".join(
        f'<zone id="{name}" routing="Full"><host id="host_{name}" speed="1Gf"/>'
        f'<router id="router_{name}" coordinates="{place}"/>'
        f'<link id="link_{name}" bandwidth="1GBps" latency="1us"/>'
        f'<route src="host_{name}" dst="router_{name}"><link_ctn id="link_{name}"/></route></zone>'
        for name, place in (("near", "0 0 1"), ("far", "3 4 2"))
    )
    network = build_network(load(tmp_path, zone("Vivaldi", inside)))
    # 1 µs on both sides, and 5 ms in the plane, and heights of 1 ms and 2 ms.
    assert network.zero_load_ps(0, 1, 0) == 2 * 10**6 + 8 * 10**9
    nameless = inside.replace('"router_far"', '"gate_far"').replace('dst="router_far"', "")
    assert problem_of(tmp_path, zone("Vivaldi", nameless.replace(" >", ' dst="gate_far">'))) == (
        'platform.xml:2: <zone id="z">: "router_far" has no coordinates, as whatever is connected '
        "here must"
    )
