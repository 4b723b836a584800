"""The regret of services: what programs lose where a rank does not know what it will send."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kumihimo.study.campaign import Campaign, Row, Sweep

ORACLE = "oracle"
WITH_HINTS = ("hint", "hint_evict")


@dataclass(frozen=True)
class Program:
    """A program of examples/apps.

    Attributes:
        name: Of its file.
        arguments: On its command line.
        has_hints: Whether it says where its kernel is.
    """

    name: str
    arguments: str = ""
    has_hints: bool = False


PROGRAMS = (
    Program("advection_diffusion", "64 20 any", has_hints=True),
    Program("ring_shift", "alltoall 200", has_hints=True),
    Program("conjugate_gradient", "S"),
    Program("fourier_transform", "S"),
    Program("integer_sort", "S"),
    Program("k_means"),
    Program("multigrid", "S"),
    Program("wavefront"),
)


@dataclass(frozen=True)
class Extent:
    """What is run.

    Attributes:
        ranks: Number of processes.
        cap: Connections of a rank at most, by its own request; few, so that it binds.
        programs: Which.
    """

    ranks: int
    cap: int
    programs: Sequence[Program]


FULL = Extent(64, 4, PROGRAMS)
QUICK = Extent(16, 2, (*PROGRAMS[:4], PROGRAMS[6]))


def run_regret(campaign: Campaign, source: Path, extent: Extent) -> list[Row]:
    """Run programs under each service; return a row for each program and service.

    Services are HYBRID, HINT with and without closing, and the oracle, which learns from the run
    under HYBRID.

    Args:
        campaign: Runs the sweeps.
        source: The source tree.
        extent: What is run.
    """
    lines = {
        program: f"{campaign.program(source / 'examples' / 'apps' / f'{program.name}.c')} "
        f"{program.arguments}".strip()
        for program in extent.programs
    }
    hybrid = _sweep(campaign, source, extent, "hybrid", list(lines.values()))
    hinted = [line for program, line in lines.items() if program.has_hints]
    told_where = {
        service: _sweep(campaign, source, extent, service, hinted) for service in WITH_HINTS
    }
    rows = []
    for program, line in lines.items():
        if line not in hybrid:
            continue
        learnt = campaign.result(_name("hybrid"), hybrid[line]).parent
        told = _sweep(campaign, source, extent, ORACLE, [line], program=program, learnt=learnt)
        if line not in told:
            continue
        found = {"hybrid": hybrid[line], ORACLE: told[line]}
        found |= {service: run[line] for service, run in told_where.items() if line in run}
        rows += [_row(extent, program, service, found) for service in found]
    return rows


def _name(service: str, program: Program | None = None) -> str:
    return f"regret-{service}" + (f"-{program.name}" if program is not None else "")


def _sweep(
    campaign: Campaign,
    source: Path,
    extent: Extent,
    service: str,
    lines: Sequence[str],
    *,
    program: Program | None = None,
    learnt: Path | None = None,
) -> dict[str, Row]:
    """Run command lines under one service; return the row of each that is complete."""
    sweep = Sweep(
        _name(service, program),
        source / "studies" / "hints" / "fdr.toml",
        programs=tuple(lines),
        ranks=(extent.ranks,),
        settings={
            "mpi.service.kind": [service],
            "mpi.service.connection_cap": [extent.cap],
        },
        detail="full" if service == "hybrid" else "summary",
        traffic=learnt,
    )
    return {row["command"]: row for row in campaign.run(sweep)}


def _row(extent: Extent, program: Program, service: str, found: dict[str, Row]) -> Row:
    row = found[service]
    return {
        "program": program.name,
        "ranks": extent.ranks,
        "connection_cap": extent.cap,
        "service": service,
        "connections": row["most_connections"],
        "refused": row["refused_connections"],
        "memory_bytes": row["rank_memory_bytes"],
        "virtual_time_ps": row["virtual_time_ps"],
        "regret": row["virtual_time_ps"] / found[ORACLE]["virtual_time_ps"] - 1,
    }
