"""Separates start-up, virtual time and the ends of processes in a run's wall and CPU time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from kumihimo.results.phases import END, PREPARE, START, VIRTUAL, Mark, Phase, mark, phase_between


class PhaseTimes:
    """Follows a run from the moment before its first process starts."""

    def __init__(self, began: Mark) -> None:
        """Begin with the start of ranks; preparation `began` earlier and ends here."""
        self._began = began
        self._started = mark()
        self._joined: Mark | None = None
        self._left: Mark | None = None

    def note(self, progress: Mapping[str, Any]) -> None:
        """Note the launcher's CPU time when the run enters another phase."""
        if self._joined is None and progress["phase"] != "starting":
            self._joined = mark()
        if self._left is None and progress["phase"] == "ended":
            self._left = mark()

    def before(self, show: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
        """Return a function that notes the progress it is given, and passes it on to `show`."""

        def note_and_show(progress: dict[str, Any]) -> None:
            self.note(progress)
            show(progress)

        return note_and_show

    def phases(self, ended: Mark, job_cpu_s: float, times: Mapping[str, Any]) -> list[Phase]:
        """Return the phases of a run whose last process has ended.

        Args:
            ended: When that was.
            job_cpu_s: CPU time of all processes but the launcher.
            times: `_core.Run.host_times()`. Ranks share its memory, so it may be damaged.
        """
        joined = self._instant(self._joined, times["began_s"], self._started, ended)
        left = self._instant(self._left, times["ended_s"], joined, ended)
        start_s = _within(times["start_cpu_s"], job_cpu_s) if times["began_s"] else job_cpu_s
        rest_s = job_cpu_s - start_s
        spent_s = times["virtual_cpu_s"]
        virtual_s = rest_s if spent_s is None else _within(spent_s, rest_s)
        return [
            phase_between(PREPARE, self._began, self._started),
            phase_between(START, self._started, joined, start_s),
            phase_between(VIRTUAL, joined, left, virtual_s),
            phase_between(END, left, ended, rest_s - virtual_s),
        ]

    @staticmethod
    def _instant(noted: Mark | None, exact_s: float, least: Mark, most: Mark) -> Mark:
        """Return a mark at the exact time of a phase's end, or `most` if that has not come."""
        if not exact_s:
            return most
        # Noted later by one step of the supervision at most, if at all before the last process
        # ended.
        return replace(noted or most, wall_s=min(max(exact_s, least.wall_s), most.wall_s))


def _within(value: float, most: float) -> float:
    return min(max(value, 0.0), most)
