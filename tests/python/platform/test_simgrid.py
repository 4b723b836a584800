"""Platform files of SimGrid: what is read, what is warned of, and what is said about wrong ones."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumihimo.platform import Platform, PlatformError, load_platform
from kumihimo.platform.machine import build_machine
from kumihimo.platform.overview import examine
from kumihimo.platform.simgrid import read_routes_file, read_simgrid

FILES = Path(__file__).parent / "simgrid"
FULL = (FILES / "full.xml").read_text()


def in_platform(inside: str) -> str:
    """A file with these elements, which begin in its second line."""
    return f'<platform version="4.1">\n{inside}\n</platform>\n'


def cluster(attributes: str, radical: str = "0-3") -> str:
    return in_platform(
        f'<cluster id="c" prefix="n" suffix="" radical="{radical}" speed="1Gf" bw="1GBps" lat="1us"'
        f" {attributes}/>"
    )


def zone(routing: str, inside: str) -> str:
    return in_platform(f'<zone id="z" routing="{routing}">\n{inside}\n</zone>')


TWO_HOSTS = """\
<host id="a" speed="1Gf"/>
<host id="b" speed="1Gf"/>
<link id="l" bandwidth="1Gbps" latency="1us"/>
"""
ROUTE = '<route src="a" dst="b"><link_ctn id="l"/></route>'


def load(folder: Path, text: str) -> Platform:
    file = folder / "machine.xml"
    file.write_text(text)
    return load_platform(file)


def problem_of(folder: Path, text: str) -> str:
    """The one problem that a file has, without its place's folder."""
    with pytest.raises(PlatformError) as error:
        load(folder, text)
    assert len(error.value.problems) == 1, error.value.message
    return error.value.message.split("\n")[1].removeprefix(f"{folder}/")


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
    assert build_machine(platform).hosts == hosts
    assert platform.name == name


@pytest.mark.parametrize("name", ["star", "torus", "fat_tree"])
def test_a_shape_and_its_routes_give_the_same_times(name: str, tmp_path: Path) -> None:
    (tmp_path / "routes.toml").write_text(
        f'[topology]\nkind = "routes"\nfile = "{FILES / name}.xml"\n[node]\nspeed = "1 Gflop/s"\n'
    )
    shape = build_machine(load_platform(FILES / f"{name}.xml"))
    routes = build_machine(load_platform(tmp_path / "routes.toml"))
    pairs = [(a, b) for a in range(shape.hosts) for b in range(shape.hosts)]
    for size in (0, 12345):
        assert [routes.zero_load_ps(a, b, size) for a, b in pairs if a != b] == [
            shape.zero_load_ps(a, b, size) for a, b in pairs if a != b
        ]


def test_a_shared_link_is_one_queue_and_a_split_one_is_two() -> None:
    routes = read_routes_file(FILES / "full.xml")
    machine = build_machine(load_platform(FILES / "full.xml"))
    links = machine.links

    def of(rate_bps: int, source: int, target: int) -> list[int]:
        path = machine.route(source, target)
        return [link for link in path if links[link]["bandwidth_bps"] == rate_bps]

    assert routes.hosts == ("alpha", "beta", "gamma")
    bus, far = 10**9, 10**10
    assert of(bus, 0, 1) == of(bus, 1, 0) == of(bus, 0, 2) == of(bus, 2, 0) != []
    assert of(far, 0, 2) != of(far, 2, 0)
    assert of(far, 2, 1) == of(far, 2, 0)


def test_a_pipe_is_one_queue_for_each_host_that_sends_over_it() -> None:
    machine = build_machine(load_platform(FILES / "grid.xml"))
    links = machine.links

    def wan(source: int, target: int) -> list[int]:
        path = machine.route(source, target)
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


def test_equal_machines_have_equal_canonical_forms(tmp_path: Path) -> None:
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
    machine = build_machine(load(tmp_path, zone("Full", TWO_HOSTS + bypass)))
    assert machine.zero_load_ps(0, 1, 0) == 9 * 10**6
    assert machine.zero_load_ps(1, 0, 0) == 10**6


def test_a_large_star_has_paths_by_formula(tmp_path: Path) -> None:
    machine = build_machine(load(tmp_path, cluster("", "0-65535")))
    assert machine.hosts == 65536
    assert machine.switches == 1
    assert machine.zero_load_ps(3, 65535, 1000) == 2 * 10**6 + 10**6


def test_zones_under_vivaldi_are_as_far_as_their_routers(tmp_path: Path) -> None:
    inside = "".join(
        f'<zone id="{name}" routing="Full"><host id="host_{name}" speed="1Gf"/>'
        f'<router id="router_{name}" coordinates="{place}"/>'
        f'<link id="link_{name}" bandwidth="1GBps" latency="1us"/>'
        f'<route src="host_{name}" dst="router_{name}"><link_ctn id="link_{name}"/></route></zone>'
        for name, place in (("near", "0 0 1"), ("far", "3 4 2"))
    )
    machine = build_machine(load(tmp_path, zone("Vivaldi", inside)))
    # 1 us on both sides, and 5 ms in the plane, and heights of 1 ms and 2 ms.
    assert machine.zero_load_ps(0, 1, 0) == 2 * 10**6 + 8 * 10**9
    nameless = inside.replace('"router_far"', '"gate_far"').replace('dst="router_far"', "")
    assert problem_of(tmp_path, zone("Vivaldi", nameless.replace(" >", ' dst="gate_far">'))) == (
        'machine.xml:2: <zone id="z">: "router_far" has no coordinates, as whatever is connected '
        "here must"
    )


def test_a_speed_below_what_there_is_is_told(tmp_path: Path) -> None:
    slow = TWO_HOSTS.replace("1Gf", "10f") + ROUTE
    platform = load(tmp_path, zone("Full", slow))
    assert platform["node.speed"] == 1000
    assert "a speed of 10 flop/s has no counterpart: read as 1 kflop/s" in platform.warnings[0]


WITHOUT_COUNTERPART = [
    ('<host id="c" speed="1Gf"><disk id="d" read_bw="1MBps" write_bw="1MBps"/></host>', "<disk"),
    ('<host id="c" speed="1Gf" state_file="x"/>', "state_file"),
    ('<host id="c" speed="2Gf,1Gf" pstate="1"/>', "several speeds"),
    ('<host id="c" speed="9Gf"/>', "hosts differ in speed"),
    ('<host id="c" speed="1Gf" core="8"/>', "hosts differ in core"),
    ('<host id="c" speed="1Gf"><prop id="watt" value="1"/></host>', '<prop id="watt">'),
]


@pytest.mark.parametrize(("host", "named"), WITHOUT_COUNTERPART)
def test_what_has_no_counterpart_is_named(
    host: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    routes = ROUTE + "".join(
        f'<route src="{end}" dst="c"><link_ctn id="l"/></route>' for end in "ab"
    )
    platform = load(tmp_path, zone("Full", TWO_HOSTS + host + routes))
    assert len(platform.warnings) == 1
    assert platform.warnings[0].startswith(f"{tmp_path}/machine.xml:")
    assert named in platform.warnings[0]
    assert f"kumihimo: warning: {platform.warnings[0]}\n" in capsys.readouterr().err


def test_more_that_has_no_counterpart(tmp_path: Path) -> None:
    text = zone("Full", TWO_HOSTS.replace('"1us"', '"1us" sharing_policy="WIFI"') + ROUTE)
    text = text.replace(
        '4.1">', '4.1">\n<config id="g"/>\n<trace id="t" periodicity="1">0 1</trace>'
    ).replace("</platform>", '<actor host="a" function="f"/></platform>')
    told = "\n".join(load(tmp_path, text).warnings)
    for named in ("<config", "<trace", "<actor", "WIFI"):
        assert named in told


def test_what_clusters_cannot_have_is_named(tmp_path: Path) -> None:
    tree = 'topology="FAT_TREE" topo_parameters="1;4;1;1" limiter_link="1GBps" bb_bw="1GBps"'
    told = load(tmp_path, cluster(tree)).warnings
    assert any("limiter_link has no counterpart at switches" in warning for warning in told)
    assert any("bb_bw has no effect beside topology" in warning for warning in told)


def test_equal_warnings_are_told_once_with_their_count(tmp_path: Path) -> None:
    hosts = TWO_HOSTS.replace('1Gf"', '1Gf" state_file="s"')
    (warning,) = load(tmp_path, zone("Full", hosts + ROUTE)).warnings
    assert 'machine.xml:3: <host id="a">: state_file' in warning
    assert warning.endswith("(2 times, first here)")


PROBLEMS = [
    ("<platform", ":1: no well-formed XML: unclosed token"),
    ("", ":1: no well-formed XML: no element found"),
    ("<zone/>", ":1: <zone>: expected a platform file of SimGrid, which begins with <platform>"),
    (
        '<!DOCTYPE p [\n<!ENTITY x "y">]><platform version="4.1"/>',
        ":2: declares an entity; expected a file without <!ENTITY>",
    ),
    ("<a>" * 70, ":1: expected elements at most 64 deep"),
    (
        FULL.replace('version="4.1"', 'version="3"'),
        ':3: <platform> version: expected "4" or "4.1", found "3"; simgrid_update_xml brings files '
        "up to it",
    ),
    (in_platform(""), ":1: <platform>: expected one zone or cluster inside, found 0"),
    (in_platform("<zoo/>"), None),
    (
        zone("Fool", ""),
        ':2: <zone id="z"> routing: expected one of Full, Floyd, Dijkstra, DijkstraCache, Cluster, '
        'Vivaldi, None; found "Fool"',
    ),
    (zone("Full", ""), ":1: <platform>: there is no host; expected at least one"),
    (
        zone("None", TWO_HOSTS),
        ':2: <zone id="z">: there is no route from "a" to "b"; expected one between every two',
    ),
    (
        zone("Full", TWO_HOSTS.replace("1Gbps", "1Gb/s") + ROUTE),
        ':5: <link id="l"> bandwidth: expected a bandwidth such as "125MBps" or "10Gbps", from '
        '1bps to 1Pbps, found "1Gb/s"',
    ),
    (
        zone("Full", TWO_HOSTS.replace("1us", "-1us") + ROUTE),
        ':5: <link id="l"> latency: "-1us" is out of range; expected a latency such as "50us", '
        "from 0 to a day",
    ),
    (
        zone("Full", TWO_HOSTS.replace('latency="1us"', 'latencey="1us"') + ROUTE),
        ':5: <link id="l"> latencey: unknown attribute; did you mean latency?',
    ),
    (
        zone("Full", TWO_HOSTS.replace('bandwidth="1Gbps"', "") + ROUTE),
        None,
    ),
    (
        zone("Full", TWO_HOSTS.replace('"1us"', '"1us" sharing_policy="ALONE"') + ROUTE),
        ':5: <link id="l"> sharing_policy: expected one of SHARED, SPLITDUPLEX, FATPIPE; found '
        '"ALONE"',
    ),
    (
        zone("Full", TWO_HOSTS.replace('"1us"', '"1us" sharing_policy="SPLITDUPLEX"') + ROUTE),
        ':6: <link_ctn id="l"> direction: "l" is SPLITDUPLEX; expected direction="UP" or '
        'direction="DOWN"',
    ),
    (
        zone("Full", TWO_HOSTS + ROUTE.replace('id="l"', 'id="m"')),
        ':6: <link_ctn id="m"> id: there is no link "m"; expected one that is described in the '
        "file",
    ),
    (
        zone("Full", TWO_HOSTS + ROUTE.replace('dst="b"', 'dst="c"')),
        ':6: <route src="a"> dst: expected a member of the zone "z", found "c"',
    ),
    (
        zone("Full", TWO_HOSTS + ROUTE.replace('dst="b"', 'dst="b" symmetrical="perhaps"')),
        ':6: <route src="a"> symmetrical: expected YES or NO, found "perhaps"',
    ),
    (
        zone("Full", TWO_HOSTS + '<route src="a" dst="b"/>'),
        ':6: <route src="a">: expected at least one <link_ctn> inside',
    ),
    (
        zone("Full", TWO_HOSTS + ROUTE + ROUTE.replace('dst="b"', 'dst="b" symmetrical="NO"')),
        ':6: <route src="a">: there is a route from "a" to "b" already; routes are symmetrical by '
        "default",
    ),
    (
        zone("Full", TWO_HOSTS + '<host id="a" speed="1Gf"/>' + ROUTE),
        ':6: <host id="a">: "a" is the name of an earlier host, router or zone',
    ),
    (
        zone("Full", TWO_HOSTS.replace('speed="1Gf"', 'speed="1Gf" core="0"', 1) + ROUTE),
        ':3: <host id="a"> core: expected a whole number from 1 to 1024, found "0"',
    ),
    (
        zone("Full", TWO_HOSTS + "<backbone id='b' bandwidth='1GBps' latency='0'/>" + ROUTE),
        ':6: <backbone id="b">: expected at most one, in a zone of routing Cluster',
    ),
    (
        zone("Vivaldi", '<peer id="p" speed="1Gf" bw_in="1GBps" bw_out="1GBps" coordinates="1"/>'),
        ':3: <peer id="p"> coordinates: expected three numbers such as "25.5 9.4 1.4", found "1"',
    ),
    (
        cluster("", "0-3,x"),
        ':2: <cluster id="c"> radical: expected numbers and ranges such as "0-3,5", found "0-3,x"',
    ),
    (
        cluster('topology="RING"'),
        ':2: <cluster id="c"> topology: expected one of FLAT, TORUS, FAT_TREE, DRAGONFLY; found '
        '"RING"',
    ),
    (
        cluster('topology="TORUS" topo_parameters="2,0"'),
        ':2: <cluster id="c"> topo_parameters: expected the dimensions of a torus such as "4,4,2"; '
        'found "2,0"',
    ),
    (
        cluster('topology="TORUS" topo_parameters="2,3"'),
        ':2: <cluster id="c"> radical: expected 6 hosts as by topo_parameters, found 4',
    ),
    (
        cluster('topology="FAT_TREE" topo_parameters="2;2,2;1,1;1"'),
        ':2: <cluster id="c"> topo_parameters: expected levels; children; parents; cables such as '
        '"2;4,4;1,2;1,2"; found "2;2,2;1,1;1"',
    ),
    (
        cluster('topology="DRAGONFLY" topo_parameters="3,1;1,1;2,1;1"'),
        ':2: <cluster id="c"> topo_parameters: expected as many routers in a chassis as there are '
        'groups, 3; found "3,1;1,1;2,1;1"',
    ),
    (
        cluster('bb_lat="1us"'),
        ':2: <cluster id="c"> bb_bw: is missing; expected it beside bb_lat',
    ),
    (
        cluster('loopback_bw="fast"', "0"),
        ':2: <cluster id="c"> loopback_bw: expected a bandwidth such as "125MBps" or "10Gbps", '
        'from 1bps to 1Pbps, found "fast"',
    ),
    (
        cluster('bb_bw="1GBps"', "0-2048"),
        ':2: <cluster id="c">: has 2049 hosts; expected at most 2048, unless it is one cluster of '
        "SPLITDUPLEX links without limiter: TORUS, FAT_TREE, or FLAT without backbone",
    ),
]


@pytest.mark.parametrize(("text", "problem"), PROBLEMS)
def test_problems_name_line_element_and_attribute(
    text: str, problem: str | None, tmp_path: Path
) -> None:
    if problem is None:
        with pytest.raises(PlatformError, match=r"machine\.xml:\d+: <"):
            load(tmp_path, text)
    else:
        assert problem_of(tmp_path, text) == f"machine.xml{problem}"


def test_all_problems_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    text = zone("Full", TWO_HOSTS.replace("1Gf", "1G").replace("1us", "1 year") + ROUTE)
    with pytest.raises(PlatformError) as error:
        load(tmp_path, text)
    assert [problem.line for problem in error.value.problems] == [3, 4, 5]


def test_gateways_lie_in_their_zones(tmp_path: Path) -> None:
    text = (FILES / "grid.xml").read_text().replace('gw_dst="west_gate"', 'gw_dst="e0.grid"')
    assert problem_of(tmp_path, text) == (
        'machine.xml:19: <zoneRoute src="east"> gw_dst: expected a host or router in the zone '
        '"west", found "e0.grid"'
    )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PlatformError, match="cannot read the platform file"):
        load_platform(tmp_path / "no.xml")


def test_problems_of_a_file_that_a_platform_names_stand_at_its_key(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_text(zone("None", TWO_HOSTS))
    (tmp_path / "machine.toml").write_text(
        '[topology]\nkind = "routes"\nfile = "bad.xml"\n[node]\nspeed = "1 Gflop/s"\n'
    )
    with pytest.raises(PlatformError) as error:
        load_platform(tmp_path / "machine.toml")
    assert f'machine.toml:3: topology.file: {tmp_path}/bad.xml:2: <zone id="z">: there is no' in (
        error.value.message
    )


SOURCES = [path.read_bytes() for path in sorted(FILES.glob("*.xml"))]


@given(st.data())
def test_damaged_files_are_read_or_refused(data: st.DataObject) -> None:
    """Whatever a file holds, the answer is a platform or a `PlatformError`."""
    text = bytearray(data.draw(st.sampled_from(SOURCES)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        end = place + data.draw(st.integers(0, 8))
        text[place:end] = data.draw(st.binary(max_size=4))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "damaged.xml"
        file.write_bytes(text)
        with contextlib.suppress(PlatformError):
            read_simgrid(file)
