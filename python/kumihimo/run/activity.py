"""Whether processes use their core, as the kernel counts it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

_PROC = Path("/proc")
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
# What polling for start-up messages takes is less, and what is left of a core that is shared with
# many other programs is more.
_BUSY_SHARE = 0.04
# The kernel counts in hundredths of a second.
_SHORTEST_LOOK_S = 1.0


def process_state(pid: int, proc: Path = _PROC) -> str:
    """Return the kernel's letter for the state of a process; "Z" if there is none."""
    fields = _stat(pid, proc)
    return fields[0] if fields else "Z"


def cpu_seconds(pid: int, without: Collection[int] = (), proc: Path = _PROC) -> float:
    """Return the CPU time of a process and of what it has started, in seconds.

    Args:
        pid: The process; one that does not exist has no CPU time.
        without: Processes that are left out, with all that they have started.
        proc: Where the kernel's tables are mounted.
    """
    if pid in without:
        return 0.0
    fields = _stat(pid, proc)
    if len(fields) < 15:
        return 0.0
    # Of itself in both modes, and of children that have ended.
    own_s = sum(int(field) for field in fields[11:15]) / _TICKS_PER_S
    return own_s + sum(cpu_seconds(child, without, proc) for child in _children(pid, proc))


def _stat(pid: int, proc: Path) -> list[str]:
    """Return the fields of a process from its state on; nothing if there is no such process."""
    try:
        # The name in parentheses may itself contain spaces and parentheses.
        return (proc / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _children(pid: int, proc: Path) -> list[int]:
    found: list[int] = []
    try:
        for task in (proc / str(pid) / "task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split()]
    except OSError:
        pass  # It has ended meanwhile, or this kernel does not report it.
    return found


class Activity:
    """Finds out which of some processes compute, by looking at their CPU time now and then."""

    def __init__(self) -> None:
        """Start without having seen anything."""
        self._seen: dict[int, float] = {}
        self._seen_at_s = 0.0
        self._busy: frozenset[int] = frozenset()

    def reset(self) -> None:
        """Forget what was seen."""
        self._seen, self._busy = {}, frozenset()

    def busy(self, now_s: float, cpu_times: Callable[[], Mapping[int, float]]) -> frozenset[int]:
        """Return which ranks have computed since they were looked at last.

        Args:
            now_s: Real time.
            cpu_times: Gives the CPU time of each rank in question, in seconds. Only asked once a
                second; in between the answer stays.
        """
        passed_s = now_s - self._seen_at_s
        if self._seen and passed_s < _SHORTEST_LOOK_S:
            return self._busy
        times = dict(cpu_times())
        self._busy = frozenset(
            rank
            for rank, time_s in times.items()
            if rank in self._seen and time_s - self._seen[rank] >= _BUSY_SHARE * passed_s
        )
        self._seen, self._seen_at_s = times, now_s
        return self._busy
