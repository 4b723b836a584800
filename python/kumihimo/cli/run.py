"""`kumihimo run`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kumihimo.errors import UserError
from kumihimo.platform.units import DURATION, SPEED, Quantity, UnitError
from kumihimo.run.options import RunOptions


class Record(StrEnum):
    """How much is written down."""

    full = "full"
    summary = "summary"
    none = "none"


class Compute(StrEnum):
    """Where the time between MPI calls comes from."""

    measured = "measured"
    none = "none"


class Mpi(StrEnum):
    """MPI libraries that can be served."""

    mpich = "mpich"
    openmpi = "openmpi"


def run_command(
    program: Annotated[
        list[str],
        typer.Argument(metavar="PROGRAM [ARGUMENTS]...", help="The MPI program; best after --."),
    ],
    platform: Annotated[
        Path, typer.Option("--platform", "-p", metavar="FILE", help="The machine to run on.")
    ],
    ranks: Annotated[
        int, typer.Option("--ranks", "-n", min=1, help="Number of MPI processes.")
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Result folder; an earlier result there is replaced. "
            "[default: kumi-PROGRAM-nRANKS]",
            show_default=False,
        ),
    ] = None,
    record: Annotated[
        Record,
        typer.Option(
            help="full: every message and state; summary: totals; none: no result folder."
        ),
    ] = Record.full,
    compute: Annotated[
        Compute,
        typer.Option(
            help="Time between MPI calls: CPU time measured and scaled to the node's speed, or "
            "none. Explicit calls (kumihimo/compute.h) always count."
        ),
    ] = Compute.measured,
    mpi: Annotated[
        Mpi | None,
        typer.Option(
            help="The program's MPI library. [default: the one it is linked with; "
            "mpich for scripts]",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all random streams.")] = 0,
    max_virtual_time: Annotated[
        str | None,
        typer.Option(metavar="DURATION", help='End the run at this virtual time, as in "10 s".'),
    ] = None,
    stall_timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help="End the run after so much real time without progress; 0: never.",
        ),
    ] = 300,
    host_speed: Annotated[
        str | None,
        typer.Option(
            metavar="SPEED",
            help='This computer\'s speed, as in "5 Gflop/s". [default: as calibrated]',
            show_default=False,
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress, no table; errors only.")
    ] = False,
) -> None:
    """Run an MPI program over a described network in virtual time.

    The program runs as it is, without recompiling: C, C++, Fortran, or Python with mpi4py. Its
    output goes where it always goes; Kumihimo's own table goes to standard error.

    Exit status: the program's own if a rank fails, 128 + N if a rank is killed by signal N or
    Kumihimo itself gets it (130: Ctrl-C), 3 for a deadlock, 4 when the limit of virtual time is
    reached, 124 when nothing moves any more, 2 for wrong usage, 1 for any other failure.
    """
    options = RunOptions(
        ranks=ranks,
        platform=platform,
        command=tuple(program),
        out=out,
        record=record.value,
        seed=seed,
        compute=compute.value,
        mpi=mpi.value if mpi is not None else None,
        stall_timeout_s=stall_timeout,
        time_limit_ps=_parse("--max-virtual-time", DURATION, max_virtual_time) or 0,
        host_flops=_parse("--host-speed", SPEED, host_speed),
        quiet=quiet,
    )
    from kumihimo.run.session import run

    raise typer.Exit(run(options))


def _parse(option: str, quantity: Quantity, text: str | None) -> int | None:
    """Return the value of an option with a unit; it must be positive."""
    if text is None:
        return None
    try:
        value = quantity.parse(text)
    except UnitError as error:
        raise UserError(f"{option}: {error}") from error
    if not 0 < value < 2**63:
        raise UserError(f"{option}: {text!r} is out of range; expected {quantity.expected()}")
    return value
