"""Checks patterns of a study before anything is run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import cast

import typer

from kumihimo.errors import UserError
from kumihimo.schedule.pattern import PatternRequest

# Typer has its own copy of click, of which it names only some errors itself.
_UsageError = cast(type[Exception], typer.BadParameter.__base__)


def pattern_problems(lines: list[str], ranks: tuple[int, ...]) -> Iterator[str]:
    """Yield what is wrong with patterns as they stand in a study; of each the first mistake.

    Args:
        lines: As behind `kumihimo replay --pattern`.
        ranks: All numbers of ranks that each has.
    """
    for line in lines:
        for count in ranks:
            try:
                _request(line, count).check()
            except _UsageError as error:
                yield f'"{line}": {error}'
                break
            except UserError as error:
                of = f" with {count} ranks" if len(ranks) > 1 else ""
                yield f'"{line}"{of}: {error.message}'
                break


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
