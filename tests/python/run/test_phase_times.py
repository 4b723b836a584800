"""Wall and CPU time of a run by phase."""

from __future__ import annotations

import pytest

from kumihimo.results.phases import Mark, Phase
from kumihimo.run import phase_times
from kumihimo.run.phase_times import PhaseTimes

MARKS = (Mark(101, 1), Mark(104.1, 1.5), Mark(109.1, 1.75))
TIMES = {"began_s": 104.0, "ended_s": 109.0, "start_cpu_s": 2.0, "virtual_cpu_s": 6.0}


def phases(
    monkeypatch: pytest.MonkeyPatch, seen: tuple[str, ...], **changed: float | None
) -> dict[str, Phase]:
    """Return the phases of a run that began at 100 s and ended at 110 s, by name."""
    marks = iter(MARKS)
    monkeypatch.setattr(phase_times, "mark", lambda: next(marks))
    times = PhaseTimes(Mark(100, 0))
    for phase in seen:
        times.note({"phase": phase})
    found = times.phases(Mark(110, 2), 9.0, {**TIMES, **changed})
    return {phase.name: phase for phase in found}


def test_phases_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    found = phases(monkeypatch, ("starting", "running", "running", "ended", "ended"))
    assert list(found.values()) == [
        Phase("prepare", 1, 1),
        Phase("start", 3, 0.5 + 2),
        Phase("virtual", 5, 0.25 + 6),
        Phase("end", 1, 0.25 + 1),
    ]


def test_a_run_without_virtual_time_only_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    found = phases(monkeypatch, ("starting",), began_s=0.0, ended_s=0.0, virtual_cpu_s=None)
    assert found["start"] == Phase("start", 9, 1 + 9)
    assert found["virtual"] == Phase("virtual", 0, 0)
    assert found["end"] == Phase("end", 0, 0)


def test_ranks_that_did_not_finish_spent_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    found = phases(monkeypatch, ("running",), ended_s=0.0, virtual_cpu_s=None)
    assert found["virtual"] == Phase("virtual", 6, 0.5 + 7)


@pytest.mark.parametrize("damage", [-1e9, 1e9])
def test_damaged_times_stay_within_the_run(monkeypatch: pytest.MonkeyPatch, damage: float) -> None:
    found = phases(monkeypatch, ("running", "ended"), **dict.fromkeys(TIMES, damage))
    assert sum(phase.wall_seconds for phase in found.values()) == pytest.approx(10)
    assert sum(phase.cpu_seconds for phase in found.values()) == pytest.approx(11)
    assert all(phase.wall_seconds >= 0 and phase.cpu_seconds >= 0 for phase in found.values())
