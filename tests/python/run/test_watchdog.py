"""When nothing moves any more, and which process is to blame."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from doubles import FakeJob, FakeRun

from kumihimo.progress.ending import Ending
from kumihimo.run.activity import cpu_seconds, process_state
from kumihimo.run.watchdog import Watchdog


class World:
    """A watchdog with a clock that the test moves."""

    def __init__(self, stall_timeout_s: float | None = 300) -> None:
        self.now_s = 0.0
        self.job, self.run = FakeJob(), FakeRun()
        self.warnings: list[str] = []
        self.watchdog = Watchdog(
            self.job, self.run, 4, stall_timeout_s, lambda: self.now_s, self.warnings.append
        )
        self.stopped: dict[int, int] = {}
        self.check_at(0)

    def check_at(self, now_s: float) -> Ending | None:
        self.now_s = now_s
        return self.watchdog.check(self.run.progress(), self.stopped)


@pytest.fixture
def sleeper() -> Iterator[int]:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        # Under load a process takes a while to begin. This one then only waits for more input.
        process.stdin.write(b"begun")
        process.stdin.flush()
        assert process.stdout.read(5) == b"begun"
        while process_state(process.pid) != "S":
            time.sleep(0.001)
        yield process.pid
        process.kill()


def test_a_run_that_moves_is_left_alone() -> None:
    world = World()
    for step in range(100):
        world.run.numbers["handovers"] = step
        assert world.check_at(step * 299) is None


def test_a_holder_that_never_hands_on_is_named() -> None:
    world = World()
    world.run.numbers["holder"] = 2
    world.run.pids[2] = os.getpid()
    world.check_at(1)
    assert world.check_at(299.9) is None
    ending = world.check_at(300)
    assert ending is not None
    assert ending.exit_code == 124
    expected = f"rank 2 (process {os.getpid()}) holds the run at 0 ps; it computes or loops"
    assert expected in str(ending.message)


def test_a_holder_whose_own_clock_goes_on_polls() -> None:
    world = World()
    world.run.pids[0] = os.getpid()
    world.run.clocks_ps[0] = 5_000_000
    ending = world.check_at(300)
    assert ending is not None
    assert "holds the run at 5 µs; it polls" in str(ending.message)


class Cpu:
    """CPU times of processes, as the test says."""

    def __init__(self) -> None:
        self.seconds: dict[int, float] = {}

    def __call__(self, pid: int, _without: object = ()) -> float:
        return self.seconds.get(pid, 0.0)


@pytest.fixture
def cpu(monkeypatch: pytest.MonkeyPatch) -> Cpu:
    times = Cpu()
    monkeypatch.setattr("kumihimo.run.watchdog.cpu_seconds", times)
    return times


def compute(world: World, cpu: Cpu, pid: int, until_s: int) -> Ending | None:
    """Let a process use its core; return how that ends the run."""
    for now_s in range(int(world.now_s) + 2, until_s + 1, 2):
        cpu.seconds[pid] = cpu.seconds.get(pid, 0.0) + 1
        ending = world.check_at(now_s)
        if ending is not None:
            return ending
    return None


def test_a_rank_that_computes_goes_on_and_is_told_of_once_a_minute(cpu: Cpu) -> None:
    world = World(stall_timeout_s=None)
    world.run.pids[0] = os.getpid()
    assert compute(world, cpu, os.getpid(), 1000) is None
    assert len(world.warnings) == 16
    assert world.warnings[0] == (
        f"no progress for 60 s of real time: rank 0 (process {os.getpid()}) holds the run at 0 ps; "
        "it computes or loops without calling MPI; it uses its core, the run goes on; "
        "--stall-timeout SECONDS would end it"
    )


@pytest.mark.processes
def test_a_rank_that_no_longer_computes_has_its_time_from_then_on(cpu: Cpu, sleeper: int) -> None:
    world = World(stall_timeout_s=None)
    world.run.pids[0] = sleeper
    assert compute(world, cpu, sleeper, 400) is None
    assert world.check_at(699.9) is None
    ending = world.check_at(700)
    assert ending is not None
    assert "no progress for 300 s of real time" in str(ending.message)
    assert "it waits for something outside of MPI" in str(ending.message)


def test_a_timeout_of_the_users_own_ends_a_rank_that_computes(cpu: Cpu) -> None:
    world = World(stall_timeout_s=90)
    world.run.pids[0] = os.getpid()
    ending = compute(world, cpu, os.getpid(), 1000)
    assert ending is not None
    assert world.now_s == 90
    assert "it computes or loops without calling MPI" in str(ending.message)
    (warning,) = world.warnings
    assert warning.endswith("the run goes on until --stall-timeout, 90 s")


def test_little_cpu_time_is_no_computing(cpu: Cpu) -> None:
    world = World(stall_timeout_s=None)
    world.run.pids[0] = os.getpid()
    for now_s in range(2, 300, 2):
        cpu.seconds[os.getpid()] = now_s * 0.02
        assert world.check_at(now_s) is None
    assert world.check_at(300) is not None
    assert world.warnings == []


def test_a_rank_may_compute_before_it_calls_mpi_init(cpu: Cpu) -> None:
    world = World(stall_timeout_s=None)
    world.run.phase = "starting"
    world.run.pids = {0: 50, 1: 51, 2: 52}
    world.job.pids = {rank: 50 + rank for rank in range(4)}
    # Those that have called it poll.
    cpu.seconds[50] = 7.0
    assert compute(world, cpu, 53, 1000) is None
    assert "rank 3 did not call MPI_Init" in world.warnings[0]
    assert compute(world, cpu, 50, 2000) is not None


@pytest.mark.processes
def test_cpu_time_is_that_of_children_too() -> None:
    # The kernel's table counts whole ticks in each mode: a little more than what is asked for.
    burn = "import time\nwhile time.process_time() < 0.4: pass\nprint(flush=True); input()"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert cpu_seconds(process.pid) >= 0.3
        assert cpu_seconds(process.pid, without={process.pid}) == 0
        process.communicate(b"\n")
    assert cpu_seconds(process.pid) == 0


@pytest.mark.processes
def test_without_timeout_only_stops_end_a_run(sleeper: int) -> None:
    world = World(stall_timeout_s=0)
    world.run.pids[0] = sleeper
    assert world.check_at(1e9) is None
    os.kill(sleeper, 19)
    os.waitpid(sleeper, os.WUNTRACED)
    ending = world.check_at(2e9)
    assert ending is not None
    assert ending.message == f"rank 0 (process {sleeper}) was stopped and not continued"


def test_a_stopped_rank_has_some_seconds_to_go_on() -> None:
    world = World()
    world.job.pids[3] = 77
    world.stopped = {3: 19}
    assert world.check_at(9.9) is None
    ending = world.check_at(10)
    assert ending is not None
    expected = "rank 3 (process 77) was stopped by SIGSTOP and not continued"
    assert ending.message == expected


def test_a_rank_that_reads_from_the_terminal_is_told_apart() -> None:
    world = World()
    world.stopped = {0: 21}
    ending = world.check_at(10)
    assert ending is not None
    assert "it reads from the terminal" in str(ending.message)


def test_a_start_has_a_minute_at_least() -> None:
    world = World(stall_timeout_s=2)
    world.run.phase = "starting"
    world.run.pids = {0: os.getpid(), 1: os.getpid(), 3: os.getpid()}
    world.check_at(1)
    assert world.check_at(60.9) is None
    ending = world.check_at(61)
    assert ending is not None
    assert "rank 2 did not call MPI_Init, or did not come out of it" in str(ending.message)


def test_ranks_that_do_not_end_are_named() -> None:
    world = World()
    world.run.phase = "ended"
    world.run.pids = {1: os.getpid()}
    world.run.numbers["holder"] = -1
    world.check_at(1)
    ending = world.check_at(301)
    assert ending is not None
    assert "after MPI_Finalize: rank 1 did not end" in str(ending.message)


def test_a_process_name_may_contain_anything(tmp_path: Path) -> None:
    (tmp_path / "5").mkdir()
    (tmp_path / "5" / "stat").write_text("5 (a) R (b) T 1 5 5 0\n")
    assert process_state(5, tmp_path) == "T"
    assert process_state(6, tmp_path) == "Z"
