"""How a run ended: one message that names the rank and the cause, and a status to exit with."""

from __future__ import annotations

import enum
import signal
from collections.abc import Iterable
from dataclasses import dataclass

_MAX_LISTED_RANKS = 16


class ExitCode(enum.IntEnum):
    """Statuses of `kumihimo run` that are its own, in addition to the program's."""

    FAILED = 1
    DEADLOCK = 3
    TIME_LIMIT = 4
    STALLED = 124
    SIGNAL = 128


@dataclass(frozen=True)
class Ending:
    """How a run ended.

    Attributes:
        exit_code: Status of `kumihimo run`.
        message: For the user; None if all went well.
        is_complete: Whether every rank came to its end in virtual time.
        is_empty: Whether there was nothing to simulate, and so nothing to put into a result.
    """

    exit_code: int
    message: str | None = None
    is_complete: bool = False
    is_empty: bool = False


def signal_name(number: int) -> str:
    """Return "SIGSEGV" for 11, "signal 77" for an unknown one."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def status_of_code(code: int) -> int:
    """Return the status to exit with when a program failed with `code`: never 0."""
    return code & 0xFF or int(ExitCode.FAILED)


def format_time(time_ps: int) -> str:
    """Return a virtual time for people: four digits and a unit."""
    size, unit = next(
        (size, unit)
        for size, unit in ((10**12, "s"), (10**9, "ms"), (10**6, "µs"), (10**3, "ns"), (1, "ps"))
        if time_ps >= size or size == 1
    )
    return f"{time_ps / size:.4g} {unit}"


def list_ranks(ranks: Iterable[int]) -> str:
    """Return "rank 3", "ranks 1, 2 and 5", or the first few of many."""
    names = [str(rank) for rank in ranks]
    if len(names) == 1:
        return f"rank {names[0]}"
    if len(names) > _MAX_LISTED_RANKS:
        shown = ", ".join(names[:_MAX_LISTED_RANKS])
        return f"ranks {shown} and {len(names) - _MAX_LISTED_RANKS} more"
    return f"ranks {', '.join(names[:-1])} and {names[-1]}"


def describe_ranks(lines: list[str]) -> list[str]:
    """Return one indented line per rank, the first few of many."""
    shown = [f"  {line}" for line in lines[:_MAX_LISTED_RANKS]]
    rest = len(lines) - len(shown)
    return [*shown, f"  ... and {rest} more"] if rest > 0 else shown


def interrupted(number: int) -> Ending:
    """Return the ending of a run that the user stopped by a signal to the launcher."""
    hint = " (Ctrl-C)" if number == signal.SIGINT else ""
    return Ending(ExitCode.SIGNAL + number, f"stopped by {signal_name(number)}{hint}")
