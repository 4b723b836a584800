"""Platform files of SimGrid with many hosts: hosts that are alike share their paths."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from simgrid_texts import FILES, cluster, load, zone

from kumihimo.platform import load_platform
from kumihimo.platform.network import build_network
from kumihimo.simgrid.document import read_routes_file
from kumihimo.simgrid.elements import Reading
from kumihimo.simgrid.paths import path
from kumihimo.simgrid.reader import read_scene
from kumihimo.simgrid.report import Report
from kumihimo.simgrid.xml import parse_xml

Way = list[tuple[object, int, int]]


def ways_in_file(file: Path) -> list[list[Way]]:
    """What the file says of each two hosts: what a message queues for, rates and latencies."""
    scene = read_scene(parse_xml(file.read_bytes(), str(file)), Reading(Report(str(file))))

    def way(source: str, target: str) -> Way:
        links = [(name, scene.links[name]) for name in path(scene, source, target) or ()]
        return [
            # Of a pipe each host has its own.
            ((name, source) if link.is_fatpipe else name, link.bandwidth_bps, link.latency_ps)
            for name, link in links
        ]

    return [[way(source, target) for target in scene.hosts] for source in scene.hosts]


def ways_in_network(file: Path, folder: Path) -> list[list[Way]]:
    """The same of the platform that is made of the file, whatever else is known of its shape."""
    (folder / "routes.toml").write_text(
        f'[topology]\nkind = "routes"\nfile = "{file}"\n[node]\nspeed = "1 Gflop/s"\n'
    )
    network = build_network(load_platform(folder / "routes.toml"))
    links = network.links

    def way(source: int, target: int) -> Way:
        way = [
            (link, links[link]["bandwidth_bps"], links[link]["latency_ps"])
            for link in network.route(source, target)
        ]
        # Not what only connects hosts, and takes no time.
        return [link for link in way if link[1:] != (10**15, 0)]

    hosts = range(network.hosts)
    return [[way(source, target) for target in hosts] for source in hosts]


def sharing_of(ways: list[list[Way]]) -> list[list[int]]:
    """For each two ways from the first and the last host, how much they share."""
    queues = [{name for name, _, _ in way} for row in (ways[0], ways[-1]) for way in row]
    return [[len(one & other) for other in queues] for one in queues]


@pytest.mark.parametrize("file", sorted(FILES.glob("*.xml")), ids=lambda file: file.stem)
def test_paths_are_those_of_the_file(file: Path, tmp_path: Path) -> None:
    expected, found = ways_in_file(file), ways_in_network(file, tmp_path)
    assert [[[link[1:] for link in way] for way in row] for row in found] == [
        [[link[1:] for link in way if link[1:] != (10**15, 0)] for way in row] for row in expected
    ]
    assert sharing_of(found) == sharing_of(expected)


@pytest.mark.parametrize(
    ("name", "kinds"), [("backbone", 1), ("dragonfly", 60), ("star", 1), ("grid", 3), ("full", 3)]
)
def test_hosts_of_clusters_are_alike(name: str, kinds: int) -> None:
    assert max(read_routes_file(FILES / f"{name}.xml").kinds) + 1 == kinds


def test_a_cluster_with_a_backbone_may_be_large(tmp_path: Path) -> None:
    backbone = 'bb_bw="100GBps" bb_lat="3us" limiter_link="2GBps"'
    network = build_network(load(tmp_path, cluster(backbone, "0-19999")))
    assert network.hosts == 20_000
    one, other = network.route(7, 19_999), network.route(19_998, 7)
    # Up, the backbone and down, with a limiter at both ends; accesses of hosts take no time.
    assert network.zero_load_ps(7, 19_999, 0) == (1 + 3 + 1) * 10**6
    assert len(set(one) & set(other)) == 2
    assert {network.links[link]["bandwidth_bps"] for link in set(one) & set(other)} == {
        8 * 10**11,
        16 * 10**9,
    }


def test_a_backbone_that_is_a_pipe_is_one_queue_for_each_host(tmp_path: Path) -> None:
    pipe = 'bb_bw="100GBps" bb_lat="3us" bb_sharing_policy="FATPIPE"'
    network = build_network(load(tmp_path, cluster(pipe, "0-2999")))
    links = network.links

    def backbone(source: int, target: int) -> list[int]:
        return [
            link for link in network.route(source, target) if links[link]["latency_ps"] == 3 * 10**6
        ]

    assert len(backbone(5, 2999)) == 1
    assert backbone(5, 2999) == backbone(5, 1)
    assert backbone(5, 2999) != backbone(6, 2999)


def test_clusters_under_one_zone_may_be_large(tmp_path: Path) -> None:
    inside = "".join(
        f'<cluster id="{name}" prefix="{name}" suffix="" radical="0-1999" speed="1Gf" bw="1GBps" '
        f'lat="{latency}us" router_id="{name}_gate"/>'
        for name, latency in (("a", 1), ("b", 2))
    )
    inside += (
        '<link id="wan" bandwidth="10GBps" latency="50us"/>'
        '<zoneRoute src="a" dst="b" gw_src="a_gate" gw_dst="b_gate"><link_ctn id="wan"/>'
        "</zoneRoute>"
    )
    network = build_network(load(tmp_path, zone("Full", inside)))
    assert network.hosts == 4000
    assert network.zero_load_ps(0, 1999, 0) == 2 * 10**6
    assert network.zero_load_ps(1999, 2000, 0) == (1 + 50 + 2) * 10**6
    assert network.zero_load_ps(3999, 2000, 0) == 4 * 10**6


def test_a_terminal_shows_how_far_one_is_with_many_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = io.StringIO(), io.StringIO()
    for stream, count in ((few, 511), (many, 512)):
        monkeypatch.setattr(stream, "isatty", lambda: True)
        monkeypatch.setattr("sys.stderr", stream)
        hosts = "".join(f'<host id="h{number}" speed="1Gf"/>' for number in range(count))
        load(tmp_path, zone("None", hosts))
    assert few.getvalue() == ""
    assert "finding paths between hosts" in many.getvalue()
