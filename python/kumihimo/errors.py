"""Errors that the user can correct: reported in one message, without a traceback."""

from __future__ import annotations


class UserError(Exception):
    """Something the user gave is wrong: a file, an option, a program.

    The command line prints the message on standard error and exits with the code. The message says
    what was wrong, where, and what was expected; it may have several lines.

    Attributes:
        message: The text for the user, without a leading "error:".
        exit_code: Status the process ends with; 2 as for a wrong command line.
    """

    def __init__(self, message: str, exit_code: int = 2) -> None:
        """Keep the message and the status to exit with."""
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code
