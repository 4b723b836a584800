"""`kumihimo variants`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kumihimo.cli import live_options as live
from kumihimo.cli.sweep_options import Quiet, workers_option

if TYPE_CHECKING:
    from collections.abc import Sequence


_NAME_WIDTH = 24
# Columns for which a line of the terminal has no room.
_PAGE_ONLY = ("most_connections", "approximate_messages")


def variants_command(
    program: live.Program,
    platform: live.PlatformFile,
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=VALUES",
            help="link-power, service, matching, collectives or approx, as the options of "
            "kumihimo run, or a key of platform files, with values: "
            "service=none,hint or link.latency=100 ns,1 us. The first values are the baseline.",
        ),
    ],
    ranks: live.Ranks = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of the result, whose complete combinations are kept. "
            "[default: kumi-variants-PROGRAM]",
            show_default=False,
        ),
    ] = None,
    predict: live.Predict = False,
    compute: Annotated[
        live.ComputeMode | None,
        typer.Option(
            metavar="MODE",
            help="Time between MPI calls, as of kumihimo run; measured times are less exact while "
            "other combinations run. [default: counted if the program counts, else none]",
            show_default=False,
        ),
    ] = None,
    mpi: live.Mpi = None,
    error: Annotated[
        str,
        typer.Option(
            metavar="EXPRESSION",
            help="Regular expression whose group matches the error that the program prints.",
        ),
    ] = "",
    seed: live.Seed = 0,
    workers: Annotated[int | None, workers_option("one for each core")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")] = False,
    quiet: Quiet = False,
) -> None:
    """Run a program under every combination of techniques, or of other settings.

    Prints one table: time, energy, memory, wrong bits, error. The folder gets a page with the
    table, a picture, and what each setting does alone, in the whole and to another one
    (variants.html, variants.json), and a sweep. Combinations run concurrently, each on one core;
    called again, the command runs only those that are missing.

    Exit status: 1 if a combination failed, 128 + N when Kumihimo gets signal N (130: Ctrl-C), 2 for
    wrong usage.
    """
    from kumihimo.study.variants.axes import read_axis
    from kumihimo.study.variants.session import VariantOptions, variants

    rows, status = variants(
        VariantOptions(
            axes=[read_axis(text) for text in vary],
            platform=platform,
            command=program,
            ranks=ranks,
            out=out or Path(f"kumi-variants-{Path(program[0]).stem}"),
            compute=compute.value if compute is not None else None,
            mpi=mpi.value if mpi is not None else "found",
            predicts=predict,
            error=error,
            seed=seed,
            workers=workers,
            quiet=quiet,
        )
    )
    if as_json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    elif rows:
        _print(rows)
    raise typer.Exit(status)


def _print(rows: Sequence[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    from kumihimo.results.terminal import table_console
    from kumihimo.study.variants.session import cell, shown_columns

    columns = {
        name: heading for name, heading in shown_columns(rows).items() if name not in _PAGE_ONLY
    }
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    longest = max(len(row["variant"]) for row in rows)
    table.add_column("combination", overflow="fold", min_width=min(longest, _NAME_WIDTH))
    for heading in columns.values():
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(row["variant"], *(cell(row, name) for name in columns))
    table_console(Console(highlight=False, markup=False)).print(table)
