"""The parts of `kumihimo._core` that a run is made of, as the supervision uses them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

STARTER = -1
"""The "rank" of the one process that starts the ranks (mpirun)."""


class Event(Protocol):
    """Something that happened to a process: `_core.JobEvent`."""

    @property
    def kind(self) -> str:
        """exited, signalled, stopped, continued, pmi_abort, pmi_violation or vanished."""

    @property
    def rank(self) -> int:
        """The rank, or STARTER."""

    @property
    def code(self) -> int:
        """The exit code, or that of an abort."""

    @property
    def signal(self) -> int:
        """The signal that killed or stopped the process."""

    @property
    def core_dumped(self) -> bool:
        """Whether the kernel has written the process's memory to a file."""

    @property
    def text(self) -> str:
        """What the rank said."""


class Job(Protocol):
    """The processes of a run: `_core.Job`."""

    @property
    def running(self) -> int:
        """How many of the started processes have not ended."""

    def step(self, timeout_s: float) -> Sequence[Event]:
        """Serve the processes until something happens or the time is over."""

    def watch(self, rank: int, pid: int) -> None:
        """Report the end of a rank that others have started."""

    def pid(self, rank: int) -> int:
        """Return the process id of a rank that was started here, else 0."""

    def pmi_phase(self, rank: int) -> str:
        """Return silent, initialised or finalised."""


class Run(Protocol):
    """The run in virtual time: `_core.Run`."""

    def progress(self) -> dict[str, Any]:
        """Return where the run stands."""

    def verdict(self) -> dict[str, Any] | None:
        """Return why a rank ended the run, if one did."""

    def note_watched(self) -> None:
        """Let virtual time begin: every process is watched."""

    def rank_pid(self, rank: int) -> int:
        """Return the rank's process id; 0 before it has attached."""

    def rank_status(self, rank: int) -> dict[str, Any]:
        """Return what the rank is doing."""
