"""Wall and CPU time of a run by phase, from its preparation to its result."""

from __future__ import annotations

import resource
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Of a run. A replay has neither "start" nor "end".
PREPARE, START, VIRTUAL, END, WRITE = "prepare", "start", "virtual", "end", "write"
TITLES = {
    PREPARE: "Preparation",
    START: "Start of ranks",
    VIRTUAL: "Virtual time",
    END: "End of ranks",
    WRITE: "Result",
}


@dataclass(frozen=True)
class Mark:
    """An instant of this process: real time, and its CPU time so far, in seconds."""

    wall_s: float
    cpu_s: float


@dataclass(frozen=True)
class Phase:
    """Wall and CPU seconds of a phase; the latter of all processes."""

    name: str
    wall_seconds: float
    cpu_seconds: float


def mark() -> Mark:
    """Return the present instant."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    return Mark(time.monotonic(), own.ru_utime + own.ru_stime)


def phase_between(name: str, begin: Mark, end: Mark, others_cpu_s: float = 0.0) -> Phase:
    """Return a phase of this process, to which others have contributed CPU time."""
    cpu_s = end.cpu_s - begin.cpu_s + others_cpu_s
    return Phase(name, max(0.0, end.wall_s - begin.wall_s), max(0.0, cpu_s))


def phases_document(phases: Sequence[Phase]) -> dict[str, dict[str, float]]:
    """Return the phases as `host.json` has them."""
    return {
        phase.name: {
            "wall_seconds": round(phase.wall_seconds, 6),
            "cpu_seconds": round(phase.cpu_seconds, 6),
        }
        for phase in phases
    }


def phases_of(host: Mapping[str, Any]) -> list[tuple[str, float, float]]:
    """Return title, wall and CPU seconds of the phases in a `host.json`, in their order."""
    found = host.get("phases", {})
    return [
        (title, found[name]["wall_seconds"], found[name]["cpu_seconds"])
        for name, title in TITLES.items()
        if name in found
    ]
