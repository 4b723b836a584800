"""`kumihimo schedule check`: links of a step, blocks and closed forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kumihimo.cli.main import app

PLATFORMS = Path(__file__).parents[3] / "platforms"
SUH_SHIN = ("--pattern", "alltoall/suh_shin")


def invoke(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["schedule", *map(str, arguments)], terminal_width=200)
    return result.exit_code, result.output


def torus(folder: Path, *sides: int, more: str = "") -> Path:
    text = (PLATFORMS / "torus4x4x4.toml").read_text()
    text = text.replace("[4, 4, 4]", str(list(sides))).replace(
        'latency = ["21 ns", "25 ns", "70 ns"]', 'latency = "21 ns"'
    )
    path = folder / f"torus{len(list(folder.iterdir()))}.toml"
    path.write_text(text.replace("hosts_per_switch = 1", f"hosts_per_switch = 1\n{more}"))
    return path


def report_of(*arguments: str | Path) -> dict[str, Any]:
    code, output = invoke("check", *arguments, "--json")
    assert code == 0, output
    report: dict[str, Any] = json.loads(output)
    return report


@pytest.mark.parametrize(
    "sides",
    [(4, 4), (8, 8), (8, 12), (4, 4, 4), (8, 8, 8), (16, 16, 16), (4, 4, 4, 4)],
    ids=lambda sides: "x".join(map(str, sides)),
)
def test_suh_shin_keeps_to_the_closed_forms(sides: tuple[int, ...], tmp_path: Path) -> None:
    platform = torus(tmp_path, *sides, more="halfway_run = 2")
    report = report_of("-p", platform, *SUH_SHIN)
    n, a, ranks = len(sides), sides[0], report["ranks"]
    if len(set(sides)) == 1:
        assert ranks == a**n
        expected = (n * (a // 4 + 1), n * ranks * (a + 4) // 8, n * (a - 1))
    else:
        assert sides == (8, 12)
        expected = (3 + 4, 96 * (12 + 16) // 8, 7 + 11)
    assert (report["startups"], report["bytes"], report["hops"]) == expected
    formulas = report["formulas"]
    assert (formulas["startups"], formulas["blocks"], formulas["hops"]) == expected
    assert report["shared_links"] == 0
    assert report["delivery"] == {"blocks": ranks**2, "wrong": 0, "first_wrong": ""}
    assert report["problems"] == []


def test_the_table_has_both_numbers_next_to_each_other() -> None:
    code, output = invoke("check", *SUH_SHIN, "-p", PLATFORMS / "torus4x4x4.toml")
    assert code == 0
    rows = {line.split("  ")[0]: line.split() for line in output.splitlines()[2:]}
    assert rows["start-ups"][1:3] == ["6", "6"]
    assert rows["blocks"][1:3] == ["192", "192"]
    assert rows["hops"][1:3] == ["9", "9"]
    assert rows["shared links"][2] == "0"
    assert "4,096" in rows["blocks followed"]


def test_rings_of_8_need_both_directions(tmp_path: Path) -> None:
    code, output = invoke("check", *SUH_SHIN, "-p", torus(tmp_path, 8, 8))
    assert code == 1
    assert "step 1: the messages from rank" in output
    assert "needs topology.halfway_run = 2" in output


def test_a_pattern_that_shares_links_is_refused_with_the_first() -> None:
    platform = PLATFORMS / "torus4x4x4.toml"
    code, output = invoke("check", "--pattern", "alltoall/pairwise", "-p", platform)
    assert code == 1
    expected = "step 2: the messages from rank 0 to 2 and from rank 1 to 3 both take the link "
    assert f"{expected}switch1->switch2 (and 3,071 more)" in output
    assert "halfway_run" not in output


def test_a_file_is_checked_without_blocks(tmp_path: Path) -> None:
    path = tmp_path / "all.goal"
    made = invoke("generate", *SUH_SHIN, "-n", "64", "--dimensions", "4x4x4", "-b", "10B", path)
    assert made == (0, "")
    report = report_of(path, "-p", PLATFORMS / "torus4x4x4.toml")
    assert (report["steps"], report["startups"], report["hops"]) == (6, 6, 9)
    assert report["bytes"] == 192 * 10
    assert report["delivery"] is None
    text = "num_ranks 3 rank 0 { send 8b to 2 } rank 1 { send 8b to 2 }"
    path.write_text(f"{text} rank 2 {{ recv 8b from 0 recv 8b from 1 }}")
    code, output = invoke("check", path, "-p", PLATFORMS / "star4.toml")
    assert code == 1
    assert "both take the link switch0->host2" in output


def test_ranks_on_other_hosts_share_links(tmp_path: Path) -> None:
    platform = torus(tmp_path, 4, 4)
    assert invoke("check", *SUH_SHIN, "-p", platform)[0] == 0
    platform.write_text(f'{platform.read_text()}\n[mapping]\nkind = "random"\n')
    code, output = invoke("check", *SUH_SHIN, "-p", platform, "--seed", "1")
    assert code == 1
    assert "by the formula" not in output
    assert "both take the link" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected either a SCHEDULE or a --pattern"),
        (("any.goal", *SUH_SHIN), "expected either a SCHEDULE or a --pattern"),
        (("any.goal", "-n", "4"), "--ranks belongs to a --pattern"),
        (("any.goal",), "cannot read any.goal: No such file"),
        (("--pattern", "gossip"), "there is no pattern 'gossip', only allgather/"),
        ((*SUH_SHIN, "-n", "65"), "expected at most 64 ranks, found 65"),
        ((*SUH_SHIN, "-n", "32"), "the dimensions 4x4x4 are those of 64 ranks, not of 32"),
        ((*SUH_SHIN, "--dimensions", "2x32"), "not 2x32; alltoall/pairwise"),
    ],
)
def test_what_cannot_be_checked(arguments: tuple[str, ...], message: str) -> None:
    code, output = invoke("check", *arguments, "-p", PLATFORMS / "torus4x4x4.toml")
    assert code == 2
    assert message in output


def test_a_platform_that_is_no_torus_has_no_closed_forms() -> None:
    arguments = (*SUH_SHIN, "--dimensions", "8x8", "-p", PLATFORMS / "star64.toml")
    assert report_of(*arguments)["formulas"]["startups"] == 6
    pairwise = report_of("--pattern", "alltoall/pairwise", "-p", PLATFORMS / "star64.toml")
    assert pairwise["formulas"] is None
    assert pairwise["delivery"]["wrong"] == 0
