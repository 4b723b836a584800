"""`kumihimo study`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from kumihimo.cli.sweep_options import Quiet, workers_option

if TYPE_CHECKING:
    from kumihimo.study.session import Find

app = typer.Typer(no_args_is_help=True, help="Run a study that comes with Kumihimo.")


Source = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Folder that has the folders studies, platforms and examples, such as a source tree. "
        "[default: those that come with Kumihimo]",
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Folder of the study, whose complete points are kept. [default: kumi-study-NAME]",
        show_default=False,
    ),
]
Quick = Annotated[bool, typer.Option("--quick", help="Fewer and smaller points.")]
Workers = Annotated[int | None, workers_option("one for each core")]


@app.callback()
def study_group() -> None:
    """Run a study that comes with Kumihimo, and write its page."""


@app.command("prewake")
def prewake_command(
    files: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Its parameter files: study.toml, and quick.toml for --quick. "
            "[default: those that come with Kumihimo]",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER",
            help="Folder of the study, whose complete points are kept.",
        ),
    ] = Path("kumi-study-prewake"),
    quick: Quick = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Links that sleep, woken in time: the paper's benchmark, and applications.

    Compiles the programs, runs them as sweeps in the folder, and writes a page with figures and a
    table of the paper's numbers, these, and why they differ (study.html), the numbers (study.json),
    and tables (places.parquet, applications.parquet). Called again after an interruption, it goes
    on.

    Exit status: 1 if a point failed, 128 + N when Kumihimo gets signal N (130: Ctrl-C), 2 for wrong
    usage.
    """
    from kumihimo.installed import shipped_path
    from kumihimo.study.prewake.session import StudyOptions, study

    files = files or shipped_path("studies") / "prewake"
    options = StudyOptions(files=files, out=out, quick=quick, workers=workers, quiet=quiet)
    raise typer.Exit(study(options))


@app.command("hints")
def hints_command(
    source: Source = None,
    out: Out = None,
    quick: Quick = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Connections where the program says they matter: memory and time of services.

    Runs the benchmark of collective operations and ring shifts as processes, and as schedules where
    a cap on connections binds. Writes study.html, study.json, benchmark.parquet, cap.parquet and
    figures. Called again after an interruption, it goes on.

    Exit status: 1 if a point failed, 128 + N when Kumihimo gets signal N (130: Ctrl-C), 2 for wrong
    usage.
    """
    from kumihimo.study.hints.study import find

    _run("hints", find, source, out, quick=quick, workers=workers, quiet=quiet)


@app.command("approximate")
def approximate_command(
    source: Source = None,
    out: Out = None,
    quick: Quick = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Links that corrupt bits: time and error of programs that tolerate it.

    Runs conjugate gradients, Fourier transforms and k-means on three networks, and with several
    numbers of protected bits. Writes study.html, study.json, networks.parquet, bits.parquet and
    figures. Called again after an interruption, it goes on.

    Exit status: 1 if a point failed, 128 + N when Kumihimo gets signal N (130: Ctrl-C), 2 for wrong
    usage.
    """
    from kumihimo.study.approximate.study import find

    _run("approximate", find, source, out, quick=quick, workers=workers, quiet=quiet)


@app.command("collectives")
def collectives_command(
    source: Source = None,
    out: Out = None,
    quick: Quick = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Collective operations that start together and then wait by the clock.

    Replays the all-to-all of Suh and Shin on tori of up to 4,096 ranks, its steps kept apart in
    four ways, compares it with a closed form, and runs FT and IS with the MPI libraries' own
    algorithms and with scheduled ones. Writes study.html, study.json, schemes.parquet,
    programs.parquet and figures. Called again after an interruption, it goes on.

    Exit status: 1 if a point failed, 128 + N when Kumihimo gets signal N (130: Ctrl-C), 2 for wrong
    usage.
    """
    from kumihimo.study.collectives.study import find

    _run("collectives", find, source, out, quick=quick, workers=workers, quiet=quiet)


@app.command("matching")
def matching_command(
    source: Source = None,
    out: Out = None,
    quick: Quick = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Matching by lists, cells and heads in order: deep queues and programs.

    Measures the time for each message that waits in a queue, under every model of matching, by
    the host and by the interface, compares it with sums of components and with a paper, and runs
    programs under every model. Writes study.html, study.json, depths.parquet, programs.parquet and
    figures. Called again after an interruption, it goes on.

    Exit status: 1 if a point failed, 128 + N when Kumihimo gets signal N (130: Ctrl-C), 2 for wrong
    usage.
    """
    from kumihimo.study.matching.study import find

    _run("matching", find, source, out, quick=quick, workers=workers, quiet=quiet)


@app.command("braid")
def braid_command(
    source: Source = None,
    out: Out = None,
    quick: Quick = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """All five techniques, alone and together: a solver under all 32 combinations.

    Compiles the program so that it counts its work (make compilers), runs it on a torus and on a
    dragonfly, and writes study.html, study.json, tables and pictures: what each technique does
    alone and in the whole, which pairs help or hinder each other, and why. Called again after an
    interruption, it goes on.

    Exit status: 1 if a point failed, 128 + N when Kumihimo gets signal N (130: Ctrl-C), 2 for wrong
    usage.
    """
    from kumihimo.study.braid.study import find

    _run("braid", find, source, out, quick=quick, workers=workers, quiet=quiet)


def _run(
    name: str,
    find: Find,
    source: Path | None,
    out: Path | None,
    *,
    quick: bool,
    workers: int | None,
    quiet: bool,
) -> NoReturn:
    """Run a study; end with its exit status."""
    from kumihimo.installed import shipped_path
    from kumihimo.study.session import StudyOptions, study

    options = StudyOptions(
        name=name,
        source=source or shipped_path("studies").parent,
        out=out or Path(f"kumi-study-{name}"),
        quick=quick,
        workers=workers,
        quiet=quiet,
    )
    raise typer.Exit(study(options, find))
