"""Ranks that go on with messages on their way give the results of ranks that wait for them."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs import BY_NAME, MPICH, OPEN_MPI, PLATFORMS, WITH_TABLES, Mpi, command_of, run_simulated

TABLES = ("messages", "states", "ranks", "links", "link_use", "queue_depths", "call_sites")


def outcome(
    folder: Path,
    mpi: Mpi,
    program: str,
    platform: Path,
    mode: str,
    *arguments: str,
    ranks: int = 8,
) -> tuple[Any, int]:
    """Run a program; return all that it gave, and how often ranks took turns."""
    job = run_simulated(
        mpi,
        ranks,
        command_of(mpi, program, *arguments),
        folder,
        platform=platform,
        before=("env", f"KUMI_RUN_AHEAD={mode}"),
        options=(*WITH_TABLES, "--profile-calls"),
    )
    tables = {
        name: sorted(map(repr, pq.read_table(folder / f"{name}.parquet").to_pylist()))
        for name in TABLES
    }
    host = json.loads((folder / "host.json").read_text())
    return (job.result, tables), sum(host["handovers"])


def with_costs(folder: Path) -> Path:
    """Return a platform on which sending, matching and receiving take time."""
    text = (PLATFORMS / "tree64.toml").read_text()
    overhead = 'receive_overhead = "200 ns"'
    assert overhead in text
    path = folder / "costs.toml"
    path.write_text(text.replace(overhead, overhead + '\nmatch_cost = "13 ns"'))
    return path


@pytest.mark.parametrize(
    "program", ["collectives", "nonblocking_collectives", "polling", "probe", "send_modes"]
)
@pytest.mark.parametrize("costs", [False, True])
def test_same_results(program: str, costs: bool, tmp_path: Path) -> None:
    platform = with_costs(tmp_path) if costs else PLATFORMS / "star64.toml"
    early, early_turns = outcome(tmp_path / "early", MPICH, program, platform, "on")
    in_time, turns = outcome(tmp_path / "in_time", MPICH, program, platform, "off")
    assert early == in_time
    if program == "collectives":
        assert early_turns < turns


@pytest.mark.parametrize(
    ("mpi_name", "program"),
    [
        ("mpich", "neighbours"),
        ("openmpi", "neighbours"),
        ("openmpi", "neighbours_mpif"),
        ("openmpi", "neighbours_f08"),
    ],
)
def test_a_rank_that_waits_for_several_messages_is_woken_once(
    mpi_name: str, program: str, tmp_path: Path
) -> None:
    rounds = 100
    run = (BY_NAME[mpi_name], program, with_costs(tmp_path))
    asleep, asleep_turns = outcome(tmp_path / "asleep", *run, "on", str(rounds))
    awake, turns = outcome(tmp_path / "awake", *run, "off", str(rounds))
    assert asleep == awake
    assert asleep_turns < 1.2 * 8 * rounds
    assert turns > 2 * 8 * rounds


def test_open_mpi(tmp_path: Path) -> None:
    platform = with_costs(tmp_path)
    early, early_turns = outcome(tmp_path / "early", OPEN_MPI, "collectives", platform, "on")
    in_time, turns = outcome(tmp_path / "in_time", OPEN_MPI, "collectives", platform, "off")
    assert early == in_time
    assert early_turns < turns


# With 21 and 14, ranks answered synchronous messages in another order. With the last one, a
# collective in the background went on at another time: its message had arrived before the
# receive was posted, which a rank that is ahead does not know.
@pytest.mark.parametrize(
    ("mpi_name", "seed"),
    [("mpich", 2), ("mpich", 5), ("mpich", 21), ("openmpi", 3), ("openmpi", 14), ("openmpi", 97)],
)
def test_random_traffic(mpi_name: str, seed: int, tmp_path: Path) -> None:
    run = (BY_NAME[mpi_name], "random_traffic", with_costs(tmp_path))
    early, _ = outcome(tmp_path / "early", *run, "on", str(seed), "60")
    in_time, _ = outcome(tmp_path / "in_time", *run, "off", str(seed), "60")
    assert early == in_time


# Each ended as damaged, or in silence with another order or later, as long as a process that ran
# ahead took something for certain that was not, or slept although its call could return.
@pytest.mark.parametrize("mpi_name", ["mpich", "openmpi"])
@pytest.mark.parametrize(
    ("ranks", "command"),
    [
        (4, "claimed_messages"),
        (4, "claimed_messages barrier"),
        (4, "claimed_messages window"),
        (4, "claimed_messages cancel"),
        (2, "cancelled_receives"),
        (2, "cancelled_too_late"),
        (5, "acknowledged_sends"),
        (5, "acknowledged_sends synchronous"),
        (3, "looks_through some"),
        (3, "looks_through any"),
    ],
)
def test_what_is_certain_comes_true(
    mpi_name: str, ranks: int, command: str, tmp_path: Path
) -> None:
    program, *arguments = command.split()
    mpi, platform = BY_NAME[mpi_name], with_costs(tmp_path)
    results = [
        outcome(tmp_path / mode, mpi, program, platform, mode, *arguments, ranks=ranks)[0]
        for mode in ("on", "off")
    ]
    assert results[0] == results[1]


# MPICH reads eight completions at once. A rank that waits for more answered a synchronous message
# later if it was not resumed for each. With its all-to-all functions, ranks run ahead in rounds.
@pytest.mark.parametrize("command", ["exchanges 1", "exchanges 34", "exchanges 34 library"])
@pytest.mark.parametrize("mpi_name", ["mpich", "openmpi"])
def test_many_messages_at_once(mpi_name: str, command: str, tmp_path: Path) -> None:
    program, *arguments = command.split()
    platform = tmp_path / "receives.toml"
    text = (PLATFORMS / "star64.toml").read_text()
    platform.write_text(text + '\n[mpi]\nreceive_overhead = "200 ns"\n')
    run = (BY_NAME[mpi_name], program, platform)
    early, early_turns = outcome(tmp_path / "early", *run, "on", *arguments, ranks=40)
    in_time, turns = outcome(tmp_path / "in_time", *run, "off", *arguments, ranks=40)
    assert early == in_time
    if mpi_name == "mpich":
        assert early_turns < turns / 2


def test_lower_case_receive_of_mpi4py(tmp_path: Path) -> None:
    platform = with_costs(tmp_path)
    results = [
        outcome(tmp_path / mode, MPICH, "py_claimed", platform, mode, ranks=4)[0]
        for mode in ("on", "off")
    ]
    assert results[0] == results[1]


# Threads got the clock of a rank that was ahead of it: where it had been before it waited.
@pytest.mark.parametrize("way", ["made", "early"])
@pytest.mark.parametrize("mpi_name", ["mpich", "openmpi"])
def test_threads_take_over_the_time_of_messages(mpi_name: str, way: str, tmp_path: Path) -> None:
    mpi = BY_NAME[mpi_name]
    printed = []
    for mode in ("on", "off"):
        job = run_simulated(
            mpi,
            3,
            command_of(mpi, "thread_hands_on", way),
            tmp_path / mode,
            platform=PLATFORMS / "star64.toml",
            before=("env", f"KUMI_RUN_AHEAD={mode}"),
        )
        printed.append(sorted(line for line in job.stdout.splitlines() if "continues" in line))
    # 3 µs of sleep and 1 µs for the message; rank 2 waits for rank 1. Rank 0 may come from the
    # barrier when the message is on its way.
    times_us = [float(line.split()[4]) for line in printed[0]]
    assert 2.9 < times_us[0] < 4.1
    assert times_us[1:] == pytest.approx([503, 504], abs=0.1)
    assert printed[0] == printed[1]
