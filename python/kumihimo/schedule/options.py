"""Options of commands that make a schedule from a pattern; their help is the core's."""

from __future__ import annotations

from typing import Annotated

import typer

from kumihimo import _core

_HELP = _core.pattern_parameters()

Size = Annotated[str | None, typer.Option("--bytes", "-b", metavar="SIZE", help=_HELP["bytes"])]
Root = Annotated[int | None, typer.Option(metavar="RANK", min=0, help=_HELP["root"])]
Distance = Annotated[int | None, typer.Option(min=0, help=_HELP["distance"])]
Dimensions = Annotated[str | None, typer.Option(metavar="AxB[xC]", help=_HELP["dimensions"])]
Work = Annotated[str | None, typer.Option(metavar="DURATION", help=_HELP["work"])]
Iterations = Annotated[int, typer.Option(min=1, help=_HELP["iterations"])]
