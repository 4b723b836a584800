"""Platform files of SimGrid: what has no counterpart is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from simgrid_texts import ROUTE, TWO_HOSTS, cluster, load, zone


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
    assert platform.warnings[0].startswith(f"{tmp_path}/platform.xml:")
    assert named in platform.warnings[0]
    assert f"kumihimo: warning: {platform.warnings[0]}\n" in capsys.readouterr().err


def test_more_that_has_no_counterpart(tmp_path: Path) -> None:
    text = (
        zone("Full", TWO_HOSTS + ROUTE)
        .replace('4.1">', '4.1">\n<config id="g"/>\n<trace id="t" periodicity="1">0 1</trace>')
        .replace("</platform>", '<actor host="a" function="f"/></platform>')
    )
    told = "\n".join(load(tmp_path, text).warnings)
    for named in ("<config", "<trace", "<actor"):
        assert named in told


def test_what_clusters_cannot_have_is_named(tmp_path: Path) -> None:
    tree = 'topology="FAT_TREE" topo_parameters="1;4;1;1" limiter_link="1GBps" bb_bw="1GBps"'
    told = load(tmp_path, cluster(tree)).warnings
    assert any("limiter_link has no counterpart at switches" in warning for warning in told)
    assert any("bb_bw has no effect with topology" in warning for warning in told)


def test_equal_warnings_are_told_once_with_their_count(tmp_path: Path) -> None:
    hosts = TWO_HOSTS.replace('1Gf"', '1Gf" state_file="s"')
    (warning,) = load(tmp_path, zone("Full", hosts + ROUTE)).warnings
    assert 'platform.xml:3: <host id="a">: state_file' in warning
    assert warning.endswith("(2 times, first here)")
