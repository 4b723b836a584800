"""`kumihimo record`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kumihimo.cli import live_options as live
from kumihimo.cli.schedule import Form, Plain
from kumihimo.run.options import RunOptions
from kumihimo.units import DURATION, SPEED


def record_command(
    program: live.Program,
    platform: live.Machine,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The schedule to write.")
    ],
    ranks: live.Ranks = 1,
    form: Form = None,
    plain: Plain = False,
    result: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Also write the run's result folder."),
    ] = None,
    compute: live.Compute = None,
    mpi: live.Mpi = None,
    seed: live.Seed = 0,
    max_virtual_time: live.MaxVirtualTime = None,
    stall_timeout: live.StallTimeout = None,
    host_speed: live.HostSpeed = None,
    quiet: live.Quiet = False,
) -> None:
    """Run an MPI program as `kumihimo run` does, and write its schedule.

    The schedule holds what every rank sent and received and the time in between. `kumihimo replay`
    of it over the same platform takes the virtual time of the run, to the picosecond; over another
    network it says how long that would have taken. It is only written if the run comes to its end.

    Exit status: as of `kumihimo run`.
    """
    from kumihimo.run.session import run
    from kumihimo.schedule.files import form_of

    options = RunOptions(
        ranks=ranks,
        platform=platform,
        command=tuple(program),
        out=result,
        record="full" if result is not None else "none",
        seed=seed,
        compute=compute.value if compute is not None else None,
        mpi=mpi.value if mpi is not None else None,
        stall_timeout_s=stall_timeout,
        time_limit_ps=live.parse("--max-virtual-time", DURATION, max_virtual_time) or 0,
        host_flops=live.parse("--host-speed", SPEED, host_speed),
        quiet=quiet,
        schedule=out,
        schedule_form=form_of(out, form.value if form is not None else None, plain=plain),
    )
    raise typer.Exit(run(options))
