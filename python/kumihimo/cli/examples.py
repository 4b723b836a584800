"""`kumihimo examples`: the example programs that come with Kumihimo."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from kumihimo.errors import UserError


def examples_command(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="FOLDER", help="Folder to make, which gets a copy of all of them."),
    ] = None,
) -> None:
    """List the example programs that come with Kumihimo, or copy them into FOLDER.

    They are the demo (demo), the files of the how-to pages (tutorial) and real programs (apps, with
    their arguments in apps/README.md).
    """
    from kumihimo.installed import shipped_path

    source = shipped_path("examples")
    if folder is None:
        for file in sorted(path for path in source.rglob("*") if path.is_file()):
            print(file.relative_to(source))
        return
    try:
        shutil.copytree(source, folder)
    except FileExistsError as error:
        raise UserError(f"cannot make {folder}: it is already there") from error
    except OSError as error:
        raise UserError(f"cannot copy the examples: {error}", exit_code=1) from error
    print(f"examples in {folder}")
