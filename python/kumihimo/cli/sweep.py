"""`kumihimo sweep`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kumihimo.cli.sweep_options import Quiet, workers_option


class ClusterKind(StrEnum):
    """Where points run."""

    local = "local"
    slurm = "slurm"
    pbs = "pbs"


def sweep_command(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="Sweep file.")],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of the sweep, whose complete points are kept. [default: kumi-sweep-FILE]",
            show_default=False,
        ),
    ] = None,
    cluster: Annotated[
        ClusterKind,
        typer.Option(
            help="Where points run: processes of this computer, or jobs of a batch system by the "
            "configuration of dask-jobqueue."
        ),
    ] = ClusterKind.local,
    workers: Annotated[
        int | None, workers_option("one for each core; 1 job of a batch system")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Run every combination of a file's parameters, programs, ranks and seeds.

    The folder gets one table of all points (sweep.parquet), figures, and a page with both. Called
    again, after an interruption or with more values in the file, it runs only what is missing or
    failed.

    Exit status: 1 if a point failed, 128 + N when Kumihimo gets signal N (130: Ctrl-C), 2 for wrong
    usage.
    """
    from kumihimo.sweep.session import SweepOptions, sweep

    options = SweepOptions(file=file, out=out, cluster=cluster.value, workers=workers, quiet=quiet)
    raise typer.Exit(sweep(options))
