"""Patterns whose steps are kept apart, from the command to the result."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kumihimo.cli.main import app

PLATFORM = Path(__file__).parents[3] / "platforms" / "torus4x4x4.toml"
ALLTOALL = ("--pattern", "alltoall/suh_shin", "-n", "64", "-b", "64 B")
SYNCHRONISATION_PS = 2 * (21 + 25 + 70) * 1000


def invoke(*words: str | Path) -> tuple[int, str]:
    outcome = CliRunner().invoke(app, [*map(str, words)], terminal_width=200)
    return outcome.exit_code, outcome.output


@pytest.fixture
def platform(tmp_path: Path) -> Path:
    """A torus whose messages are all eager, and whose synchronisations carry no bytes."""
    path = tmp_path / "torus.toml"
    keys = '\n[mpi]\neager_limit = "1 GiB"\nsynchronise_size = "0 B"\n'
    path.write_text(PLATFORM.read_text() + keys)
    return path


def replay(platform: Path, *words: str) -> dict[str, Any]:
    out = platform.parent / "out"
    code, output = invoke("replay", *ALLTOALL, *words, "-p", platform, "--out", out)
    assert code == 0, output
    document: dict[str, Any] = json.loads((out / "result.json").read_text())
    return document


def test_by_the_clock_it_takes_what_the_closed_form_says(platform: Path) -> None:
    document = replay(platform, "--scheme", "clock")
    collectives = document["collectives"]
    assert (collectives["synchronisations"], collectives["missed"]) == (1, 0)
    assert collectives["synchronisation_ps"] == SYNCHRONISATION_PS
    # Hops of phases: the third dimension decides, but in the steps without it.
    hops_ps = (2 * (70 + 25 + 70) + 21 + 25 + 70) * 1000
    steps_ps = 6 * 128_000 + hops_ps
    assert document["virtual_time_ps"] == SYNCHRONISATION_PS + steps_ps
    assert document["program"][-2:] == ["--scheme", "clock"]


def test_every_step_has_its_synchronisation(platform: Path) -> None:
    clock = replay(platform, "--scheme", "clock")
    every = replay(platform, "--scheme", "every_step")
    assert every["collectives"]["synchronisations"] == 6
    added_ps = every["virtual_time_ps"] - clock["virtual_time_ps"]
    assert added_ps == 5 * SYNCHRONISATION_PS
    assert replay(platform, "--scheme", "start")["collectives"]["waits"] == 0


def test_steps_that_are_too_short_are_counted(platform: Path) -> None:
    short = replay(platform, "--scheme", "clock", "--step-time", "100 ns")
    assert short["collectives"]["missed"] > 0
    assert short["status"] == "complete"
    guarded = replay(platform, "--scheme", "clock", "--step-time", "100 ns", "--guard", "1 us")
    assert guarded["collectives"]["missed"] == 0


def test_jitter_is_paid_for_by_a_guard(platform: Path) -> None:
    jitter_ps = 150_000
    exact = replay(platform, "--scheme", "clock", "--guard", "150 ns")
    text = platform.read_text()
    platform.write_text(f'{text}[mpi.collectives]\njitter = "150 ns"\n')
    late = replay(platform, "--scheme", "clock", "--seed", "3")
    assert late["collectives"]["missed"] > 0
    assert 0 < late["collectives"]["largest_lateness_ps"] <= jitter_ps
    assert late["status"] == "complete"
    guarded = replay(platform, "--scheme", "clock", "--seed", "3", "--guard", "150 ns")
    assert guarded["collectives"]["missed"] == 0
    assert guarded["collectives"]["largest_skew_ps"] <= jitter_ps
    # All steps have their lengths: the end is late by as much as some rank's start.
    assert 0 < guarded["virtual_time_ps"] - exact["virtual_time_ps"] <= jitter_ps
    assert replay(platform, "--scheme", "clock", "--seed", "3")["event_hash"] == late["event_hash"]
    assert replay(platform, "--scheme", "clock", "--seed", "4")["event_hash"] != late["event_hash"]


def test_a_generated_schedule_replays_as_the_pattern(platform: Path, tmp_path: Path) -> None:
    pattern = replay(platform, "--scheme", "clock")
    file, out = tmp_path / "clock.goal", tmp_path / "of_file"
    words = ("--dimensions", "4x4x4", "--scheme", "clock")
    code, output = invoke("schedule", "generate", *ALLTOALL, *words, "-p", platform, file)
    assert code == 0, output
    assert invoke("replay", file, "-p", platform, "--out", out)[0] == 0
    document = json.loads((out / "result.json").read_text())
    assert document["event_hash"] == pattern["event_hash"]
    shown = invoke("schedule", "show", file)[1]
    assert "synchronisations" in shown
    assert "timed waits" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--guard", "1 ns"), "--guard belongs to --scheme clock"),
        (("--scheme", "start", "--step-time", "1 ns"), "--step-time belongs to --scheme clock"),
        (("--scheme", "clock"), "--scheme clock needs --step-time or a platform"),
        (("--scheme", "often"), "Invalid value for '--scheme'"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    pattern = (*ALLTOALL, "--dimensions", "4x4x4", *words)
    code, output = invoke("schedule", "generate", *pattern, tmp_path / "x.goal")
    assert (code, message in " ".join(output.split())) == (2, True), output


def test_ranks_need_the_same_steps(tmp_path: Path) -> None:
    words = ("--pattern", "broadcast", "-n", "8", "-b", "1 kB", "--scheme", "every_step")
    code, output = invoke("schedule", "generate", *words, tmp_path / "x.goal")
    assert (code, "do not have the same steps" in " ".join(output.split())) == (2, True), output


def test_a_scheme_belongs_to_a_pattern(platform: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.goal"
    file.write_text("num_ranks 1\nrank 0 { calc 1 }\n")
    code, output = invoke("replay", file, "-p", platform, "--scheme", "clock")
    assert (code, "--scheme belongs to a --pattern" in output) == (2, True)
