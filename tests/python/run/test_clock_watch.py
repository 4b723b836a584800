"""Programs that go by their clock in runs whose time scarcely moves."""

from __future__ import annotations

import pytest
from doubles import FakeRun

from kumihimo.run.clock_watch import ClockWatch
from kumihimo.run.options import ComputeMode


def warnings_of(
    compute: ComputeMode, readings: int, moved_ps: int, *, messages: int = 1
) -> list[str]:
    """What is said of a run in which rank 2 reads its clock so often in 10 s, of ten minutes.

    Args:
        compute: The source of compute time.
        readings: Of the clock, in 10 s.
        moved_ps: So far the clock moves in 10 s.
        messages: Number of messages posted each second.
    """
    now_s = 0.0
    run = FakeRun()
    warnings: list[str] = []
    watch = ClockWatch(run, 4, compute, lambda: now_s, warnings.append)
    for second in range(601):
        now_s = float(second)
        run.clock_readings[2] = readings * second // 10
        run.clocks_ps[2] = moved_ps * second // 10
        run.numbers["posts"] = messages * second
        watch.check(run.progress())
    return warnings


def test_a_program_that_waits_for_its_clock_is_told_of_once() -> None:
    assert warnings_of("none", readings=5000, moved_ps=3_000_000) == [
        "rank 2 has read its clock 5,000 times in 10 s, and virtual time moved by 3 µs: with "
        "--compute none computing takes no time. A program that goes on until its clock says so "
        "may run very long: use --compute measured, or counted with kumihimo cc, or end it with "
        "--max-virtual-time"
    ]


def test_with_counted_time_the_reason_is_another() -> None:
    (warning,) = warnings_of("counted", readings=5000, moved_ps=3_000_000)
    assert "only what kumihimo cc built takes time" in warning


@pytest.mark.parametrize(
    ("compute", "readings", "moved_ps"),
    [("measured", 5000, 3), ("none", 100, 3), ("none", 5000, 10 * 10**12)],
)
def test_other_programs_are_left_alone(compute: ComputeMode, readings: int, moved_ps: int) -> None:
    assert warnings_of(compute, readings, moved_ps) == []


def test_a_program_that_calibrates_itself_is_told_of() -> None:
    """It doubles its work until that takes a while, and does nothing else."""
    (warning,) = warnings_of("none", readings=4, moved_ps=200_000, messages=0)
    assert "read its clock 4 times in 10 s" in warning
    assert warnings_of("none", readings=2, moved_ps=200_000, messages=0) == []


def test_no_rank_is_looked_at_before_virtual_time() -> None:
    run = FakeRun(phase="starting", clock_readings={0: 10**6})
    warnings: list[str] = []
    times = iter([0.0, 0.0, 100.0, 200.0])
    watch = ClockWatch(run, 4, "none", lambda: next(times), warnings.append)
    for _ in range(3):
        watch.check(run.progress())
    assert warnings == []
