"""Entry point of the `kumihimo` command."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from kumihimo import __version__
from kumihimo.cli.commands import COMMANDS
from kumihimo.errors import UserError
from kumihimo.progress.interrupts import StoppedError, stopped_by_signals

# A mistake on the command line, whose type typer does not export.
_UsageError = cast(type[Exception], typer.BadParameter.__base__)

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class LazyGroup(TyperGroup):
    """The group of all commands, of which only the one that is called is imported.

    The overview and the suggestions for a misspelt name work on stand-ins made from the table.
    """

    # "Any" below stands for types that typer does not export.

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401
        """Make the group with a stand-in for every entry of the table."""
        super().__init__(**attributes)
        for name, entry in COMMANDS.items():
            self.add_command(TyperCommand(name, callback=None, help=entry.summary))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401
        """Return the called command, imported now, with its arguments."""
        name, stand_in, rest = super().resolve_command(ctx, args)
        if name is None or stand_in is None:
            return name, stand_in, rest
        return name, COMMANDS[name].load(name), rest

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401
        """Run the command; report a user's error as one message and exit with its code."""
        for stream in (sys.stdout, sys.stderr):
            # Drawings and names must not end a command where the terminal has not all letters.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        try:
            with stopped_by_signals():
                return super().invoke(ctx)
        except UserError as error:
            print(f"kumihimo: error: {error.message}", file=sys.stderr)
            raise typer.Exit(error.exit_code) from error
        except _UsageError as error:
            message = _renamed_option(error)
            if message is None:
                raise
            print(f"kumihimo: error: {message}", file=sys.stderr)
            raise typer.Exit(2) from error
        except KeyboardInterrupt as interrupt:
            number = interrupt.number if isinstance(interrupt, StoppedError) else signal.SIGINT
            reason = "" if number == signal.SIGINT else f" by {signal.Signals(number).name}"
            print(f"kumihimo: interrupted{reason}", file=sys.stderr)
            raise typer.Exit(128 + number) from interrupt

    def main(self, *args: Any, **extra: Any) -> Any:  # noqa: ANN401
        """Run the command line; report output that there is no room for."""
        _open_standard_streams()
        try:
            Path.cwd()
        except FileNotFoundError:
            print("kumihimo: error: the current folder does not exist any more", file=sys.stderr)
            sys.exit(1)
        try:
            try:
                return super().main(*args, **extra)
            finally:
                sys.stdout.flush()
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
            print(f"kumihimo: error: cannot write the output: {error.strerror}", file=sys.stderr)
            _give_up_output()
            sys.exit(1)


def _renamed_option(error: Any) -> str | None:  # noqa: ANN401
    """Return what to print of an unknown option whose name has changed; None if it has not."""
    from kumihimo.renamed import OPTIONS

    old = getattr(error, "option_name", None)
    new = OPTIONS.get(old) if old is not None and error.ctx is not None else None
    if new is None or all(new not in known.opts for known in error.ctx.command.params):
        return None
    return f"there is no option {old}; it is now {new}"


def _open_standard_streams() -> None:
    """Open /dev/null in place of standard streams that are closed.

    Else the next files that are opened, here or by a program that is started, take their places.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
            os.set_inheritable(descriptor, True)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115


def _give_up_output() -> None:
    """Lose what standard output still holds; else the interpreter complains at its end."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    # An exception that is no UserError is a defect of ours: show the plain traceback.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"kumihimo {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Run an unmodified MPI program over a described network in virtual time.

    Kumihimo carries the messages of a real program over a simulated interconnect, and reports how
    long the program took there, what every link carried, and where the time went.
    """


if __name__ == "__main__":
    app()
