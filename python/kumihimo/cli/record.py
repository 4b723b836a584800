"""`kumihimo record`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kumihimo.cli import live_options as live
from kumihimo.cli.schedule import Form, Portable
from kumihimo.errors import UserError
from kumihimo.run.options import RunOptions
from kumihimo.units import DURATION, SPEED

_MEANINGS = "--schedule is the file to write, --out the result folder, as in every command"


def record_command(
    program: live.Program,
    platform: live.PlatformFile,
    schedule: Annotated[
        Path | None,
        typer.Option(
            "--schedule",
            "-s",
            metavar="FILE",
            help="The schedule to write. [default: required]",
            show_default=False,
        ),
    ] = None,
    of: Annotated[
        live.RecordHeight,
        typer.Option(
            help="What is recorded: messages, with all that the platform's software did, "
            "or calls, the sends, receives and waits, which a replay carries out anew."
        ),
    ] = live.RecordHeight.messages,
    ranks: live.Ranks = 1,
    form: Form = None,
    portable: Portable = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Also write the run's result folder."),
    ] = None,
    detail: live.Detail = live.DetailLevel.full,
    approx: live.Approx = None,
    compute: live.Compute = None,
    mpi: live.Mpi = None,
    seed: live.Seed = 0,
    max_virtual_time: live.MaxVirtualTime = None,
    stall_timeout: live.StallTimeout = None,
    cores: live.Cores = 1,
    host_speed: live.HostSpeed = None,
    quiet: live.Quiet = False,
    former: Annotated[Path | None, typer.Option("--result", "-o", hidden=True)] = None,
) -> None:
    """Run an MPI program as `kumihimo run` does, and write its schedule.

    The schedule holds what every rank sent and received and the time in between. `kumihimo replay`
    of it over the same platform takes the virtual time of the run, to the picosecond; over another
    network it shows how long that would have taken. With --of calls that also holds for another
    eager limit, other overheads and other matching, if the program neither polls nor receives with
    wildcards. The schedule is only written if the run comes to its end.

    Exit status: as of `kumihimo run`.
    """
    from kumihimo.run.session import run
    from kumihimo.schedule.files import form_of

    if former is not None:
        raise UserError(f"{_MEANINGS}; there is no --result or -o any more")
    if schedule is None:
        raise UserError(f"expected --schedule FILE; {_MEANINGS}")
    options = RunOptions(
        ranks=ranks,
        platform=platform,
        command=tuple(program),
        out=out,
        detail=detail.value if out is not None else "none",
        seed=seed,
        approx=approx,
        compute=compute.value if compute is not None else None,
        mpi=mpi.value if mpi is not None else None,
        stall_timeout_s=stall_timeout,
        time_limit_ps=live.parse("--max-virtual-time", DURATION, max_virtual_time) or 0,
        cores=cores,
        host_flops=live.parse("--host-speed", SPEED, host_speed),
        quiet=quiet,
        schedule=schedule,
        schedule_of=of.value,
        schedule_form=form_of(
            schedule, form.value if form is not None else None, portable=portable
        ),
    )
    raise typer.Exit(run(options))
