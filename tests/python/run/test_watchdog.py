"""When nothing moves any more, and who is to blame."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from doubles import FakeJob, FakeRun

from kumihimo.run.ending import Ending
from kumihimo.run.watchdog import Watchdog, process_state


class World:
    """A watchdog with a clock that the test moves."""

    def __init__(self, stall_timeout_s: float = 300) -> None:
        self.now_s = 0.0
        self.job, self.run = FakeJob(), FakeRun()
        self.watchdog = Watchdog(self.job, self.run, 4, stall_timeout_s, lambda: self.now_s)
        self.stopped: dict[int, int] = {}
        self.check_at(0)

    def check_at(self, now_s: float) -> Ending | None:
        self.now_s = now_s
        return self.watchdog.check(self.run.progress(), self.stopped)


@pytest.fixture
def sleeper() -> Iterator[int]:
    with subprocess.Popen(["sleep", "60"]) as process:
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
    assert "holds the run at 5 us; it polls" in str(ending.message)


def test_without_timeout_only_stops_end_a_run(sleeper: int) -> None:
    world = World(stall_timeout_s=0)
    world.run.pids[0] = sleeper
    assert world.check_at(1e9) is None
    os.kill(sleeper, 19)
    os.waitpid(sleeper, os.WUNTRACED)
    ending = world.check_at(2e9)
    assert ending is not None
    assert ending.message == f"rank 0 (process {sleeper}) was stopped, and nobody continued it"


def test_a_stopped_rank_has_some_seconds_to_go_on() -> None:
    world = World()
    world.job.pids[3] = 77
    world.stopped = {3: 19}
    assert world.check_at(9.9) is None
    ending = world.check_at(10)
    assert ending is not None
    expected = "rank 3 (process 77) was stopped by SIGSTOP, and nobody continued it"
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
