"""What `kumihimo study braid` runs, and what it says of that."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kumihimo.errors import UserError
from kumihimo.study.braid.reasons import reason
from kumihimo.study.campaign import Campaign
from kumihimo.study.contents import Contents, StudyTable
from kumihimo.study.variants.axes import Axis, read_axis
from kumihimo.study.variants.session import VariantOptions, contents_of, variants

_INTRODUCTION = (
    "A wave is carried along and diffuses on a square: ranks exchange rows with neighbours, "
    "transpose the square by an all-to-all, and sum its energy. The program knows the result in "
    "closed form, so that its error is known, too. Computing is counted. Each of five techniques "
    "is on or off: links that sleep and are woken ahead of what ranks have learned to send, "
    "connections where the hint says so, errors in doubles behind their first 32 bits, matching "
    "by Elan4's model, and scheduled collective calls.",
    "Alone: with a technique, of the same without any. In the whole: with all, of the same without "
    "this one. Of a pair: both together, of the product of what each does alone.",
)
_FAILED = 1


@dataclass(frozen=True)
class _Extent:
    platforms: tuple[str, ...]
    ranks: int
    points: int
    steps: int


_FULL = _Extent(("torus-64", "dragonfly-64"), 64, 512, 60)
_QUICK = _Extent(("torus-16",), 16, 64, 10)


def find(campaign: Campaign, source: Path, quick: bool) -> Contents:
    """Run the study.

    Raises:
        UserError: If it cannot be run, or gave too little.
    """
    extent = _QUICK if quick else _FULL
    program = campaign.program(source / "examples" / "apps" / "advection_diffusion.c")
    command = [*shlex.split(program), str(extent.points), str(extent.steps), "any"]
    folder = source / "studies" / "braid"
    axes = axes_of(folder / "policy.toml")
    parts = []
    for platform in extent.platforms:
        rows = _run(campaign, folder / f"{platform}.toml", command, extent.ranks, axes)
        if rows:
            contents = contents_of(rows, axes, platform, campaign.status != 0, reason)
            parts.append(_named(platform, contents))
    if not parts:
        raise UserError(f"no combination has ended well: see the sweeps in {campaign.folder}")
    return Contents(
        title="All five techniques, alone and together",
        introduction=_INTRODUCTION,
        summary=[sentence for part in parts for sentence in part.summary],
        findings=[finding for part in parts for finding in part.findings],
        lines=(),
        tables=[table for part in parts for table in part.tables],
        figures=[figure for part in parts for figure in part.figures],
        failed=campaign.status != 0,
    )


def axes_of(policy: Path) -> list[Axis]:
    """Return the five techniques, each off and on."""
    return [
        read_axis("link-power=always_on,prewake"),
        read_axis("service=none,hint"),
        read_axis(f"approx=none,{policy}"),
        read_axis("matching=list,elan4"),
        read_axis("collectives=library,scheduled"),
    ]


def _run(
    campaign: Campaign, platform: Path, command: Sequence[str], ranks: int, axes: Sequence[Axis]
) -> list[dict[str, Any]]:
    rows, status = variants(
        VariantOptions(
            axes=axes,
            platform=platform,
            command=command,
            ranks=ranks,
            out=campaign.folder / platform.stem,
            compute="counted",
            mpi="mpich",
            predicts=True,
            error=r"error (\S+),",
            workers=campaign.workers,
            quiet=campaign.quiet,
        )
    )
    campaign.status = max(campaign.status, status)
    if status > _FAILED:
        raise InterruptedError
    return rows


def _named(platform: str, contents: Contents) -> Contents:
    """Return what was found on a platform, under names of its own."""
    tables = [
        replace(
            _explained(table) if table.name == "pairs" else table,
            name=f"{platform}-{table.name}",
            title=f"{platform}: {table.title[0].lower()}{table.title[1:]}",
        )
        for table in contents.tables
    ]
    figures = [
        replace(figure, name=f"{platform}-{figure.name}", title=f"{platform}: {figure.title}")
        for figure in contents.figures
    ]
    return replace(
        contents,
        summary=[f"{platform}: {each[0].lower()}{each[1:]}" for each in contents.summary],
        findings=[replace(each, name=f"{platform}: {each.name}") for each in contents.findings],
        tables=tables,
        figures=figures,
    )


def _explained(pairs: StudyTable) -> StudyTable:
    rows = [{**row, "reason": reason(row["first"], row["second"])} for row in pairs.rows]
    return replace(pairs, rows=rows, columns={**pairs.columns, "reason": ("why", str)})
