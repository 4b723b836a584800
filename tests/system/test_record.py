"""A recorded schedule replays to the run that it was recorded of, in every number of its result.

The platform has every cost there is, and an eager limit that sends part of the programs' messages
by rendezvous.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from exact_platform import ExactPlatform
from jobs import BIN, BY_NAME, PLATFORMS, ROOT, build, command_of, run
from replayable import without_clock_readings

EVERY_COST = ExactPlatform(
    topology={"kind": "torus", "sizes": [2, 2, 2], "hosts_per_switch": 1},
    switch_ns=30,
    packet_size="2048 B",
    header_bytes=8,
    eager_limit_bytes=1024,
    send_ns=210,
    receive_ns=170,
    match_ns=13,
)
NON_MINIMAL = """
[topology]
kind = "dragonfly"
groups = 4
switches_per_group = 2
global_links_per_switch = 2
hosts_per_switch = 1
[link]
bandwidth = "10 Gb/s"
latency = "100 ns"
[network]
packet_size = "1 KiB"
flow_control = "credits"
buffer = "4 KiB"
routing = "ugal"
[node]
speed = "1 Gflop/s"
[mpi]
eager_limit = "1 KiB"
send_overhead = "210 ns"
"""
# What a result says of virtual time; the rest says what was run.
FACTS = (
    "virtual_time_ps",
    "event_hash",
    "events",
    "totals",
    "per_rank",
    "per_link",
    "ranks",
    "status",
)


@dataclass(frozen=True)
class Case:
    """A program with its arguments, ranks, and MPI library."""

    program: str
    arguments: tuple[str, ...] = ()
    ranks: int = 4
    mpi: str = "mpich"

    def __str__(self) -> str:
        return "-".join((self.program, *self.arguments, str(self.ranks), self.mpi))


CASES = (
    Case("ping_pong", ranks=2),
    Case("ring", ("2", "100000")),
    Case("patterns", ("incast", "5000"), ranks=8),
    Case("collectives", ranks=7),
    Case("nonblocking_collectives"),
    Case("compute"),
    Case("send_modes"),
    Case("wildcards"),
    Case("probe"),
    Case("polling"),
    Case("sleeps"),
    Case("rma_fence"),
    Case("rma_locks"),
    Case("py_messages"),
    Case("collectives", mpi="openmpi"),
    Case("ring", ("2", "100000"), mpi="openmpi"),
    Case("sleeps", mpi="openmpi"),
)


def kumihimo(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run([str(BIN / "kumihimo"), *map(str, arguments)])


def recorded(
    folder: Path,
    platform: Path,
    mpi: str,
    ranks: int,
    command: list[str],
    compute: str = "none",
) -> Path:
    """Run a program and record it: the result is in `live`, the schedule is returned."""
    schedule = folder / "run.bin"
    options = ("--mpi", mpi, "--compute", compute, "-q", "--detail", "summary")
    where = ("-n", str(ranks), "-p", platform, "-s", schedule, "--out", folder / "live")
    kumihimo("record", *where, *options, "--", *command)
    return schedule


def replayed(folder: Path, platform: Path, schedule: Path) -> dict[str, Any]:
    kumihimo(
        "replay", schedule, "-p", platform, "--out", folder / "replay", "-q", "--detail", "summary"
    )
    return result_in(folder / "replay")


def result_in(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / "result.json").read_text())
    return document


def assert_same(live: dict[str, Any], replay: dict[str, Any]) -> None:
    assert live["totals"]["messages"] > 0
    live, replay = without_clock_readings(live), without_clock_readings(replay)
    for fact in FACTS:
        assert replay[fact] == live[fact], fact


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_recorded_run_replays_to_itself(case: Case, tmp_path: Path) -> None:
    platform = EVERY_COST.write(tmp_path)
    command = command_of(BY_NAME[case.mpi], case.program, *case.arguments)
    schedule = recorded(tmp_path, platform, case.mpi, case.ranks, command)
    assert_same(result_in(tmp_path / "live"), replayed(tmp_path, platform, schedule))


@pytest.mark.parametrize("case", [*CASES[:8], CASES[14]], ids=str)
def test_ranks_that_run_ahead_leave_the_same_schedule(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform = EVERY_COST.write(tmp_path)
    command = command_of(BY_NAME[case.mpi], case.program, *case.arguments)
    schedules = []
    for mode in ("on", "off"):
        monkeypatch.setenv("KUMI_RUN_AHEAD", mode)
        folder = tmp_path / mode
        folder.mkdir()
        schedule = recorded(folder, platform, case.mpi, case.ranks, command)
        schedules.append(schedule.read_bytes())
    assert schedules[0] == schedules[1]


def test_the_heat_demo_on_a_tree_replays_to_itself(tmp_path: Path) -> None:
    heat = build(BY_NAME["mpich"], ROOT / "examples" / "demo" / "heat.c")
    platform = PLATFORMS / "tree64.toml"
    schedule = recorded(tmp_path, platform, "mpich", 16, [str(heat), "256", "40"])
    assert_same(result_in(tmp_path / "live"), replayed(tmp_path, platform, schedule))


@pytest.mark.parametrize("program", ["collectives", "rma_locks"])
def test_non_minimal_routes_and_full_buffers_replay_too(program: str, tmp_path: Path) -> None:
    platform = tmp_path / "dragonfly.toml"
    platform.write_text(NON_MINIMAL)
    command = command_of(BY_NAME["mpich"], program)
    schedule = recorded(tmp_path, platform, "mpich", 8, command)
    assert_same(result_in(tmp_path / "live"), replayed(tmp_path, platform, schedule))


def test_measured_computing_replays_as_it_was_measured(tmp_path: Path) -> None:
    platform = EVERY_COST.write(tmp_path)
    command = command_of(BY_NAME["mpich"], "clocks")
    schedule = recorded(tmp_path, platform, "mpich", 4, command, "measured")
    live = result_in(tmp_path / "live")
    assert live["totals"]["compute_ps"] > 0
    assert_same(live, replayed(tmp_path, platform, schedule))


def test_sleeps_are_waits_of_the_run_and_of_its_schedule(tmp_path: Path) -> None:
    platform = EVERY_COST.write(tmp_path)
    command = command_of(BY_NAME["mpich"], "sleeps")
    schedule = recorded(tmp_path, platform, "mpich", 4, command, "measured")
    # Three times at least 1 ms.
    live = result_in(tmp_path / "live")
    assert all(row["wait_ps"] > 3_000_000_000 for row in live["per_rank"])
    assert_same(live, replayed(tmp_path, platform, schedule))
    text = tmp_path / "run.goal"
    kumihimo("schedule", "convert", schedule, text)
    assert_same(live, replayed(tmp_path, platform, text))
    assert kumihimo("schedule", "show", text).stdout.count("asleep") == 1


def test_what_the_interfaces_do_alone_is_in_the_schedule(tmp_path: Path) -> None:
    platform = EVERY_COST.write(tmp_path)
    command = command_of(BY_NAME["mpich"], "patterns", "one_way", "5000")
    schedule = recorded(tmp_path, platform, "mpich", 2, command)
    text = tmp_path / "run.goal"
    kumihimo("schedule", "convert", schedule, text)
    lines = text.read_text().splitlines()
    assert sum("send 5000b to 1" in line and line.endswith("bare interface") for line in lines) == 1
    assert sum("bare control request" in line for line in lines) == 1


def test_a_run_that_fails_leaves_no_schedule(tmp_path: Path) -> None:
    platform = EVERY_COST.write(tmp_path)
    command = command_of(BY_NAME["mpich"], "faults", "exit-status")
    finished = subprocess.run(
        [
            *(str(BIN / "kumihimo"), "record", "-n", "2", "-p", str(platform), "--compute", "none"),
            *("-s", str(tmp_path / "run.goal"), "--", *command),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.returncode == 42
    assert "run.goal is not written: the run is not whole" in finished.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["platform.toml"]


def test_a_run_whose_sends_wait_for_delivery_is_not_recorded(tmp_path: Path) -> None:
    platform = ExactPlatform(send_completion="delivered").write(tmp_path)
    schedule = tmp_path / "schedule.goal"
    command = [str(BIN / "kumihimo"), "record", "-n", "2", "-p", str(platform), "-s", str(schedule)]
    finished = subprocess.run(
        [*command, "--", *command_of(BY_NAME["mpich"], "ring")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode != 0
    told = f'{platform}: a schedule knows sends with mpi.send_completion = "sent" only'
    assert told in finished.stderr
    assert not schedule.exists()
