"""Options of commands that make a schedule from a pattern; their help is the core's."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from kumihimo import _core

_HELP = _core.pattern_parameters()
_MOST = 2**31 - 1


def at_most_an_int(value: int | None) -> int | None:
    """Refuse a number of an option that no schedule can have."""
    if value is not None and value > _MOST:
        raise typer.BadParameter(f"{value} is more than {_MOST}")
    return value


PatternName = Annotated[
    str | None,
    typer.Option(
        "--pattern", metavar="NAME", help="A name that `kumihimo schedule patterns` lists."
    ),
]
Size = Annotated[str | None, typer.Option("--bytes", "-b", metavar="SIZE", help=_HELP["bytes"])]
Root = Annotated[
    int | None, typer.Option(metavar="RANK", min=0, callback=at_most_an_int, help=_HELP["root"])
]
Distance = Annotated[
    int | None, typer.Option(min=0, callback=at_most_an_int, help=_HELP["distance"])
]
Dimensions = Annotated[str | None, typer.Option(metavar="AxB[xC]", help=_HELP["dimensions"])]
Work = Annotated[str | None, typer.Option(metavar="DURATION", help=_HELP["work"])]


class SchemeName(StrEnum):
    """How the steps of a pattern are kept apart."""

    every_step = "every_step"
    start = "start"
    clock = "clock"


Scheme = Annotated[
    SchemeName | None,
    typer.Option(
        metavar="NAME",
        help="How the steps of the pattern are kept apart: ranks synchronise before each step "
        "(every_step), once before the first step (start), or once and then wait by the clock for "
        "the latest completion of each step (clock). [default: not at all]",
        show_default=False,
    ),
]
StepTime = Annotated[
    str | None,
    typer.Option(
        metavar="DURATION",
        help="Length of every step of --scheme clock. [default: what the longest message of the "
        "step takes over the idle platform]",
        show_default=False,
    ),
]
Guard = Annotated[
    str | None,
    typer.Option(metavar="DURATION", help="Time added to each step of --scheme clock."),
]
Iterations = Annotated[int, typer.Option(min=1, callback=at_most_an_int, help=_HELP["iterations"])]
