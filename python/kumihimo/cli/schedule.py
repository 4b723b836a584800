"""`kumihimo schedule`: makes, converts and shows schedules."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kumihimo.schedule.options import Dimensions, Distance, Iterations, Root, Size, Work

app = typer.Typer(
    no_args_is_help=True,
    help="Make, convert or show a schedule: what every rank of a program does.",
)


class ScheduleForm(StrEnum):
    """Forms that a schedule is written in."""

    goal = "goal"
    binary = "binary"


Form = Annotated[
    ScheduleForm | None,
    typer.Option(
        help="GOAL text or the compact form. [default: by the name: .goal or .bin]",
        show_default=False,
    ),
]
Plain = Annotated[
    bool,
    typer.Option("--plain", help="GOAL text that other readers know; what is lost is told."),
]
Out = Annotated[Path, typer.Argument(metavar="SCHEDULE", help="The file to write.")]


@app.command()
def generate(
    out: Out,
    pattern: Annotated[
        str, typer.Option(metavar="NAME", help="As `kumihimo schedule patterns` lists them.")
    ],
    ranks: Annotated[int, typer.Option("--ranks", "-n", min=1, help="Number of ranks.")],
    size: Size = None,
    root: Root = None,
    distance: Distance = None,
    dimensions: Dimensions = None,
    seed: Annotated[int, typer.Option(min=0, help="Of a random pattern.")] = 0,
    work: Work = None,
    iterations: Iterations = 1,
    form: Form = None,
    plain: Plain = False,
) -> None:
    """Make the schedule of a pattern of communication."""
    from kumihimo.schedule import files
    from kumihimo.schedule.pattern import PatternRequest

    chosen = files.form_of(out, form.value if form is not None else None, plain=plain)
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
    )
    files.write_schedule(request.generate(), out, chosen)


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A schedule of either form.")],
    out: Out,
    form: Form = None,
    plain: Plain = False,
) -> None:
    """Write a schedule in another form."""
    from kumihimo.schedule import files

    chosen = files.form_of(out, form.value if form is not None else None, plain=plain)
    files.check_writable(out)
    files.write_schedule(files.read_schedule(source), out, chosen)


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
def patterns() -> None:
    """Print the patterns of communication that there are, with their parameters."""
    from rich.console import Console

    from kumihimo.results.terminal import table_console
    from kumihimo.schedule.overview import print_patterns

    print_patterns(table_console(Console(highlight=False, markup=False)))
