"""Notices that a run no longer gets on, in real time, and says whose fault it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kumihimo.progress.ending import Ending, ExitCode, format_time, list_ranks, signal_name
from kumihimo.run.activity import Activity, cpu_seconds, process_state
from kumihimo.run.parts import STARTER, Job, Run

DEFAULT_TIMEOUT_S = 300.0
"""Real time without progress, and without a rank that computes, that ends a run by default."""
_STOP_GRACE_S = 10.0
# Open MPI alone takes many seconds to start a hundred ranks, without anything to be seen.
_SHORTEST_START_S = 60.0
_WARNING_INTERVAL_S = 60.0
_STATES = {
    "R": "it computes or loops without calling MPI",
    "S": "it waits for something outside of MPI",
    "D": "it waits for a disk or device",
    "T": "it is stopped",
    "t": "a debugger has stopped it",
    "Z": "it has ended",
}


class Watchdog:
    """Compares where the run stands with where it stood, by a clock of the real world.

    A rank that uses its core may get on by itself, however long that takes: a long computation
    looks like an endless loop to a watchdog. So it ends the run only if the user has
    said for how long to wait; else it is reported.
    """

    def __init__(
        self,
        job: Job,
        run: Run,
        ranks: int,
        stall_timeout_s: float | None,
        clock: Callable[[], float],
        warn: Callable[[str], None],
    ) -> None:
        """Watch from now on.

        Args:
            job: The processes.
            run: The run in virtual time.
            ranks: How many ranks there are.
            stall_timeout_s: Real time without progress that ends the run; 0: only ranks that are
                stopped do. None: `DEFAULT_TIMEOUT_S`, in which no rank computes.
            clock: Real time in seconds.
            warn: Warns the user.
        """
        self._job = job
        self._run = run
        self._ranks = ranks
        self._ends_computing = stall_timeout_s is not None
        self._stall_timeout_s = DEFAULT_TIMEOUT_S if stall_timeout_s is None else stall_timeout_s
        self._clock = clock
        self._warn = warn
        self._activity = Activity()
        self._seen: tuple[Any, ...] = ()
        self._seen_at_s = clock()
        self._busy_at_s = self._warned_at_s = self._seen_at_s
        self._holder_clock_ps = 0

    def check(self, progress: dict[str, Any], stopped: dict[int, int]) -> Ending | None:
        """Return the ending if nothing has moved for too long; warn of a rank that computes long.

        Args:
            progress: Where the run stands.
            stopped: Ranks that are known to be stopped, with the signal that did it.
        """
        keys = ("phase", "virtual_ps", "handovers", "messages", "attached", "joined")
        seen = (*(progress.get(key) for key in keys), self._job.running)
        now_s = self._clock()
        if seen != self._seen:
            self._seen, self._seen_at_s = seen, now_s
            self._busy_at_s = self._warned_at_s = now_s
            self._activity.reset()
            self._holder_clock_ps = self._clock_ps_of(progress["holder"])
            return None
        grace_s = min(_STOP_GRACE_S, self._stall_timeout_s or _STOP_GRACE_S)
        if now_s - self._seen_at_s >= grace_s:
            culprit = self._stopped_rank(progress, stopped)
            if culprit is not None:
                return Ending(ExitCode.STALLED, culprit)
        if self._activity.busy(now_s, lambda: self._cpu_times(progress)):
            self._busy_at_s = now_s
        still_s = now_s - (self._seen_at_s if self._ends_computing else self._busy_at_s)
        timeout_s = self._timeout_s(progress)
        if timeout_s and still_s >= timeout_s:
            heading = f"no progress for {timeout_s:g} s of real time (--stall-timeout)"
            return Ending(ExitCode.STALLED, heading + self._describe_stall(progress))
        self._tell_of_computing(progress, now_s)
        return None

    def _timeout_s(self, progress: dict[str, Any]) -> float:
        if self._stall_timeout_s and progress["phase"] == "starting":
            return max(self._stall_timeout_s, _SHORTEST_START_S)
        return self._stall_timeout_s

    def _tell_of_computing(self, progress: dict[str, Any], now_s: float) -> None:
        is_computing = self._busy_at_s > self._seen_at_s and now_s - self._busy_at_s < 2
        if not is_computing or now_s - self._warned_at_s < _WARNING_INTERVAL_S:
            return
        self._warned_at_s = now_s
        heading = f"no progress for {now_s - self._seen_at_s:.0f} s of real time"
        end = "; --stall-timeout SECONDS would end it"
        if self._ends_computing:
            timeout_s = self._timeout_s(progress)
            end = f" until --stall-timeout, {timeout_s:g} s" if timeout_s else ""
        self._warn(
            f"{heading}{self._describe_stall(progress)}; it uses its core, the run goes on{end}"
        )

    def _cpu_times(self, progress: dict[str, Any]) -> dict[int, float]:
        """Return the CPU time of each process that could bring the run on by computing."""
        phase = progress["phase"]
        if phase == "running":
            return {rank: cpu_seconds(self._pid(rank)) for rank in progress["running"]}
        if phase == "ended":
            return {rank: cpu_seconds(self._pid(rank)) for rank in range(self._ranks)}
        # Those that have attached are in MPI_Init, and poll.
        attached = {self._run.rank_pid(rank) for rank in range(self._ranks)}
        absent = [rank for rank in range(self._ranks) if not self._run.rank_pid(rank)]
        times = {rank: cpu_seconds(self._job.pid(rank)) for rank in absent if self._job.pid(rank)}
        starter = self._job.pid(STARTER)
        if absent and starter:
            times[STARTER] = cpu_seconds(starter, attached)
        return times

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
                else " and not continued"
            )
            return f"{who} (process {self._pid(rank)}) was stopped by {signal_name(number)}{hint}"
        suspects = range(self._ranks) if progress["phase"] != "running" else progress["running"]
        for rank in suspects:
            pid = self._pid(rank)
            if pid and process_state(pid) == "T":
                return f"rank {rank} (process {pid}) was stopped and not continued"
        return None

    def _describe_stall(self, progress: dict[str, Any]) -> str:
        """Return which rank holds the run, to follow on a heading."""
        phase, holder = progress["phase"], progress["holder"]
        if phase == "starting":
            # Those that have not even attached keep the others waiting.
            absent = [rank for rank in range(self._ranks) if not self._run.rank_pid(rank)]
            waiting = [
                rank for rank in range(self._ranks) if self._run.rank_status(rank)["clock_ps"] == 0
            ]
            what = "call MPI_Init, or did not come out of it" if absent else "come out of MPI_Init"
            return f": {list_ranks(absent or waiting)} did not {what}"
        if phase == "running" and holder >= 0:
            pid, clock_ps = self._pid(holder), self._clock_ps_of(holder)
            doing = _STATES.get(process_state(pid), "what it does is unknown")
            if clock_ps > self._holder_clock_ps:
                doing = "it polls or reads the clock, the others wait, and no message is in flight"
            return (
                f": rank {holder} (process {pid}) holds the run at {format_time(clock_ps)}; {doing}"
            )
        left = [rank for rank in range(self._ranks) if process_state(self._pid(rank)) != "Z"]
        where = "after MPI_Finalize" if phase == "ended" else "between two ranks"
        return f" {where}: {list_ranks(left or [0])} did not end"
