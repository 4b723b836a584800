"""Platform files of SimGrid in which some hosts have no route to others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from simgrid_texts import TWO_HOSTS, load, zone
from typer.testing import CliRunner

from kumihimo.cli.main import app
from kumihimo.platform import Platform
from kumihimo.platform.network import build_network
from kumihimo.platform.overview import examine

THIRD = '<host id="c" speed="1Gf"/>'
ONE_WAY = '<route src="a" dst="b" symmetrical="NO"><link_ctn id="l"/></route>'
BOTH_WAYS = '<route src="a" dst="b"><link_ctn id="l"/></route>'
# Two clusters of hosts that are alike, and no route between the clusters.
APART = "".join(
    f'<cluster id="{name}" prefix="{name}" suffix="" radical="0-{last}" speed="1Gf" bw="1GBps" '
    'lat="1us"/>'
    for name, last in (("x", 3), ("y", 1))
)


def network_line(platform: Platform) -> str | None:
    """What `kumihimo platform show` says of pairs without a route."""
    result = CliRunner().invoke(app, ["platform", "show", platform.file])
    assert result.exit_code == 0, result.output
    lines = [line for line in result.output.split("\n") if "without route" in line]
    return lines[0].strip() if lines else None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (zone("Full", TWO_HOSTS + BOTH_WAYS), None),
        (zone("None", TWO_HOSTS), "without route   2 of 2 pairs of hosts"),
        (zone("Full", TWO_HOSTS + ONE_WAY), "without route   1 of 2 pairs of hosts"),
        (zone("Floyd", TWO_HOSTS + THIRD + BOTH_WAYS), "without route   4 of 6 pairs of hosts"),
        (zone("Full", APART), "without route   16 of 30 pairs of hosts"),
    ],
)
def test_pairs_without_a_route_are_counted(text: str, line: str | None, tmp_path: Path) -> None:
    assert network_line(load(tmp_path, text)) == line


def test_what_is_connected_has_its_routes(tmp_path: Path) -> None:
    network = build_network(load(tmp_path, zone("Full", APART)))
    assert network.zero_load_ps(0, 3, 0) == network.zero_load_ps(4, 5, 0) == 2 * 10**6
    assert network.route(3, 4) == network.route(5, 0) == []
    with pytest.raises(ValueError, match="there is no path from host 3 to host 4"):
        network.zero_load_ps(3, 4, 0)


def test_a_route_over_a_gap_is_none(tmp_path: Path) -> None:
    inside = (
        '<zone id="in" routing="None"><host id="c" speed="1Gf"/><router id="gate"/></zone>'
        '<zone id="out" routing="Full">' + TWO_HOSTS + BOTH_WAYS + "</zone>"
        '<link id="m" bandwidth="1Gbps" latency="1us"/>'
        '<zoneRoute src="out" dst="in" gw_src="a" gw_dst="gate"><link_ctn id="m"/></zoneRoute>'
    )
    found = examine(load(tmp_path, zone("Full", inside)))
    assert found.platform.unconnected_pairs() == 4
    assert found.pairs is not None
    assert {pair.vertices[0] for pair in found.pairs} == {"host1"}


def test_a_gap_changes_the_canonical_form(tmp_path: Path) -> None:
    one_way = load(tmp_path, zone("Full", TWO_HOSTS + ONE_WAY)).canonical()
    assert one_way != load(tmp_path, zone("Full", TWO_HOSTS + BOTH_WAYS)).canonical()


def replay(folder: Path, *messages: tuple[int, int]) -> tuple[int, str, dict[str, object]]:
    """Replay messages over two hosts with routes and one without; status, output, result."""
    platform = load(folder, zone("Full", TWO_HOSTS + THIRD + BOTH_WAYS))
    ranks = [
        "".join(
            [f"send 1000b to {to}\n" for source, to in messages if source == rank]
            + [f"recv 1000b from {source}\n" for source, to in messages if to == rank]
        )
        for rank in range(3)
    ]
    text = "".join(f"rank {rank} {{\n{lines}}}\n" for rank, lines in enumerate(ranks))
    (folder / "a.goal").write_text(f"num_ranks 3\n{text}")
    out = folder / "result"
    words = ["replay", str(folder / "a.goal"), "-p", platform.file, "--out", str(out)]
    result = CliRunner().invoke(app, words, terminal_width=200)
    return result.exit_code, result.output, json.loads((out / "result.json").read_text())


def test_ranks_that_do_not_talk_over_a_gap_replay(tmp_path: Path) -> None:
    code, output, document = replay(tmp_path, (0, 1), (1, 0))
    assert code == 0, output
    assert document["status"] == "complete"


def test_a_message_over_a_gap_ends_a_replay_with_what_there_is(tmp_path: Path) -> None:
    code, output, document = replay(tmp_path, (0, 1), (1, 2))
    assert code == 1
    message = f'rank 1 sends to rank 2, but {tmp_path}/platform.xml has no route from "b" to "c"'
    assert f"kumihimo: error: {message}" in output.replace("\n", "")
    assert document["status"] == "partial"
    assert document["reason"] == message
