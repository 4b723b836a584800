"""Signals that ask long work to end."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class StoppedError(KeyboardInterrupt):
    """A signal asks the command to end; raised wherever it is.

    Attributes:
        number: Of the signal.
    """

    def __init__(self, number: int) -> None:
        """Take note of the signal."""
        super().__init__(number)
        self.number = number


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Raise StoppedError at the first signal that asks to end, so that what was begun is removed.

    Signals that the caller ignores stay ignored, as under `nohup`. Further ones do not disturb the
    removal.
    """

    def stop(number: int, _frame: FrameType | None) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise StoppedError(number)

    before = {
        number: signal.getsignal(number)
        for number in Interrupts.SIGNALS
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Interrupts:
    """Takes note of signals to the launcher, instead of dying of them, while it is entered."""

    SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def __init__(self) -> None:
        """Start without a signal."""
        self.received = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupts:
        """Take the signals over."""
        self._before = {number: signal.signal(number, self._note) for number in self.SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        """Give the signals back."""
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.received = self.received or number
