"""Watches a run from its start to its end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from kumihimo import _core
from kumihimo.progress.ending import Ending, ExitCode, interrupted
from kumihimo.progress.interrupts import Interrupts
from kumihimo.run.clock_watch import ClockWatch
from kumihimo.run.evidence import Evidence
from kumihimo.run.hold_up import HoldUp
from kumihimo.run.options import ComputeMode
from kumihimo.run.parts import Job, Run
from kumihimo.run.totals import without_result
from kumihimo.run.verdicts import aborted, ending_of
from kumihimo.run.watchdog import Watchdog

_STEP_S = 0.1
# While there are ranks that others have started and that are not watched yet: virtual time waits
# until all are, since only then is it known which of them ends first.
_FIRST_STEP_S = 0.01
# How long mpirun may take to report how a rank has ended.
_STARTER_GRACE_S = 5.0
# How long a rank that has called MPI_Abort waits for ranks that may have something earlier to do.
_ABORT_GRACE_S = 2.0


class Supervisor:
    """Serves and watches the processes of one run until it has ended, well or not.

    It kills nothing: that is for the caller to do, whatever the ending.
    """

    def __init__(
        self,
        job: Job,
        run: Run,
        ranks: int,
        *,
        interrupts: Interrupts,
        stall_timeout_s: float | None,
        compute: ComputeMode,
        starts_ranks_itself: bool,
        show: Callable[[dict[str, Any]], None],
        gap_text: Callable[[int, int], str],
        warn: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to watch a job that was just started.

        Args:
            job: The processes.
            run: The run in virtual time.
            ranks: How many ranks there are.
            interrupts: Signals to the launcher.
            stall_timeout_s: Real time without progress that ends the run; 0: never; None: as the
                watchdog sees fit.
            compute: Where the time between MPI calls comes from.
            starts_ranks_itself: Whether the job is one process that starts the ranks.
            show: Is given the run's progress now and then.
            gap_text: Says in words that two hosts, by their numbers, have no path.
            warn: Warns the user of what may be wrong while the run goes on.
            clock: Real time in seconds.
        """
        self._job = job
        self._run = run
        self._ranks = ranks
        self._interrupts = interrupts
        self._show = show
        self._gap_text = gap_text
        self._clock = clock
        self._warn = warn
        self._evidence = Evidence(job, run, ranks)
        self._watchdog = Watchdog(job, run, ranks, stall_timeout_s, clock, warn)
        self._clock_watch = ClockWatch(run, ranks, compute, clock, warn)
        self._hold_up = HoldUp(run, clock)
        self._unwatched = set(range(ranks)) if starts_ranks_itself else set()
        self._evidence.watches_every_rank = not self._unwatched
        self._awaiting_since_s: float | None = None
        self._aborting_since_s: float | None = None

    def supervise(self) -> Ending:
        """Return how the run ended, as soon as it has, or can no longer end well.

        Raises:
            UserError: If the run's state is damaged; says which process was killed, if one was.
        """
        try:
            return self._watch()
        except _core.StateDamagedError as error:
            killed = self._evidence.first_killed
            raise without_result(str(error) if killed is None else f"{error}\n{killed}") from error

    def _watch(self) -> Ending:
        while True:
            is_sure = self._evidence.watches_every_rank
            for event in self._job.step(_STEP_S if is_sure else _FIRST_STEP_S):
                self._evidence.add(event)
            progress = self._run.progress()
            self._watch_attached()
            ending = self._failure(progress)
            if ending is not None:
                return ending
            if self._job.running == 0:
                if self._evidence.starter_erred:
                    self._warn("mpirun reports a rank that failed, but all ended with exit code 0")
                return self._outcome(progress)
            self._clock_watch.check(progress)
            self._hold_up.check(progress)
            self._show(progress)

    def _failure(self, progress: dict[str, Any]) -> Ending | None:
        if self._interrupts.received:
            return interrupted(self._interrupts.received)
        # The processes first: a rank sets its verdict before it dies of it.
        seen = self._evidence.failure() or self._missing_report()
        verdict = self._run.verdict()
        if verdict is not None:
            return ending_of(verdict, self._run, self._ranks, self._gap_text)
        return (
            seen
            or self._pending_abort(progress)
            or self._watchdog.check(progress, self._evidence.stopped)
        )

    def _pending_abort(self, progress: dict[str, Any]) -> Ending | None:
        """Return the ending if a rank has aborted, and others do not come to its time."""
        if progress["pending_abort"] is None:
            return None
        if self._aborting_since_s is None:
            self._aborting_since_s = self._clock()
        if self._clock() - self._aborting_since_s < _ABORT_GRACE_S:
            return None
        rank, code = progress["pending_abort"]
        busy = [other for other in progress["running"] if other != rank]
        return aborted(rank, code, busy)

    def _missing_report(self) -> Ending | None:
        """Return the ending if a rank has vanished and mpirun does not say how."""
        if not self._evidence.awaits_starter:
            return None
        if self._awaiting_since_s is None:
            self._awaiting_since_s = self._clock()
        if self._clock() - self._awaiting_since_s < _STARTER_GRACE_S:
            return None
        return self._evidence.vanished()

    def _watch_attached(self) -> None:
        """Watch those ranks that others have started, once their processes are known."""
        # Not what is watched from now on: such a process may have ended before.
        if not self._unwatched and not self._evidence.watches_every_rank:
            self._evidence.watches_every_rank = True
            self._run.note_watched()
        for rank in sorted(self._unwatched):
            pid = self._run.rank_pid(rank)
            if pid:
                self._job.watch(rank, pid)
                self._unwatched.discard(rank)

    def _outcome(self, progress: dict[str, Any]) -> Ending:
        outcome = self._evidence.outcome()
        if not outcome.is_complete:
            return outcome
        if progress["attached"] < self._ranks:
            message = (
                f"only {progress['attached']} of {self._ranks} ranks took part in the run: the "
                "program's MPI library was not loaded with Kumihimo's (is it linked statically?)"
            )
            return Ending(ExitCode.FAILED, message)
        # The barrier at the end of MPI_Init alone sends messages.
        if self._ranks > 1 and progress["posts"] == 0:
            message = (
                "no message went over the described network: the program's MPI library did not use "
                "Kumihimo's provider"
            )
            return Ending(ExitCode.FAILED, message)
        return outcome
