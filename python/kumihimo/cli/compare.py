"""`kumihimo compare`: results side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from kumihimo.cli import live_options as live
from kumihimo.errors import UserError


def compare_command(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULT... | PROGRAM [ARGUMENTS]...",
            help="Result folders, the first one being the measure; with --variants a program.",
        ),
    ],
    variants: Annotated[
        str | None,
        typer.Option(
            metavar="POLICIES",
            help="Run a program once for each of these policies of links, as in "
            '"always_on,threshold,prewake", and compare.',
        ),
    ] = None,
    platform: Annotated[
        Path | None,
        typer.Option("--platform", "-p", metavar="FILE", help="With --variants: the machine."),
    ] = None,
    ranks: Annotated[
        int | None,
        typer.Option(
            "--ranks",
            "-n",
            min=1,
            help="With --variants: MPI processes. [default: 1]",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="With --variants: where the result folders go, named after their policies. "
            "[default: kumi-PROGRAM-nRANKS-variants]",
            show_default=False,
        ),
    ] = None,
    predict: live.Predict = False,
    record: live.Record = live.RecordLevel.summary,
    compute: live.Compute = None,
    mpi: live.Mpi = None,
    seed: live.Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a page with a figure of time and energy. "
            "[default: comparison.html beside the results of --variants]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Put two or more results side by side: times, energies, messages, waits, configurations.

    With --variants it makes the results: it runs a program over a machine whose links save power,
    once for each policy. --predict, --record, --compute, --mpi and --seed
    are those of `kumihimo run`. With --json what the program prints goes to standard error.

    Exit status: that of the first run that fails, 2 for wrong usage, 1 for any other failure.
    """
    if variants is None:
        if platform is not None or ranks is not None or out is not None or predict:
            raise UserError("--platform, --ranks, --out and --predict belong to --variants")
        _show([Path(result) for result in what], report, as_json=as_json)
        return
    if platform is None:
        raise UserError("--variants needs --platform")
    from kumihimo.run.options import RunOptions
    from kumihimo.run.variants import run_variants

    if record.value == "none":
        raise UserError("--variants compares results, which --record none does not leave")
    policies = _policies(variants)
    if predict and "prewake" not in policies:
        raise UserError("--predict is for the policy prewake, which is not among the --variants")
    options = RunOptions(
        ranks=ranks or 1,
        platform=platform,
        command=tuple(what),
        out=out,
        record=record.value,
        seed=seed,
        compute=compute.value if compute is not None else None,
        mpi=mpi.value if mpi is not None else None,
        predict=predict,
        quiet=True,
    )
    folders, exit_code = run_variants(options, policies, output_to_stderr=as_json)
    if exit_code:
        raise typer.Exit(exit_code)
    _show(folders, report or folders[0].parent / "comparison.html", as_json=as_json)


def _policies(text: str) -> list[str]:
    """Return the policies that are named.

    Raises:
        UserError: If there is no such policy, one is named twice, or there are fewer than two.
    """
    names = [name.strip() for name in text.split(",")]
    known = [policy.value for policy in live.LinkPolicy]
    for name in names:
        if name not in known:
            raise UserError(f"--variants: expected some of {', '.join(known)}, found {name!r}")
    if len(set(names)) < len(names) or len(names) < 2:
        raise UserError("--variants: expected at least two policies, each once")
    return names


def _show(folders: list[Path], report: Path | None, *, as_json: bool) -> None:
    from rich.console import Console

    from kumihimo.results import load
    from kumihimo.results.comparison import compare_results
    from kumihimo.results.comparison_table import print_comparison

    if len(folders) < 2:
        raise UserError(f"compare needs at least two result folders, there is only {folders[0]}")
    comparison = compare_results([load(directory) for directory in folders])
    if report is not None:
        from kumihimo.results.folder import replace_file
        from kumihimo.results.report.comparison_page import comparison_page

        replace_file(report, comparison_page(comparison))
    if as_json:
        print(json.dumps(comparison, indent=2, sort_keys=True, ensure_ascii=False))
    else:
        print_comparison(comparison, Console())
