"""`kumihimo schedule`: makes, converts and shows schedules."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from kumihimo import _core
    from kumihimo.platform import Platform

app = typer.Typer(
    no_args_is_help=True,
    help="Make, convert, show or check a schedule: what every rank of a program does.",
)


class ScheduleForm(StrEnum):
    """Forms that a schedule is written in."""

    goal = "goal"
    binary = "binary"


Form = Annotated[
    ScheduleForm | None,
    typer.Option(
        "--format",
        help="GOAL text or the binary form. [default: by the name: .goal or .bin]",
        show_default=False,
    ),
]
Portable = Annotated[
    bool,
    typer.Option(
        "--portable", help="Write GOAL text that other readers know, and print what is lost."
    ),
]
Out = Annotated[Path, typer.Argument(metavar="SCHEDULE", help="The file to write.")]


@app.command()
def generate(
    out: Out,
    pattern: Annotated[
        str, typer.Option(metavar="NAME", help="A name that `kumihimo schedule patterns` lists.")
    ],
    ranks: Annotated[
        int, typer.Option("--ranks", "-n", min=1, callback=at_most_an_int, help="Number of ranks.")
    ],
    size: Size = None,
    root: Root = None,
    distance: Distance = None,
    dimensions: Dimensions = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of a random pattern.")] = 0,
    work: Work = None,
    iterations: Iterations = 1,
    scheme: Scheme = None,
    step_time: StepTime = None,
    guard: Guard = None,
    platform: Annotated[
        Path | None,
        typer.Option(
            "--platform",
            "-p",
            metavar="FILE",
            callback=live.platform_of,
            help="Platform, by file or name, from which the step times of --scheme clock follow.",
        ),
    ] = None,
    in_kernel: Annotated[
        bool,
        typer.Option(
            "--in-kernel",
            help="Put the schedule between the hints IN_KERNEL 1 and 0: docs/services.md.",
        ),
    ] = False,
    form: Form = None,
    portable: Portable = False,
) -> None:
    """Make the schedule of a pattern of communication."""
    from kumihimo.run.mapping import rank_hosts
    from kumihimo.schedule import files
    from kumihimo.schedule.pattern import PatternRequest, step_times_on

    chosen = files.form_of(out, form.value if form is not None else None, portable=portable)
    files.check_writable(out)
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
    step_times = None
    if platform is not None:
        described, network = _load(platform, seed)
        request = request.on(described)
        hosts = rank_hosts(described, network.hosts, ranks, seed)
        step_times = step_times_on(described, network, hosts, ranks)
    schedule = request.generate(step_times)
    if in_kernel:
        schedule = files.join_schedules([schedule], in_kernel=True)
    files.write_schedule(schedule, out, chosen)


def _load(platform: Path, seed: int) -> tuple[Platform, _core.Network]:
    from kumihimo import _core
    from kumihimo.platform import load_platform

    described = load_platform(platform)
    try:
        return described, _core.Network({**described.network_spec(), "seed": seed})
    except ValueError as error:
        raise UserError(f"{platform}: {error}") from error


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A schedule of either form.")],
    out: Out,
    form: Form = None,
    portable: Portable = False,
) -> None:
    """Write a schedule in another form."""
    from kumihimo.schedule import files

    chosen = files.form_of(out, form.value if form is not None else None, portable=portable)
    files.check_writable(out)
    files.write_schedule(files.read_schedule(source), out, chosen)


@app.command()
def join(
    sources: Annotated[
        list[Path], typer.Argument(metavar="IN...", help="Schedules with the same number of ranks.")
    ],
    out: Out,
    form: Form = None,
    portable: Portable = False,
) -> None:
    """Write one schedule after the other into one file.

    A rank begins with a schedule when it has ended all that the one before has for it. Ranks do not
    wait for each other.
    """
    from kumihimo.schedule import files

    chosen = files.form_of(out, form.value if form is not None else None, portable=portable)
    files.check_writable(out)
    schedules = [files.read_schedule(source) for source in sources]
    files.write_schedule(files.join_schedules(schedules), out, chosen)


@app.command()
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A schedule of either form.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")] = False,
) -> None:
    """Print what is in a schedule: ranks, operations, messages, bytes."""
    from rich.console import Console

    from kumihimo.schedule.files import read_schedule
    from kumihimo.schedule.overview import print_summary

    summary = read_schedule(file).summary()
    if as_json:
        print(json.dumps(summary, indent=2))
    else:
        print_summary(str(file), summary, Console(highlight=False, markup=False, soft_wrap=True))


@app.command()
def check(
    platform: live.PlatformFile,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="SCHEDULE", help="The schedule; left out if there is a --pattern."),
    ] = None,
    pattern: PatternName = None,
    ranks: Annotated[
        int | None,
        typer.Option(
            "--ranks",
            "-n",
            min=1,
            help="Number of ranks of the pattern. [default: one for each host]",
            show_default=False,
        ),
    ] = None,
    dimensions: Dimensions = None,
    seed: live.Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")] = False,
) -> None:
    """Check that no step uses a directed link twice, and count start-ups, bytes and hops.

    Messages take the minimal paths of the platform. For an all-to-all --pattern the command also
    checks that every block reaches its target, and counts blocks; a SCHEDULE does not hold blocks.
    On a torus the numbers stand next to the closed forms of Suh and Shin's all-to-all.

    Exit status: 1 if a check fails, 2 for wrong usage.
    """
    from rich.console import Console

    from kumihimo.run.mapping import rank_hosts
    from kumihimo.schedule.check import check_pattern, check_schedule
    from kumihimo.schedule.files import read_schedule
    from kumihimo.schedule.pattern import PatternRequest

    if (file is None) == (pattern is None):
        raise UserError("expected either a SCHEDULE or a --pattern to check")
    if file is not None and (ranks is not None or dimensions is not None):
        option = "--ranks" if ranks is not None else "--dimensions"
        raise UserError(f"{option} belongs to a --pattern; the SCHEDULE already contains it")
    described, network = _load(platform, seed)
    schedule = read_schedule(file) if file is not None else None
    count = schedule.ranks if schedule is not None else ranks or network.hosts
    per_host = int(described["node.ranks"])
    if count > network.hosts * per_host:
        raise UserError(
            f"{platform}: expected at most {network.hosts * per_host:,} ranks, found {count:,}"
        )
    hosts = rank_hosts(described, network.hosts, count, seed)
    hosts = [rank // per_host for rank in range(count)] if hosts is None else hosts
    if schedule is not None and file is not None:
        report = check_schedule(file, schedule, described, network, hosts)
    else:
        request = PatternRequest(
            name=pattern or "", ranks=count, size="1 B", dimensions=dimensions, seed=seed
        )
        report = check_pattern(request.on(described), described, network, hosts)
    if as_json:
        print(json.dumps(report.as_json(), indent=2))
    else:
        report.print(Console(highlight=False, markup=False, soft_wrap=True))
    if problems := report.problems():
        raise UserError("\n".join(problems), exit_code=1)


@app.command()
def patterns() -> None:
    """Print the patterns of communication that there are, with their parameters."""
    from rich.console import Console

    from kumihimo.results.terminal import table_console
    from kumihimo.schedule.overview import print_patterns

    print_patterns(table_console(Console(highlight=False, markup=False)))
