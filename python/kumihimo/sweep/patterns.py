"""Checks patterns of a sweep before anything is run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import cast

import typer

from kumihimo.errors import UserError
from kumihimo.platform.locate import Path
from kumihimo.problems import Problem
from kumihimo.schedule.pattern import PatternRequest
from kumihimo.sweep.sweep import Sweep

# Typer has its own copy of click, of which it names only some errors itself.
_UsageError = cast(type[Exception], typer.BadParameter.__base__)


def pattern_problems(sweep: Sweep, lines: Mapping[Path, int]) -> Iterator[Problem]:
    """Yield what is wrong with the patterns of a sweep; of each the first mistake.

    Args:
        sweep: Its platforms are not looked at.
        lines: The line of each key, as `locate_keys` gives it.
    """
    ranks = sweep.numbers("ranks")
    for index, line in enumerate(sweep.lines("patterns")):
        message = _mistake(line, ranks)
        if message is not None:
            place = lines.get(("patterns", index), lines.get(("patterns",), 1))
            yield Problem(place, "patterns", message)


def _mistake(line: str, ranks: tuple[int, ...]) -> str | None:
    for count in ranks:
        try:
            _request(line, count).check()
        except _UsageError as error:
            return f'"{line}": {error}'
        except UserError as error:
            of = f" with {count} ranks" if len(ranks) > 1 else ""
            return f'"{line}"{of}: {error.message}'
    return None


def _request(line: str, ranks: int) -> PatternRequest:
    """Return the pattern that a command line asks for.

    Raises:
        _UsageError: If `kumihimo replay` would not take it.
        UserError: The same.
    """
    from kumihimo.cli.replay import replay_command

    app = typer.Typer()
    app.command()(replay_command)
    words = ["--pattern", *shlex.split(line), "--ranks", str(ranks), "--platform", "any.toml"]
    context = typer.main.get_command(app).make_context("replay", words, help_option_names=[])
    given = context.params
    if given["file"] is not None:
        raise UserError(f"expected nothing but options behind it, found '{given['file']}'")
    return PatternRequest(
        name=given["pattern"],
        ranks=ranks,
        size=given["size"],
        root=given["root"],
        distance=given["distance"],
        dimensions=given["dimensions"],
        compute=given["work"],
        iterations=given["iterations"],
    )
