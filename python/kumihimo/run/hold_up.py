"""Lets other ranks go on when one computes for long."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from typing import Any

from kumihimo.run.activity import process_state
from kumihimo.run.parts import Run

_PATIENCE_S = 1.0


class HoldUp:
    """Asks ranks that compute for long to let others go on at the same time.

    A rank that computes holds the run, unless it was known before that it would compute for long.
    If it never calls MPI again, ranks behind it could not even abort the run.
    """

    def __init__(
        self,
        run: Run,
        clock: Callable[[], float],
        send: Callable[[int, int], None] = os.kill,
        state: Callable[[int], str] = process_state,
    ) -> None:
        """Watch from now on.

        Args:
            run: The run in virtual time.
            clock: Real time in seconds.
            send: Sends a signal to a process.
            state: Gives the kernel's letter for what a process does.
        """
        self._run = run
        self._clock = clock
        self._send = send
        self._state = state
        self._seen: tuple[Any, ...] = ()
        self._since_s = clock()

    def check(self, progress: dict[str, Any]) -> None:
        """Send SIGURG to each rank that has computed for a second in which no other went on."""
        seen, now_s = (progress["phase"], progress["handovers"]), self._clock()
        if seen != self._seen:
            self._seen, self._since_s = seen, now_s
            return
        if progress["phase"] != "running" or now_s - self._since_s < _PATIENCE_S:
            return
        self._since_s = now_s
        for rank in progress["running"]:
            pid = self._run.rank_pid(rank)
            # A process that waits in the kernel would have its system call interrupted.
            if not pid or self._state(pid) != "R":
                continue
            with contextlib.suppress(ProcessLookupError):  # It may have ended meanwhile.
                self._send(pid, signal.SIGURG)
