"""Notices programs that go by their clock in runs whose time scarcely moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kumihimo.progress.ending import format_time
from kumihimo.run.options import ComputeMode
from kumihimo.run.parts import Run

_WINDOW_S = 10.0
# A program that only measures itself reads its clock now and then.
_MANY_READINGS = 150
# Unless it does nothing else: one that repeats its work more and more often, until that takes as
# long as it wants, reads the clock less and less often.
_READINGS_ALONE = 3
# Of real time; virtual time that moves faster comes to any end that a person waits for.
_SLOW_SHARE = 0.1
_WHY = {
    "none": "with --compute none computing takes no time",
    "counted": "with --compute counted only what kumihimo cc built takes time to compute",
}


class ClockWatch:
    """Looks every 10 s whether ranks go on reading their clocks, and these stand still."""

    def __init__(
        self,
        run: Run,
        ranks: int,
        compute: ComputeMode,
        clock: Callable[[], float],
        warn: Callable[[str], None],
    ) -> None:
        """Watch from now on.

        Args:
            run: The run in virtual time.
            ranks: How many ranks there are.
            compute: Where the time between MPI calls comes from; "measured" needs no watch.
            clock: Real time in seconds.
            warn: Warns the user, once.
        """
        self._run = run
        self._ranks = ranks
        self._why = _WHY.get(compute)
        self._clock = clock
        self._warn = warn
        self._seen: list[tuple[int, int]] = []
        self._seen_posts = 0
        self._seen_at_s = clock()

    def check(self, progress: dict[str, Any]) -> None:
        """Warn if a program that goes by its clock may run for ever."""
        if self._why is None or progress["phase"] != "running":
            return
        now_s = self._clock()
        if self._seen and now_s - self._seen_at_s < _WINDOW_S:
            return
        statuses = [self._run.rank_status(rank) for rank in range(self._ranks)]
        seen = [(status["clock_readings"], status["clock_ps"]) for status in statuses]
        if self._seen:
            communicates = progress["posts"] != self._seen_posts
            many = _MANY_READINGS if communicates else _READINGS_ALONE
            self._compare(seen, now_s - self._seen_at_s, many)
        self._seen, self._seen_at_s, self._seen_posts = seen, now_s, progress["posts"]

    def _compare(self, seen: list[tuple[int, int]], passed_s: float, many: int) -> None:
        rank = max(range(self._ranks), key=lambda rank: seen[rank][0] - self._seen[rank][0])
        readings = seen[rank][0] - self._seen[rank][0]
        moved_ps = seen[rank][1] - self._seen[rank][1]
        if readings < many or moved_ps > _SLOW_SHARE * passed_s * 10**12:
            return
        self._warn(
            f"rank {rank} has read its clock {readings:,} times in {passed_s:.0f} s, and virtual "
            f"time moved by {format_time(moved_ps)}: {self._why}. A program that goes on until its "
            "clock says so may run very long: use --compute measured, or counted with kumihimo "
            "cc, or end it with --max-virtual-time"
        )
        self._why = None
