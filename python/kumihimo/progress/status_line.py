"""One line on the terminal that says where the run stands."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

from kumihimo.progress.ending import format_time

_INTERVAL_S = 0.25
_CLEAR = "\r\x1b[K"


class StatusLine:
    """Shows progress on a terminal, a few times a second; elsewhere it is silent."""

    def __init__(self, ranks: int, *, quiet: bool, stream: TextIO | None = None) -> None:
        """Prepare; nothing is written yet.

        Args:
            ranks: How many ranks there are.
            quiet: Whether to be silent on a terminal too.
            stream: Where to write, if it is a terminal; None for standard error.
        """
        self._ranks = ranks
        self._stream = stream or sys.stderr
        self._is_shown = not quiet and self._stream.isatty()
        self._is_dirty = False
        self._last: tuple[float, int] = (time.monotonic(), 0)

    def show(self, progress: dict[str, Any]) -> None:
        """Write where the run stands, unless it was written a moment ago."""
        now_s = time.monotonic()
        last_s, last_messages = self._last
        if not self._is_shown or now_s - last_s < _INTERVAL_S:
            return
        rate = (progress["messages"] - last_messages) / (now_s - last_s)
        self._last = (now_s, progress["messages"])
        self._stream.write(_CLEAR + self._text(progress, rate))
        self._stream.flush()
        self._is_dirty = True

    def clear(self) -> None:
        """Remove the line, before something else is written."""
        if self._is_dirty:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._is_dirty = False

    def warn(self, text: str) -> None:
        """Write a warning, also if nothing else is shown."""
        self.clear()
        self._stream.write(f"kumihimo: warning: {text}\n")
        self._stream.flush()

    def _text(self, progress: dict[str, Any], rate: float) -> str:
        if progress["phase"] == "starting":
            return f"starting: {progress['attached']} of {self._ranks} ranks"
        if progress["phase"] == "ended":
            return "ending"
        return (
            f"virtual time {format_time(progress['virtual_ps'])} (slowest: rank "
            f"{progress['slowest_rank']}), {progress['messages']:,} messages, {rate:,.0f}/s"
        )
