"""What the launcher has seen of the processes, and what it concludes from it."""

from __future__ import annotations

import signal
from dataclasses import replace

from kumihimo.progress.ending import Ending, ExitCode, list_ranks, signal_name, status_of_code
from kumihimo.run.parts import STARTER, Event, Job, Run


class Evidence:
    """Collects what happened to the processes of a run and finds the cause of a failure.

    The first thing that went wrong is the cause; what follows are its consequences. A message to
    the process manager is stronger than the end of the process that sent it.
    """

    def __init__(self, job: Job, run: Run, ranks: int) -> None:
        """Start without evidence."""
        self._job = job
        self._run = run
        self._ranks = ranks
        self._aborts: list[Event] = []
        self._ends: dict[int, Event] = {}
        self._vanished: list[int] = []
        self._never_initialised: list[int] = []
        self._failed_after_end: dict[int, int] = {}
        self._first_vanished_is_known = True
        self.watches_every_rank = True
        """Whether no rank could have ended unseen so far."""
        self.stopped: dict[int, int] = {}
        """Ranks that are stopped, with the signal that did it."""
        self.starter_erred = False
        """Whether mpirun has reported a failure of ranks that ended well."""
        self.first_killed: str | None = None
        """Of the processes that a signal has killed: which was the first, in words."""

    def add(self, event: Event) -> None:
        """Take note of an event."""
        if event.kind == "signalled" and self.first_killed is None:
            self.first_killed = f"{_process(event)} was killed by {signal_name(event.signal)}"
        if event.kind in ("pmi_abort", "pmi_violation"):
            self._aborts.append(event)
        elif event.kind == "stopped":
            self.stopped[event.rank] = event.signal
        elif event.kind == "continued":
            self.stopped.pop(event.rank, None)
        elif event.kind == "vanished":
            if not self._has_finished(event.rank):
                if not self._vanished:
                    # Else it may have been ended because of one that was not watched yet.
                    self._first_vanished_is_known = self.watches_every_rank
                self._vanished.append(event.rank)
        else:
            self._add_end(event)

    def _add_end(self, event: Event) -> None:
        self.stopped.pop(event.rank, None)
        if event.kind == "exited" and event.rank != STARTER:
            phase = self._phase(event.rank)
            if event.code == 0 and phase == "silent":
                self._never_initialised.append(event.rank)
                return
            if phase == "finalised":
                if event.code != 0:
                    self._failed_after_end[event.rank] = event.code
                return
        elif event.kind == "exited" and (event.code == 0 or self._note_failure_after_end(event)):
            return  # mpirun is content: it would have reported a rank that was not.
        self._ends.setdefault(event.rank, event)

    def _note_failure_after_end(self, event: Event) -> bool:
        """Take note of how ranks have ended if mpirun reports a failure when virtual time is over.

        Return whether that leaves the run complete.
        """
        if self._run.progress()["phase"] != "ended":
            return False
        codes = [self._run.rank_status(rank)["exit_code"] for rank in range(self._ranks)]
        self._failed_after_end.update((rank, code) for rank, code in enumerate(codes) if code)
        # PMIx_Finalize waits two seconds for an answer of mpirun. If that did not come to it
        # earlier, it believes that a rank ended without MPI_Finalize.
        self.starter_erred = event.code == ExitCode.FAILED and set(codes) == {0}
        return self.starter_erred or event.code in self._failed_after_end.values()

    def _has_finished(self, rank: int) -> bool:
        return bool(self._run.rank_status(rank)["finished"])

    def _phase(self, rank: int) -> str:
        # MPICH takes leave of its process manager only when the process exits.
        return "finalised" if self._has_finished(rank) else self._job.pmi_phase(rank)

    @property
    def awaits_starter(self) -> bool:
        """Whether a rank has ended early, and how is known to the process that started it."""
        return bool(self._vanished) and not self._ends and not self._aborts

    def failure(self) -> Ending | None:
        """Return what went wrong so far; None if nothing did."""
        if self._aborts:
            return _aborted(self._aborts[0])
        if STARTER in self._ends:
            return self._starter_failed(self._ends[STARTER])
        if self._ends:
            return self._rank_failed(next(iter(self._ends.values())))
        if self._vanished and self._job.running == 0:
            return self.vanished()
        if self._never_initialised and self._others_wait():
            ranks = list_ranks(self._never_initialised)
            return Ending(
                ExitCode.FAILED, f"{ranks} ended without calling MPI_Init; the others wait for it"
            )
        return None

    def vanished(self) -> Ending:
        """Return the ending for a rank whose end its starter does not report."""
        return Ending(ExitCode.FAILED, f"{self._first_vanished()} ended early")

    def _first_vanished(self) -> str:
        if self._vanished and self._first_vanished_is_known:
            return f"rank {self._vanished[0]}"
        return "a rank"

    def outcome(self) -> Ending:
        """Return the ending of a run whose processes have all ended and that did not fail."""
        if len(self._never_initialised) == self._ranks:
            message = "the program ended without calling MPI_Init: there was nothing to simulate"
            return Ending(ExitCode.FAILED, message, is_empty=True)
        if self._failed_after_end:
            rank, code = min(self._failed_after_end.items())
            message = f"rank {rank} ended with exit code {code} after MPI_Finalize"
            return Ending(status_of_code(code), message, is_complete=True)
        return Ending(0, is_complete=True)

    def _others_wait(self) -> bool:
        phases = (self._job.pmi_phase(rank) for rank in range(self._ranks))
        return any(phase == "initialised" for phase in phases)

    def _rank_failed(self, event: Event) -> Ending:
        phase = self._phase(event.rank)
        when = {
            "silent": " before MPI_Init",
            "initialised": "",
            "finalised": " after MPI_Finalize",
        }[phase]
        process = _process(event)
        if event.kind == "signalled":
            ending = _killed(process, event.signal, when, event.core_dumped)
            return replace(ending, is_complete=self._run.progress()["phase"] == "ended")
        if event.kind == "exited" and event.code == 0:
            return Ending(ExitCode.FAILED, f"{process} ended without calling MPI_Finalize")
        if event.kind == "exited":
            without = " without calling MPI_Finalize" if phase == "initialised" else when
            message = f"{process} ended with exit code {event.code}{without}"
            return Ending(status_of_code(event.code), message)
        return Ending(ExitCode.FAILED, f"{process} ended{when}; its status is not known")

    def _starter_failed(self, event: Event) -> Ending:
        if event.kind == "signalled":
            return _killed(_process(event), event.signal, "", event.core_dumped)
        # The first one: mpirun kills the others when it has noticed.
        early = self._first_vanished()
        number = event.code - ExitCode.SIGNAL
        if 0 < number < 65:
            return Ending(event.code, f"{early} was killed by {signal_name(number)}")
        if self._run.progress()["attached"] == 0:
            message = f"mpirun ended with exit code {event.code} before any rank had started"
            return Ending(status_of_code(event.code), message)
        message = f"{early} ended early; mpirun's exit code is {event.code}"
        return Ending(status_of_code(event.code), message)


def _process(event: Event) -> str:
    return "mpirun" if event.rank == STARTER else f"rank {event.rank}"


def _aborted(event: Event) -> Ending:
    if event.kind == "pmi_violation":
        message = f"rank {event.rank} {event.text} to its process manager"
        return Ending(ExitCode.FAILED, message)
    message = f"the MPI library of rank {event.rank} gave up with code {event.code}"
    return Ending(status_of_code(event.code), message)


def _killed(process: str, number: int, when: str, core_dumped: bool) -> Ending:
    core = " (core dumped)" if core_dumped else ""
    # What an MPI library shares between processes it maps, and the system finds no room later.
    full = ": is /dev/shm full?" if number == signal.SIGBUS else ""
    message = f"{process} was killed by {signal_name(number)}{when}{core}{full}"
    return Ending(ExitCode.SIGNAL + number, message)
