"""Runs one program under all combinations, and reports the outcome."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.results import display
from kumihimo.run.program import find_program
from kumihimo.study.campaign import Campaign, Row, Sweep
from kumihimo.study.contents import Contents, Finding, StudyTable
from kumihimo.study.page import write_study
from kumihimo.study.variants.axes import Axis, policies_of, settings_of
from kumihimo.study.variants.effects import QUANTITIES, effects, interactions, place_of
from kumihimo.study.variants.figure import variants_figure

STEM = "variants"
FIRST = "as it is"

# Columns of the table, where any row has them: heading, and how a value is written.
_COLUMNS = {
    "virtual_time_ps": ("time", display.format_time),
    "time_ratio": ("ratio", "{:.4f}".format),
    "link_energy_pj": ("energy", lambda value: display.format_energy(value * 10**6)),
    "energy_ratio": ("ratio", "{:.4f}".format),
    "rank_memory_bytes": ("memory", display.format_bytes),
    "most_connections": ("connections", "{:,}".format),
    "matching_ps": ("matching", display.format_time),
    "approximate_messages": ("inexact messages", "{:,}".format),
    "wrong_bits": ("wrong bits", "{:,}".format),
    "missed_steps": ("missed steps", "{:,}".format),
    "program_error": ("error", "{:.4g}".format),
}


@dataclass(frozen=True, kw_only=True)
class VariantOptions:
    """The options of `kumihimo variants`.

    Attributes:
        axes: What is varied.
        platform: The platform file.
        command: The program and its arguments.
        ranks: How many.
        out: Where everything goes; points that are complete there are kept.
        compute: As `run.compute` of sweep files; None: counted where the program counts, else none.
        mpi: As `run.mpi`.
        predicts: As `run.predict`.
        error: As `run.error`; empty for none.
        seed: Of all random streams.
        workers: How many points run at once; None for one on each core.
        quiet: Whether only failures are reported.
    """

    axes: Sequence[Axis]
    platform: Path
    command: Sequence[str]
    ranks: int
    out: Path
    compute: str | None = None
    mpi: str = "found"
    predicts: bool = False
    error: str = ""
    seed: int = 0
    workers: int | None = None
    quiet: bool = False

    def sweep(self) -> Sweep:
        """Return the sweep of all combinations."""
        counts = self.compute is None and find_program(tuple(self.command), None).counts_work
        return Sweep(
            STEM,
            self.platform.resolve(),
            programs=(shlex.join(self.command),),
            ranks=(self.ranks,),
            settings=settings_of(self.axes),
            approx=policies_of(self.axes),
            seeds=(self.seed,),
            compute=self.compute or ("counted" if counts else "none"),
            mpi=self.mpi,
            predicts=self.predicts,
            runs_in=Path.cwd(),
            error=self.error,
        )


def variants(options: VariantOptions) -> tuple[list[Row], int]:
    """Run all combinations; write table, page and picture.

    Returns:
        A row for each combination that has ended well, in order, and the exit status.

    Raises:
        UserError: If the program, the platform or a value cannot be used.
    """
    if len({axis.column for axis in options.axes}) < len(options.axes):
        raise UserError("--vary: expected each name once")
    sweep = options.sweep()
    campaign = Campaign(options.out.resolve(), options.workers, options.quiet)
    try:
        with campaign:
            rows = [_row(row, options.axes) for row in campaign.run(sweep)]
    except InterruptedError:
        return [], campaign.status
    if rows:
        _compare(rows, options.axes)
        failed = campaign.status != 0
        contents = contents_of(rows, options.axes, shlex.join(options.command), failed)
        write_study(options.out, STEM, contents, stem=STEM)
    return rows, campaign.status


def _row(row: Row, axes: Sequence[Axis]) -> Row:
    return {"variant": name_of(place_of(row, axes), axes), **row}


def name_of(place: Sequence[str], axes: Sequence[Axis]) -> str:
    """Return how a combination differs from the first one."""
    differing = [
        axis.shown(value) if axis.is_technique else f"{axis.name} {value}"
        for axis, value in zip(axes, place, strict=True)
        if value != axis.values[0]
    ]
    if len(axes) == 1 and not differing:
        return axes[0].shown(place[0])
    return " + ".join(differing) or FIRST


def _compare(rows: Sequence[Row], axes: Sequence[Axis]) -> None:
    """Add the ratios to the first combination; none if that has not ended well."""
    measure_at = tuple(axis.values[0] for axis in axes)
    first = next((row for row in rows if place_of(row, axes) == measure_at), None)
    for row in rows:
        for name, column in (("time_ratio", "virtual_time_ps"), ("energy_ratio", "link_energy_pj")):
            measure = first[column] if first is not None else None
            row[name] = row[column] / measure if measure and row[column] is not None else None


def shown_columns(rows: Sequence[Row]) -> dict[str, str]:
    """Return the columns that say something, with their headings."""
    return {
        name: heading
        for name, (heading, _) in _COLUMNS.items()
        if any(row[name] is not None for row in rows)
    }


def cell(row: Row, column: str) -> str:
    """Return a value as it is shown."""
    value = row[column]
    return "" if value is None else _COLUMNS[column][1](value)


def _unexplained(first: str, second: str) -> str:
    """Return no reason: settings may be any."""
    del first, second
    return ""


def contents_of(
    rows: Sequence[Row],
    axes: Sequence[Axis],
    what: str,
    failed: bool,
    explain: Callable[[str, str], str] = _unexplained,
) -> Contents:
    """Return what the page shows; `explain` says why two settings change each other."""
    columns = {name: (heading, _COLUMNS[name][1]) for name, heading in shown_columns(rows).items()}
    tables = [
        StudyTable(
            "combinations",
            "All combinations",
            rows,
            {**{axis.column: (axis.name, axis.shown) for axis in axes}, **columns},
        )
    ]
    present = [name for name in QUANTITIES if any(row[name] for row in rows)]
    by_axis = [row for name in present for row in effects(rows, axes, name)]
    if by_axis and len(axes) > 1:
        tables.append(
            StudyTable(
                "effects",
                "Each alone, and in the whole",
                by_axis,
                {
                    "technique": ("setting", str),
                    "quantity": ("quantity", str),
                    "alone": ("alone: of that without any", "{:.4f}".format),
                    "whole": ("in the whole: of that without it", "{:.4f}".format),
                },
            )
        )
    pairs = [row for name in present[:2] for row in interactions(rows, axes, name)]
    if pairs:
        tables.append(
            StudyTable(
                "pairs",
                "Pairs: below 1 they help each other",
                pairs,
                {
                    "first": ("one", str),
                    "second": ("the other", str),
                    "quantity": ("quantity", str),
                    "factor": ("both, of the product of each alone", "{:.4f}".format),
                },
            )
        )
    return Contents(
        title=f"{what}: every combination",
        introduction=(f"{len(rows)} combinations of settings; the first one is the measure.",),
        summary=_sentences(rows, by_axis, pairs),
        findings=_findings(by_axis, pairs, explain),
        lines=(),
        tables=tables,
        figures=(variants_figure(rows),),
        failed=failed,
    )


_QUANTITIES = {"virtual_time_ps": "time", "link_energy_pj": "link energy"}


def _findings(
    by_axis: Sequence[Row], pairs: Sequence[Row], explain: Callable[[str, str], str]
) -> list[Finding]:
    """Return what each setting changes by itself and in the whole, and pairs of them."""
    ratios = [
        Finding(
            f"{_QUANTITIES[row['quantity']]} with {row['technique']}, {where}",
            None,
            row[column],
            "ratio to without it",
            "",
        )
        for row in by_axis
        for column, where in (("alone", "alone"), ("whole", "with all others"))
        if row["quantity"] in _QUANTITIES and row[column] is not None
    ]
    return ratios + [
        Finding(
            f"{_QUANTITIES[row['quantity']]} with {row['first']} and {row['second']}",
            None,
            row["factor"],
            "ratio to the product of both alone",
            explain(row["first"], row["second"]),
        )
        for row in pairs
        if row["quantity"] in _QUANTITIES
    ]


def _sentences(rows: Sequence[Row], by_axis: Sequence[Row], pairs: Sequence[Row]) -> list[str]:
    found = []
    timed = [row for row in rows if row["time_ratio"] is not None]
    if timed:
        fastest = min(timed, key=lambda row: row["time_ratio"])
        found.append(
            f'The fastest combination is "{fastest["variant"]}": '
            f"{display.format_time(fastest['virtual_time_ps'])}, {fastest['time_ratio']:.4f} of "
            "the first one."
        )
    thriftiest = [row for row in rows if row["energy_ratio"] is not None]
    if thriftiest:
        least = min(thriftiest, key=lambda row: row["energy_ratio"])
        found.append(
            f'The least link energy takes "{least["variant"]}": {least["energy_ratio"]:.4f} of the '
            f"first one, in {least['time_ratio']:.4f} of its time."
        )
    for row in by_axis:
        if row["quantity"] in _QUANTITIES and row["alone"] is not None and row["whole"] is not None:
            found.append(
                f"{row['technique']} changes {_QUANTITIES[row['quantity']]} by "
                f"{100 * (row['alone'] - 1):+.2f} % alone, and in the whole by "
                f"{100 * (row['whole'] - 1):+.2f} %."
            )
    for name, word in _QUANTITIES.items():
        of_quantity = [row for row in pairs if row["quantity"] == name]
        if of_quantity:
            best, worst = (pick(of_quantity, key=lambda r: r["factor"]) for pick in (min, max))
            found.append(
                f"In {word} {best['first']} and {best['second']} help each other most "
                f"({best['factor']:.4f}); {worst['first']} and {worst['second']} "
                f"{'hinder each other most' if worst['factor'] > 1 else 'help least'} "
                f"({worst['factor']:.4f})."
            )
    return found
