"""Notices that a run no longer gets on, in real time, and says whose fault it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kumihimo.run.ending import Ending, ExitCode, format_time, list_ranks, signal_name
from kumihimo.run.parts import STARTER, Job, Run

_STOP_GRACE_S = 10.0
# Open MPI alone takes many seconds to start a hundred ranks, without anything to be seen.
_SHORTEST_START_S = 60.0
_STATES = {
    "R": "it computes or loops without calling MPI",
    "S": "it waits for something outside of MPI",
    "D": "it waits for a disk or device",
    "T": "it is stopped",
    "t": "a debugger has stopped it",
    "Z": "it has ended",
}


def process_state(pid: int, proc: Path = Path("/proc")) -> str:
    """Return the kernel's letter for the state of a process; "Z" if there is none."""
    try:
        # The name in parentheses may itself contain spaces and parentheses.
        return (proc / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return "Z"


class Watchdog:
    """Compares where the run stands with where it stood, by a clock of the real world."""

    def __init__(
        self,
        job: Job,
        run: Run,
        ranks: int,
        stall_timeout_s: float,
        clock: Callable[[], float],
    ) -> None:
        """Watch from now on; with a `stall_timeout_s` of 0 only for ranks that are stopped."""
        self._job = job
        self._run = run
        self._ranks = ranks
        self._stall_timeout_s = stall_timeout_s
        self._clock = clock
        self._seen: tuple[Any, ...] = ()
        self._seen_at_s = clock()
        self._holder_clock_ps = 0

    def check(self, progress: dict[str, Any], stopped: dict[int, int]) -> Ending | None:
        """Return the ending if nothing has moved for too long.

        Args:
            progress: Where the run stands.
            stopped: Ranks that are known to be stopped, with the signal that did it.
        """
        keys = ("phase", "virtual_ps", "handovers", "messages", "attached", "joined")
        seen = (*(progress.get(key) for key in keys), self._job.running)
        now_s = self._clock()
        if seen != self._seen:
            self._seen, self._seen_at_s = seen, now_s
            self._holder_clock_ps = self._clock_ps_of(progress["holder"])
            return None
        still_s = now_s - self._seen_at_s
        grace_s = min(_STOP_GRACE_S, self._stall_timeout_s or _STOP_GRACE_S)
        if still_s >= grace_s:
            culprit = self._stopped_rank(progress, stopped)
            if culprit is not None:
                return Ending(ExitCode.STALLED, culprit)
        timeout_s = self._stall_timeout_s
        if timeout_s and progress["phase"] == "starting":
            timeout_s = max(timeout_s, _SHORTEST_START_S)
        if timeout_s and still_s >= timeout_s:
            return Ending(ExitCode.STALLED, self._describe_stall(progress, timeout_s))
        return None

    def _clock_ps_of(self, rank: int) -> int:
        return int(self._run.rank_status(rank)["clock_ps"]) if rank >= 0 else 0

    def _pid(self, rank: int) -> int:
        return self._job.pid(rank) or self._run.rank_pid(rank)

    def _stopped_rank(self, progress: dict[str, Any], stopped: dict[int, int]) -> str | None:
        for rank, number in sorted(stopped.items()):
            who = "mpirun" if rank == STARTER else f"rank {rank}"
            hint = (
                ": it reads from the terminal; redirect its input"
                if signal_name(number) == "SIGTTIN"
                else ", and nobody continued it"
            )
            return f"{who} (process {self._pid(rank)}) was stopped by {signal_name(number)}{hint}"
        suspects = range(self._ranks) if progress["phase"] != "running" else (progress["holder"],)
        for rank in suspects:
            pid = self._pid(rank) if rank >= 0 else 0
            if pid and process_state(pid) == "T":
                return f"rank {rank} (process {pid}) was stopped, and nobody continued it"
        return None

    def _describe_stall(self, progress: dict[str, Any], timeout_s: float) -> str:
        heading = f"no progress for {timeout_s:g} s of real time (--stall-timeout)"
        phase, holder = progress["phase"], progress["holder"]
        if phase == "starting":
            # Those that have not even attached keep the others waiting.
            absent = [rank for rank in range(self._ranks) if not self._run.rank_pid(rank)]
            waiting = [
                rank for rank in range(self._ranks) if self._run.rank_status(rank)["clock_ps"] == 0
            ]
            what = "call MPI_Init, or did not come out of it" if absent else "come out of MPI_Init"
            return f"{heading}: {list_ranks(absent or waiting)} did not {what}"
        if phase == "running" and holder >= 0:
            pid, clock_ps = self._pid(holder), self._clock_ps_of(holder)
            doing = _STATES.get(process_state(pid), "what it does is unknown")
            if clock_ps > self._holder_clock_ps:
                doing = "it polls or reads the clock, the others wait, and no message is under way"
            where = f"rank {holder} (process {pid}) holds the run at {format_time(clock_ps)}"
            return f"{heading}: {where}; {doing}"
        left = [rank for rank in range(self._ranks) if process_state(self._pid(rank)) != "Z"]
        where = "after MPI_Finalize" if phase == "ended" else "between two ranks"
        return f"{heading} {where}: {list_ranks(left or [0])} did not end"
