"""`kumihimo report`: the figures of a result, made anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report_command(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="A result folder.")],
) -> None:
    """Write report.html of a result folder again, from the tables in it."""
    from kumihimo.results import load
    from kumihimo.results.writer import write_report

    print(write_report(load(result)))
