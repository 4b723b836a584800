"""The totals of a run that has ended, as ranks have left them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumihimo import _core
from kumihimo.errors import UserError
from kumihimo.progress.ending import Ending, ExitCode
from kumihimo.results.damage import DamagedError, check_summary

if TYPE_CHECKING:
    from kumihimo.results.summary import Summary


def read_summary(core_run: _core.Run, ranks: int, ending: Ending) -> Summary:
    """Read the totals of a run that has ended.

    Raises:
        DamagedError: If a rank has written over them.
    """
    try:
        summary = core_run.summary()
        check_summary(summary, ranks, is_complete=ending.is_complete)
    except _core.StateDamagedError as error:
        raise _damaged(str(error), ending) from error
    except DamagedError as error:
        raise _damaged(error.message, ending) from error
    return summary


def _damaged(what: str, ending: Ending) -> UserError:
    """Return the error of a run without a result, which `ending` may explain."""
    if ending.message is None:
        return without_result(what)
    return without_result(f"{ending.message}\n{what}", ending.exit_code)


def without_result(why: str, exit_code: int = ExitCode.FAILED) -> UserError:
    """Return the error of a run that leaves no result."""
    return UserError(f"{why}; there is no result", exit_code)
