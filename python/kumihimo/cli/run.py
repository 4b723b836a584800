"""`kumihimo run`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kumihimo.cli import live_options as live
from kumihimo.run.options import RunOptions
from kumihimo.units import DURATION, SPEED


def run_command(
    program: live.Program,
    platform: live.PlatformFile,
    ranks: live.Ranks = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Result folder; an earlier result there is replaced. "
            "[default: kumi-PROGRAM-nRANKS]",
            show_default=False,
        ),
    ] = None,
    detail: live.Detail = live.DetailLevel.full,
    compute: live.Compute = None,
    mpi: live.Mpi = None,
    link_power: live.LinkPower = None,
    predict: live.Predict = False,
    profile_calls: live.ProfileCalls = False,
    approx: live.Approx = None,
    matching: live.Matching = None,
    service: live.ServiceOf = None,
    traffic: live.Traffic = None,
    hints: live.Hints = None,
    collectives: live.Collectives = None,
    seed: live.Seed = 0,
    start_date: live.StartDate = None,
    max_virtual_time: live.MaxVirtualTime = None,
    stall_timeout: live.StallTimeout = None,
    cores: live.Cores = 1,
    host_speed: live.HostSpeed = None,
    quiet: live.Quiet = False,
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
        detail=detail.value,
        seed=seed,
        compute=compute.value if compute is not None else None,
        mpi=mpi.value if mpi is not None else None,
        stall_timeout_s=stall_timeout,
        time_limit_ps=live.parse("--max-virtual-time", DURATION, max_virtual_time) or 0,
        cores=cores,
        host_flops=live.parse("--host-speed", SPEED, host_speed),
        link_power=link_power.value if link_power is not None else None,
        matching=matching.value if matching is not None else None,
        predict=predict,
        profile_calls=profile_calls,
        start_date=live.parse_date(start_date),
        approx=approx,
        service=service.value if service is not None else None,
        traffic=traffic,
        hints=hints,
        collectives=collectives.value if collectives is not None else None,
        quiet=quiet,
    )
    from kumihimo.run.session import run

    raise typer.Exit(run(options))
