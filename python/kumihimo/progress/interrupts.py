"""Signals that ask long work to end."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any


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
