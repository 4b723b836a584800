"""Stand-ins for the processes of a run, and for the run in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class FakeEvent:
    """What `_core.JobEvent` reports."""

    kind: str
    rank: int
    code: int = 0
    signal: int = 0
    core_dumped: bool = False
    text: str = ""


@dataclass
class FakeJob:
    """Processes whose events are written in advance, one list for each step."""

    script: list[list[FakeEvent]] = field(default_factory=list)
    phases: dict[int, str] = field(default_factory=dict)
    running: int = 4
    watched: dict[int, int] = field(default_factory=dict)
    pids: dict[int, int] = field(default_factory=dict)
    before_step: Callable[[], None] = lambda: None

    def step(self, timeout_s: float) -> Sequence[FakeEvent]:
        """Give the next events; every end lowers the number of processes."""
        assert 0 < timeout_s <= 1, "the launcher must look around often"
        self.before_step()
        events = self.script.pop(0) if self.script else []
        self.running -= sum(event.kind in ("exited", "signalled") for event in events)
        return events

    def watch(self, rank: int, pid: int) -> None:
        """Take note."""
        self.watched[rank] = pid

    def pid(self, rank: int) -> int:
        """Give what was set."""
        return self.pids.get(rank, 0)

    def pmi_phase(self, rank: int) -> str:
        """Give what was set; a rank is in the middle of its work if nothing was."""
        return self.phases.get(rank, "initialised")


@dataclass
class FakeRun:
    """A run that stands where the test says."""

    ranks: int = 4
    phase: str = "running"
    verdict_now: dict[str, Any] | None = None
    finished: set[int] = field(default_factory=set)
    pids: dict[int, int] = field(default_factory=dict)
    clocks_ps: dict[int, int] = field(default_factory=dict)
    exit_codes: dict[int, int] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    clock_readings: dict[int, int] = field(default_factory=dict)
    numbers: dict[str, Any] = field(default_factory=dict)
    times_noted: int = 0

    def note_watched(self) -> None:
        """Count."""
        self.times_noted += 1

    def progress(self) -> dict[str, Any]:
        """Where the run stands."""
        standard = {
            "phase": self.phase,
            "virtual_ps": 1000,
            "slowest_rank": 0,
            "holder": 0,
            "attached": self.ranks,
            "joined": self.ranks,
            "messages": 8,
            "bytes": 64,
            "control_messages": 0,
            "handovers": 10,
            "pending_abort": None,
            "posts": 20,
        }
        together = {**standard, **self.numbers}
        holder = together["holder"]
        return {"running": [holder] if holder >= 0 else [], **together}

    def verdict(self) -> dict[str, Any] | None:
        """What a rank found."""
        return self.verdict_now

    def rank_pid(self, rank: int) -> int:
        """Its process, if it has attached."""
        return self.pids.get(rank, 0)

    def rank_status(self, rank: int) -> dict[str, Any]:
        """What the rank does."""
        return {
            "host": 10 + rank,
            "clock_ps": self.clocks_ps.get(rank, 0),
            "clock_readings": self.clock_readings.get(rank, 0),
            "text": self.texts.get(rank, "runs"),
            "finished": rank in self.finished,
            "exit_code": self.exit_codes.get(rank),
            "blocked": rank in self.texts,
        }
