"""Signals that ask a sweep to end."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from types import FrameType

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What a terminal sends to every process of a command.
_OF_TERMINALS = (signal.SIGINT, signal.SIGHUP)


@dataclass
class Interruption:
    """Whether the user wants the end.

    Attributes:
        number: Of the first signal that asked for it; 0 for none.
    """

    number: int = 0

    @property
    def exit_status(self) -> int:
        """What to exit with, as shells do."""
        return 128 + self.number


@contextmanager
def noted_signals() -> Iterator[Interruption]:
    """Note signals that ask to end instead of breaking off wherever the program is.

    An exception in the middle of Dask's code would leave some of its processes behind, which then
    complain.
    """
    asked = Interruption()

    def note(number: int, _frame: FrameType | None) -> None:
        asked.number = asked.number or number

    before = {number: signal.signal(number, note) for number in _ENDING}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def kept_from_children() -> Iterator[None]:
    """Keep a terminal's signals from threads and processes that are started in this block.

    A terminal sends Ctrl-C to workers too, which would die of it, with a traceback. They are ended
    by the sweep; what they run takes signals again (`take_signals`). What comes meanwhile is
    delivered here at the end of the block.
    """
    # Started by the first process that multiprocessing starts, it would unblock SIGINT there.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _OF_TERMINALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def take_signals() -> None:
    """Take again what `kept_from_children` has kept from the process that started this one."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _OF_TERMINALS)
