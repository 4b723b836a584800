"""Letting other ranks go on when one computes for long."""

import itertools
import signal

from doubles import FakeRun

from kumihimo.run.hold_up import HoldUp


def sent_to(states: dict[int, str], run: FakeRun, times_s: list[float]) -> list[tuple[int, int]]:
    """Check once at each of these times, after one at 0; return what was sent."""
    sent: list[tuple[int, int]] = []
    now_s = [0.0]

    def send(pid: int, number: int) -> None:
        if states[pid] == "gone":
            raise ProcessLookupError
        sent.append((pid, number))

    hold_up = HoldUp(run, lambda: now_s[0], send, lambda pid: states[pid].replace("gone", "R"))
    hold_up.check(run.progress())
    for time_s in times_s:
        now_s[0] = time_s
        hold_up.check(run.progress())
    return sent


def run_of(**numbers: object) -> FakeRun:
    return FakeRun(pids={0: 100, 1: 101, 2: 102}, numbers=dict(numbers))


def test_a_rank_that_computes_for_a_second_is_told_once_a_second() -> None:
    run = run_of(running=[0, 1])
    states = {100: "R", 101: "S"}
    assert sent_to(states, run, [0.5, 0.9]) == []
    assert sent_to(states, run, [0.5, 1.0, 1.5, 2.1]) == [(100, signal.SIGURG)] * 2


def test_a_run_that_gets_on_is_left_alone() -> None:
    handovers = itertools.count()
    run = run_of(running=[0])

    def progress() -> dict[str, object]:
        return {"phase": "running", "handovers": next(handovers), "running": [0]}

    run.progress = progress  # type: ignore[method-assign]
    assert sent_to({100: "R"}, run, [5, 10, 15]) == []


def test_only_ranks_in_virtual_time_are_told() -> None:
    assert sent_to({100: "R"}, FakeRun(phase="starting", pids={0: 100}), [5, 10]) == []


def test_a_process_that_has_ended_is_passed_over() -> None:
    run = run_of(running=[1, 2, 3])
    assert sent_to({101: "gone", 102: "R"}, run, [5]) == [(102, signal.SIGURG)]
