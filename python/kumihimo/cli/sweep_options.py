"""Options of the commands that run many points."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.models import OptionInfo

Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress, no summary; failures only.")
]


def workers_option(default: str) -> OptionInfo:
    """Return the option of how many points run at once; `default` says it in words."""
    option: OptionInfo = typer.Option(
        "--workers",
        "-j",
        min=1,
        max=10_000,
        help=f"Number of points that run at once. [default: {default}]",
        show_default=False,
    )
    return option
