"""`kumihimo compare`: results side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from kumihimo.errors import UserError


def compare_command(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULT...", help="Result folders; the first is the baseline."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")] = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page with a figure of time and energy."),
    ] = None,
) -> None:
    """Compare two or more results: times, energies, messages, waits, configurations.

    `kumihimo variants` runs a program under several settings and compares them.

    Exit status: 2 for wrong usage, 1 for any other failure.
    """
    from rich.console import Console

    from kumihimo.results import load
    from kumihimo.results.comparison import compare_results
    from kumihimo.results.comparison_table import print_comparison

    if len(results) < 2:
        raise UserError(f"compare needs at least two result folders, there is only {results[0]}")
    comparison = compare_results([load(directory) for directory in results])
    if report is not None:
        from kumihimo.results.folder import replace_file
        from kumihimo.results.report.comparison_page import comparison_page

        replace_file(report, comparison_page(comparison))
    if as_json:
        print(json.dumps(comparison, indent=2, sort_keys=True, ensure_ascii=False))
    else:
        print_comparison(comparison, Console())
