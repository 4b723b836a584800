"""One line on the terminal that says where the replay stands."""

from __future__ import annotations

import time
from typing import Any, TextIO

from kumihimo.progress.ending import format_time
from kumihimo.progress.status_line import StatusLine

_MINUTE_S = 60
_HOUR_S = 3600


class ReplayLine(StatusLine):
    """Shows progress on a terminal, with the time that is left."""

    def __init__(self, ranks: int, *, quiet: bool, stream: TextIO | None = None) -> None:
        """Prepare, as `StatusLine`; the replay begins now."""
        super().__init__(ranks, quiet=quiet, stream=stream)
        self._began_s = time.monotonic()

    def _text(self, progress: dict[str, Any], rate: float) -> str:
        done, total = progress["operations_done"], progress["operations"]
        passed_s = time.monotonic() - self._began_s
        left = format_left(passed_s * (total - done) / done) if done > 0 else "unknown time"
        share = 100 * done / total if total > 0 else 100
        return (
            f"{share:.0f} % of {total:,} operations, {left} left, virtual time "
            f"{format_time(progress['virtual_ps'])}, {rate:,.0f} messages/s"
        )


def format_left(seconds: float) -> str:
    """Return a span of real time as one looks at it: "40 s", "3 min", "2 h 5 min"."""
    whole = round(seconds)
    if whole < 2 * _MINUTE_S:
        return f"{whole} s"
    if whole < 2 * _HOUR_S:
        return f"{round(whole / _MINUTE_S)} min"
    hours, rest = divmod(whole, _HOUR_S)
    return f"{hours} h {rest // _MINUTE_S} min"
