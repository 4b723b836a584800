"""Clocks that do not go through MPI: the processor's counter, CPU time, alarms."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jobs import BIN, MPICH, OPEN_MPI, PLATFORMS, WITH_TABLES, Job, Mpi, command_of, run_simulated

SLEPT_NS = 20_000_000


def run_counter(mpi: Mpi, folder: Path, *arguments: str, before: tuple[str, ...] = ()) -> Job:
    return run_simulated(
        mpi,
        2,
        command_of(mpi, "counter", *arguments),
        folder,
        platform=PLATFORMS / "star4.toml",
        before=before,
        options=WITH_TABLES,
    )


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
def test_the_processors_counter_shows_virtual_time_in_nanoseconds(mpi: Mpi, tmp_path: Path) -> None:
    first, second = (run_counter(mpi, tmp_path / name, "print") for name in ("a", "b"))
    assert first.stdout == second.stdout
    assert first.result == second.result
    assert first.result["real_clocks"] == []
    passed = dict(line.split() for line in first.stdout.splitlines() if "passed" not in line)
    counter, system_call = int(passed["rdtsc"]), int(passed["syscall"])
    assert SLEPT_NS < counter < SLEPT_NS + 1_000_000
    assert abs(counter - system_call) < 1000
    # Sleeping takes no CPU time. In nanoseconds and microseconds.
    assert abs(int(passed["cpu"]) - (counter - SLEPT_NS)) < 1000
    assert abs(int(passed["clock"]) - (counter - SLEPT_NS) / 1000) < 2
    assert abs(int(passed["getrusage"]) - (counter - SLEPT_NS) / 1000) < 2


def test_the_counter_may_be_left_alone_which_is_said(tmp_path: Path) -> None:
    job = run_counter(MPICH, tmp_path / "out", "real", before=("env", "KUMI_TRAP_RDTSC=off"))
    assert job.result["real_clocks"] == ["rdtsc (not watched)"]


@pytest.mark.parametrize(
    ("trap", "library"), [("on", "libkumi-mpi-openmpi.so"), ("off", "libopen-pal.so.40")]
)
def test_open_mpis_own_timers_are_no_traps(trap: str, library: str, tmp_path: Path) -> None:
    job = run_simulated(
        OPEN_MPI,
        2,
        command_of(OPEN_MPI, "open_mpi_timers"),
        tmp_path / "out",
        platform=PLATFORMS / "star4.toml",
        before=("env", f"KUMI_TRAP_RDTSC={trap}"),
    )
    assert f"timers of {library}" in job.stdout


def test_an_alarm_is_said_to_be_real(tmp_path: Path) -> None:
    job = run_counter(MPICH, tmp_path / "out", "alarm")
    assert job.result["real_clocks"] == ["timers"]
    assert "Remark: real time could be seen by the program: timers" in job.stderr


def test_readings_of_the_clock_are_told_apart(tmp_path: Path) -> None:
    job = run_counter(MPICH, tmp_path / "out")
    readings_ps = [row["clock_reading_ps"] for row in job.result["per_rank"]]
    assert all(readings_ps)
    # The default cost of each is 50 ns.
    assert all(reading_ps % 50_000 == 0 for reading_ps in readings_ps)
    totals = job.result["totals"]
    assert totals["clock_reading_ps"] == sum(readings_ps) <= totals["compute_ps"]
    ranks = pq.read_table(tmp_path / "out" / "ranks.parquet")
    assert ranks["clock_reading_ps"].to_pylist() == readings_ps
    assert "Clock readings, in Compute: " in job.stderr


def test_sleeping_is_waiting(tmp_path: Path) -> None:
    job = run_counter(MPICH, tmp_path / "out")
    totals = job.result["totals"]
    slept_ps = 2 * SLEPT_NS * 1000
    assert totals["compute_ps"] < slept_ps // 10
    assert slept_ps <= totals["wait_ps"] < slept_ps + slept_ps // 10
    states = pq.read_table(tmp_path / "out" / "states.parquet").to_pylist()
    longest = max(states, key=lambda row: row["end_ps"] - row["begin_ps"])
    assert longest["state"] == "sleep"


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
def test_who_waits_for_a_thread_takes_over_its_time(mpi: Mpi, tmp_path: Path) -> None:
    """The same in every run, also where the thread was done before the first one came."""
    jobs = [
        run_simulated(
            mpi,
            3,
            command_of(mpi, "thread_waits", "print"),
            tmp_path / name,
            platform=PLATFORMS / "star4.toml",
        )
        for name in ("a", "b")
    ]
    assert jobs[0].stdout == jobs[1].stdout
    assert jobs[0].result == jobs[1].result
    ways = [line.split() for line in jobs[0].stdout.splitlines() if "passed" not in line]
    assert len(ways) == 14
    for way, sleeps, passed_ns in ways:
        # The exchange between the start and the wait, and readings of clocks.
        over_ns = int(passed_ns) - int(sleeps) * SLEPT_NS
        assert 0 <= over_ns < 1000, way


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
def test_the_limit_of_virtual_time_is_where_a_run_ends(mpi: Mpi, tmp_path: Path) -> None:
    command = [str(BIN / "kumihimo"), "run", "-n", "4", "--mpi", mpi.name, "--compute", "none"]
    command += ["--platform", str(PLATFORMS / "star4.toml"), "--out", str(tmp_path / "out")]
    command += ["--max-virtual-time", "3 us", "--", *command_of(mpi, "ring", "1000")]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert finished.returncode == 4, finished.stderr
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert result["status"] == "partial"
    reason = "virtual time has reached its limit, 3 µs: ranks 0, 1, 2 and 3 did not finish"
    assert result["reason"] == reason
    assert result["virtual_time_ps"] == 3_000_000
    for row in result["per_rank"]:
        assert row["finish_ps"] == 3_000_000
        assert row["compute_ps"] + row["communication_ps"] + row["wait_ps"] == 3_000_000
    states = pq.read_table(tmp_path / "out" / "states.parquet")["end_ps"].to_pylist()
    assert max(states) == 3_000_000
    assert "Finished at" not in finished.stderr


@pytest.mark.parametrize(
    ("options", "year"), [((), "2000"), (("--start-date", "2026-11-24 12:00"), "2026")]
)
def test_the_program_has_the_date_that_is_wanted(
    options: tuple[str, ...], year: str, tmp_path: Path
) -> None:
    """Of a program that knows nothing of MPI's clocks; without an event there is no hash."""
    script = tmp_path / "date.py"
    script.write_text(
        "import datetime\nfrom mpi4py import MPI\nprint(datetime.datetime.now(datetime.UTC))\n"
    )
    job = run_simulated(
        MPICH,
        1,
        [sys.executable, str(script)],
        tmp_path / "out",
        platform=PLATFORMS / "star4.toml",
        options=options,
    )
    assert job.stdout.startswith(f"{year}-"), job.stdout
    if options:
        assert job.stdout.startswith("2026-11-24 12:00:0")
    assert ("start_date" in job.result["configuration"]["options"]) == bool(options)
    assert job.result["events"] == 0
    assert job.result["event_hash"] is None
    assert "complete, no event" in job.stderr


@pytest.mark.parametrize("date", ["tomorrow", "1999-12-31", "2300-01-01", "2026-13-01"])
def test_what_is_no_date(date: str, tmp_path: Path) -> None:
    command = [str(BIN / "kumihimo"), "run", "--platform", str(PLATFORMS / "star4.toml")]
    command += ["--start-date", date, "--out", str(tmp_path / "out"), "--", "/bin/true"]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert finished.returncode == 2
    assert "--start-date: expected a date" in finished.stderr
    assert not (tmp_path / "out").exists()
