"""Long work on schedules: a line on the terminal that says how far it is, and an end by signals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from kumihimo.errors import UserError
from kumihimo.progress.ending import interrupted
from kumihimo.progress.interrupts import Interrupts
from kumihimo.progress.status_line import StatusLine


class WorkLine(StatusLine):
    """Shows on a terminal what is done, and how far it is."""

    def __init__(self, what: str, total: int | None, stream: TextIO | None = None) -> None:
        """Prepare; `total` is the number of operations in all, if that is known."""
        super().__init__(0, quiet=False, stream=stream)
        self.what = what
        self._total = total

    def _text(self, progress: dict[str, Any], rate: float) -> str:
        done = progress["messages"]
        share = f"{100 * done // self._total} % of " if self._total else ""
        count = self._total if self._total else done
        return f"{self.what}: {share}{count:,} operations, {rate:,.0f}/s"


@contextmanager
def watched(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Watch long work on a schedule: yield what it must call with the number of operations so far.

    Args:
        what: What is done, as in "reading a.goal".
        total: How many operations there are in all; None: unknown.

    Raises:
        UserError: If a signal asks to end; at the next call.
    """
    line = WorkLine(what, total)
    with Interrupts() as interrupts:

        def look(operations: int) -> None:
            if interrupts.received:
                ending = interrupted(interrupts.received)
                raise UserError(ending.message or "", exit_code=ending.exit_code)
            line.show({"messages": operations})

        try:
            yield look
        finally:
            line.clear()
