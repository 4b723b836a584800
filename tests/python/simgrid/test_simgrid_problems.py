"""Platform files of SimGrid: what is said about wrong ones."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simgrid_texts import (
    FILES,
    FULL,
    ROUTE,
    TWO_HOSTS,
    cluster,
    in_platform,
    load,
    problem_of,
    zone,
)

from kumihimo.platform import PlatformError, load_platform
from kumihimo.simgrid.document import read_simgrid

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
        zone("Wifi", TWO_HOSTS),
        ':2: <zone id="z"> routing: Wifi has no counterpart: wireless networks cannot be '
        "simulated, wired ones only",
    ),
    (
        zone(
            "Full",
            '<host id="a" speed="1Gf"/><link id="l" bandwidth="54Mbps,36Mbps" '
            'latency="0ms" sharing_policy="WIFI"/>',
        ),
        ':3: <link id="l"> sharing_policy: WIFI has no counterpart: wireless networks cannot be '
        "simulated, wired ones only",
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
        ':2: <cluster id="c"> bb_bw: is missing; bb_lat needs it',
    ),
    (
        cluster('loopback_bw="fast"', "0"),
        ':2: <cluster id="c"> loopback_bw: expected a bandwidth such as "125MBps" or "10Gbps", '
        'from 1bps to 1Pbps, found "fast"',
    ),
    (
        cluster('topology="TORUS" topo_parameters="3,683" sharing_policy="SHARED"', "0-2048"),
        ':2: <cluster id="c">: has 2049 hosts of 2049 kinds; expected at most 2048 kinds, unless '
        "it is one cluster of SPLITDUPLEX links without limiter: TORUS, FAT_TREE, or FLAT without "
        "backbone. Alike are hosts of a plain cluster, or of one router of a DRAGONFLY, whose "
        "links are no FATPIPE",
    ),
]


@pytest.mark.parametrize(("text", "problem"), PROBLEMS)
def test_problems_name_line_element_and_attribute(
    text: str, problem: str | None, tmp_path: Path
) -> None:
    if problem is None:
        with pytest.raises(PlatformError, match=r"platform\.xml:\d+: <"):
            load(tmp_path, text)
    else:
        assert problem_of(tmp_path, text) == f"platform.xml{problem}"


def test_all_problems_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    text = zone("Full", TWO_HOSTS.replace("1Gf", "1G").replace("1us", "1 year") + ROUTE)
    with pytest.raises(PlatformError) as error:
        load(tmp_path, text)
    assert [problem.line for problem in error.value.problems] == [3, 4, 5]


def test_gateways_lie_in_their_zones(tmp_path: Path) -> None:
    text = (FILES / "grid.xml").read_text().replace('gw_dst="west_gate"', 'gw_dst="e0.grid"')
    assert problem_of(tmp_path, text) == (
        'platform.xml:19: <zoneRoute src="east"> gw_dst: expected a host or router in the zone '
        '"west", found "e0.grid"'
    )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PlatformError, match="cannot read the platform file"):
        load_platform(tmp_path / "no.xml")


def test_problems_of_a_file_that_a_platform_names_stand_at_its_key(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_text(zone("Fool", TWO_HOSTS))
    (tmp_path / "platform.toml").write_text(
        '[topology]\nkind = "routes"\nfile = "bad.xml"\n[node]\nspeed = "1 Gflop/s"\n'
    )
    with pytest.raises(PlatformError) as error:
        load_platform(tmp_path / "platform.toml")
    place = f"platform.toml:3: topology.file: {tmp_path}/bad.xml:2:"
    assert f'{place} <zone id="z"> routing: expected one of' in error.value.message


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
