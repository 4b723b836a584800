"""`kumihimo hints`: hints at calls, proposed from a profile."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def hints_command(
    result: Annotated[
        Path,
        typer.Argument(metavar="RESULT", help="Result folder of a run with --profile-calls."),
    ],
) -> None:
    """Print a file for `kumihimo run --hints`: a region where the program communicates most.

    It begins before the first call, and ends after the last call, of the place at which ranks that
    send spend most time. Change it as the program needs it: docs/services.md.
    """
    from kumihimo.results import load
    from kumihimo.results.hint_proposal import propose_hints

    print(propose_hints(load(result)), end="")
