"""TOML, with its mistakes as problems of a line."""

from __future__ import annotations

import tomllib
from typing import Any

from kumihimo.problems import Problem


class TomlError(ValueError):
    """A text that is no TOML.

    Attributes:
        problem: What is wrong, with its line.
    """

    def __init__(self, problem: Problem) -> None:
        """Keep the problem."""
        super().__init__(problem.message)
        self.problem = problem


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a text with bare newlines says.

    Raises:
        TomlError: If it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(_syntax_problem(str(error), text)) from error
    except RecursionError as error:
        message = "arrays or tables are nested too deeply"
        raise TomlError(Problem(1, "", message)) from error


def _syntax_problem(message: str, text: str) -> Problem:
    """Turn the message of tomllib, which ends with the place, into a problem."""
    what, _, place = message.rpartition(" (at ")
    place = place.rstrip(")")
    if place.startswith("line "):
        line, _, column = place.removeprefix("line ").partition(", column ")
        return Problem(int(line), "", f"no valid TOML at column {column}: {what}")
    last_line = text.rstrip("\n").count("\n") + 1
    return Problem(last_line, "", f"no valid TOML at the end of the file: {what or message}")
