"""`kumihimo platform`: shows what a platform file describes, and the reference of its keys."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kumihimo.cli.live_options import platform_of
from kumihimo.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from kumihimo.platform.overview import Overview

app = typer.Typer(
    no_args_is_help=True,
    help="Show a platform, list those that come with Kumihimo, or print the reference of all keys.",
)


@app.command()
def show(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", callback=platform_of, help="Platform file, or a name from the list."
        ),
    ],
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE.svg", help="Also write a drawing to this file."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as JSON instead.")
    ] = False,
) -> None:
    """Print the platform that FILE describes, every key with its value, and draw it.

    Times between hosts are those of the empty network, without the overheads of the MPI software.
    """
    from kumihimo.platform import load_platform, overview

    found = overview.examine(load_platform(file))
    if svg is not None:
        _write_svg(found, svg)
    if as_json:
        print(json.dumps(overview.as_json(found), indent=2))
        return
    _print_overview(found)
    if svg is not None:
        print(f"\nDrawing written to {svg}")


@app.command("list")
def list_command() -> None:
    """Print the names of the platforms that come with Kumihimo, which stand for their files."""
    from kumihimo.platform.shipped import shipped_platforms

    found = shipped_platforms()
    width = max(len(name) for name in found)
    for name, description in found.items():
        print(f"{name:<{width}}  {description}".rstrip())


@app.command()
def reference() -> None:
    """Print the reference of all keys of platform files, in Markdown."""
    from kumihimo.platform.reference import reference_page

    print(reference_page(), end="")


def _write_svg(found: Overview, target: Path) -> None:
    from kumihimo.platform.drawing.svg import MOST_LINKS, draw_svg

    if found.network.link_count > MOST_LINKS:
        raise UserError(
            f"the network has {found.network.link_count} links; a drawing is made of networks with "
            f"at most {MOST_LINKS}"
        )
    drawing = draw_svg(found.platform, found.network)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        unfinished.write_text(drawing, encoding="utf-8")
        unfinished.replace(target)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise UserError(f"cannot write the drawing {target}: {error.strerror}") from error


def _print_overview(found: Overview) -> None:
    from rich.console import Console

    from kumihimo.platform.drawing.shapes import draw_shape
    from kumihimo.platform.drawing.terminal import draw_text

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    description = str(found.platform["description"])
    console.print(found.platform.name, style="bold", end="")
    console.print(f": {description}" if description else "")
    console.print()
    drawing = draw_shape(found.platform) or draw_text(found.network, console.width)
    console.print(drawing, end="")
    console.print()
    _print_network(console, found)
    console.print()
    _print_keys(console, found)


def _print_network(console: Console, found: Overview) -> None:
    from kumihimo.platform.overview import network_lines

    for name, value in network_lines(found):
        console.print(f"  {name:<15} {value}")


def _print_keys(console: Console, found: Overview) -> None:
    from kumihimo.platform.overview import key_lines

    rows = key_lines(found.platform)
    width = max(len(path) for path, _, _ in rows)
    value_width = max((len(value) for _, value, is_default in rows if is_default), default=0)
    for path, value, is_default in rows:
        if is_default:
            console.print(f"  {path:<{width}}  {value:<{value_width}}  (default)", style="dim")
        else:
            console.print(f"  {path:<{width}}  {value}")
