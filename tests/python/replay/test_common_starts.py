"""Schedules whose ranks start together, from the command to the result."""

import json
from pathlib import Path

from typer.testing import CliRunner

from kumihimo.cli.main import app

TORUS = """
name = "small"
[topology]
kind = "torus"
sizes = [4, 2]
hosts_per_switch = 1
[link]
bandwidth = "8 Gb/s"
latency = "0 ns"
[switch_link]
bandwidth = "8 Gb/s"
latency = ["10 ns", "35 ns"]
[switch]
latency = "0 ns"
[mpi]
synchronise_size = "0 B"
"""
LATE = """
rank 1 {{
z: calc 1000
a: synchronise
b: wait_after {}
c: calc 40
d: wait_after 80
a requires z
b requires a
c requires b
d requires c
}}
"""


def replay(folder: Path, goal: str, platform: str = TORUS) -> tuple[dict[str, object], str]:
    """Replay a schedule; return what its result says of common starts, and the output."""
    file, schedule, out = folder / "torus.toml", folder / "starts.goal", folder / "out"
    file.write_text(platform)
    schedule.write_text(goal)
    words = ["replay", str(schedule), "-p", str(file), "--out", str(out)]
    outcome = CliRunner().invoke(app, words)
    assert outcome.exit_code == 0, outcome.output
    document = json.loads((out / "result.json").read_text())
    return document["collectives"], " ".join(outcome.output.split())


def starts(late: str) -> str:
    """Return a schedule of eight ranks that synchronise, rank 1 as `late` says."""
    ranks = [f"rank {rank} {{ synchronise }}" for rank in range(8)]
    ranks[1] = late
    return "num_ranks 8\n" + "\n".join(ranks)


def test_the_result_says_how_ranks_started(tmp_path: Path) -> None:
    collectives, output = replay(tmp_path, starts(LATE.format(30)))
    assert collectives == {
        "rounds": 2,
        "synchronisations": 1,
        "packets": 8 * (3 + 1),
        "synchronisation_ps": 55_000,
        "largest_skew_ps": 0,
        "waits": 2,
        "missed": 0,
        "largest_lateness_ps": 0,
    }
    assert "Synchronisations: 1, 55 ns each, ranks at most 0 s apart; 0 of 2 steps missed" in output


def test_missed_instants_are_counted(tmp_path: Path) -> None:
    collectives, output = replay(tmp_path, starts(LATE.format(50)))
    assert (collectives["missed"], collectives["largest_lateness_ps"]) == (1, 10_000)
    assert "1 of 2 steps missed their instant, by at most 10 ns" in output


def test_the_rule_as_printed_is_a_key_of_the_platform(tmp_path: Path) -> None:
    printed = TORUS + 'synchronise_rule = "printed"\n'
    collectives, _ = replay(tmp_path, starts(LATE.format(30)), printed)
    assert collectives["largest_skew_ps"] == 55_000
