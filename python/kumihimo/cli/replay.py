"""`kumihimo replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kumihimo.cli import live_options as live
from kumihimo.errors import UserError
from kumihimo.schedule.options import (
    Dimensions,
    Distance,
    Guard,
    Iterations,
    PatternName,
    Root,
    Scheme,
    Size,
    StepTime,
    Work,
    at_most_an_int,
)
from kumihimo.units import DURATION


def replay_command(
    platform: live.PlatformFile,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="The schedule; left out if there is a --pattern."),
    ] = None,
    pattern: PatternName = None,
    ranks: Annotated[
        int | None,
        typer.Option(
            "--ranks", "-n", min=1, callback=at_most_an_int, help="Number of ranks of the pattern."
        ),
    ] = None,
    size: Size = None,
    root: Root = None,
    distance: Distance = None,
    dimensions: Dimensions = None,
    work: Work = None,
    iterations: Iterations = 1,
    scheme: Scheme = None,
    step_time: StepTime = None,
    guard: Guard = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Result folder; an earlier result there is replaced. "
            "[default: kumi-replay-NAME-nRANKS]",
            show_default=False,
        ),
    ] = None,
    detail: live.Detail = live.DetailLevel.full,
    link_power: live.LinkPower = None,
    matching: live.Matching = None,
    service: live.ServiceOf = None,
    seed: live.Seed = 0,
    max_virtual_time: live.MaxVirtualTime = None,
    allow_truncation: Annotated[
        bool,
        typer.Option(
            "--allow-truncation",
            help="Allow messages larger than their receives, as LogGOPSim does.",
        ),
    ] = False,
    allow_unreceived: Annotated[
        bool,
        typer.Option("--allow-unreceived", help="Allow messages that no rank receives."),
    ] = False,
    quiet: live.Quiet = False,
) -> None:
    """Replay a schedule over a described network in virtual time, without processes.

    The schedule is a file, of a recorded run for instance, or a pattern of communication. The
    result is that of a run: the same tables, trace and report.

    A message that is larger than its receive, or that no rank receives, is an error, but for those
    of recorded runs, which are what the program did.

    Exit status: 3 for a deadlock, 4 when the limit of virtual time is reached, 128 + N when
    Kumihimo gets signal N (130: Ctrl-C), 2 for wrong usage, 1 for any other failure.
    """
    from kumihimo.replay.options import ReplayOptions
    from kumihimo.replay.session import replay
    from kumihimo.schedule.pattern import PatternRequest

    request = None
    given = {"--ranks": ranks, "--bytes": size, "--root": root, "--distance": distance,
             "--dimensions": dimensions, "--work": work, "--scheme": scheme,
             "--step-time": step_time, "--guard": guard}  # fmt: skip
    if (file is None) == (pattern is None):
        raise UserError("expected either a FILE or a --pattern to replay")
    if file is not None:
        _refuse([name for name, value in given.items() if value is not None], iterations)
    if pattern is not None:
        if ranks is None:
            raise UserError("--pattern needs --ranks")
        request = PatternRequest(
            name=pattern,
            ranks=ranks,
            size=size,
            root=root,
            distance=distance,
            seed=seed,
            dimensions=dimensions,
            compute=work,
            iterations=iterations,
            scheme=scheme.value if scheme is not None else None,
            step_time=step_time,
            guard=guard,
        )
    options = ReplayOptions(
        platform=platform,
        file=file,
        pattern=request,
        out=out,
        detail=detail.value,
        seed=seed,
        link_power=link_power.value if link_power is not None else None,
        matching=matching.value if matching is not None else None,
        service=service.value if service is not None else None,
        time_limit_ps=live.parse("--max-virtual-time", DURATION, max_virtual_time) or 0,
        quiet=quiet,
        allow_truncation=allow_truncation,
        allow_unreceived=allow_unreceived,
    )
    raise typer.Exit(replay(options))


def _refuse(names: list[str], iterations: int) -> None:
    if iterations > 1:
        names.append("--iterations")
    if names:
        raise UserError(f"{names[0]} belongs to a --pattern; the FILE already contains it")
