"""What is wrong with a file of keys, such as a platform file, with the place of each problem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kumihimo.errors import UserError


def read_text(path: Path, what: str) -> str:
    """Return the text of a file of the user's; `what` is its name in messages.

    Raises:
        UserError: If it cannot be read or is no text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot read {what} {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: {what} is not UTF-8 text") from error


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake in a file.

    Attributes:
        line: Counted from 1.
        key: Path of the key or section, as in "link.latency"; empty for a mistake of syntax.
        message: What is wrong and what was expected.
    """

    line: int
    key: str
    message: str


class PlatformError(UserError):
    """A platform file cannot be used.

    Attributes:
        problems: All of them, sorted by line; empty if the file could not be read at all.
    """

    def __init__(self, message: str, problems: Iterable[Problem] = ()) -> None:
        """Keep the whole message and the single problems."""
        super().__init__(message)
        self.problems = tuple(problems)


def error_from(file: str, problems: Iterable[Problem]) -> PlatformError:
    """Return the error that reports all problems, one a line, as `file:line: key: message`."""
    ordered = sorted(problems)
    return PlatformError(problems_text(file, ordered, "the platform file"), ordered)


def problems_text(file: str, problems: Sequence[Problem], where: str) -> str:
    """Return a heading, which counts the problems in `where`, and each as `error_from` says."""
    lines = [
        f"{file}:{problem.line}: {problem.key + ': ' if problem.key else ''}{problem.message}"
        for problem in problems
    ]
    heading = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    return "\n".join([f"{heading} in {where}", *lines])
