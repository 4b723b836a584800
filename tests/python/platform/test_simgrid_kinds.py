"""Platform files of SimGrid with many hosts: hosts that are alike share their paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from simgrid_texts import FILES, cluster, load, zone

from kumihimo.platform import load_platform
from kumihimo.platform.machine import Machine, build_machine
from kumihimo.platform.simgrid import read_routes_file, routes


def machine_of(file: Path, folder: Path) -> Machine:
    """The machine with a path for each pair, or each pair of kinds, whatever else is known."""
    (folder / "routes.toml").write_text(
        f'[topology]\nkind = "routes"\nfile = "{file}"\n[node]\nspeed = "1 Gflop/s"\n'
    )
    return build_machine(load_platform(folder / "routes.toml"))


def paths_of(machine: Machine) -> list[list[tuple[int, int]]]:
    """What a message meets between every two hosts: rates and latencies that take time."""
    links = machine.links
    ends = range(machine.hosts)
    return [
        [
            (links[link]["bandwidth_bps"], links[link]["latency_ps"])
            for link in machine.route(source, target)
            if (links[link]["bandwidth_bps"], links[link]["latency_ps"]) != (10**15, 0)
        ]
        for source in ends
        for target in ends
    ]


def sharing_of(machine: Machine) -> list[tuple[int, ...]]:
    """For each two paths from the first and the last host, how many links they share."""
    paths = [
        set(machine.route(source, target))
        for source in (0, machine.hosts - 1)
        for target in range(machine.hosts)
    ]
    return [tuple(len(one & other) for other in paths) for one in paths]


@pytest.mark.parametrize("file", sorted(FILES.glob("*.xml")), ids=lambda file: file.stem)
def test_paths_are_the_same_with_and_without_kinds(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    each = machine_of(file, tmp_path)
    monkeypatch.setattr(routes, "MOST_KINDS", 0)
    kinds = machine_of(file, tmp_path)
    assert paths_of(kinds) == paths_of(each)
    assert sharing_of(kinds) == sharing_of(each)


@pytest.mark.parametrize(
    ("name", "kinds"), [("backbone", 1), ("dragonfly", 60), ("star", 1), ("grid", 3), ("full", 3)]
)
def test_hosts_of_clusters_are_alike(
    name: str, kinds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "MOST_KINDS", 0)
    monkeypatch.setattr("kumihimo.platform.simgrid.ways.MOST_KINDS", 2048)
    assert max(read_routes_file(FILES / f"{name}.xml").kinds) + 1 == kinds


def test_a_cluster_with_a_backbone_may_be_large(tmp_path: Path) -> None:
    backbone = 'bb_bw="100GBps" bb_lat="3us" limiter_link="2GBps"'
    machine = build_machine(load(tmp_path, cluster(backbone, "0-19999")))
    assert machine.hosts == 20_000
    one, other = machine.route(7, 19_999), machine.route(19_998, 7)
    # Up, the backbone and down, with a limiter at both ends; accesses of hosts take no time.
    assert machine.zero_load_ps(7, 19_999, 0) == (1 + 3 + 1) * 10**6
    assert len(set(one) & set(other)) == 2
    assert {machine.links[link]["bandwidth_bps"] for link in set(one) & set(other)} == {
        8 * 10**11,
        16 * 10**9,
    }


def test_a_backbone_that_is_a_pipe_is_one_queue_for_each_host(tmp_path: Path) -> None:
    pipe = 'bb_bw="100GBps" bb_lat="3us" bb_sharing_policy="FATPIPE"'
    machine = build_machine(load(tmp_path, cluster(pipe, "0-2999")))
    links = machine.links

    def backbone(source: int, target: int) -> list[int]:
        return [
            link for link in machine.route(source, target) if links[link]["latency_ps"] == 3 * 10**6
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
    machine = build_machine(load(tmp_path, zone("Full", inside)))
    assert machine.hosts == 4000
    assert machine.zero_load_ps(0, 1999, 0) == 2 * 10**6
    assert machine.zero_load_ps(1999, 2000, 0) == (1 + 50 + 2) * 10**6
    assert machine.zero_load_ps(3999, 2000, 0) == 4 * 10**6
