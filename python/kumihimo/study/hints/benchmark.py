"""The benchmark of the publication, as processes: memory by service, and the time of a shift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kumihimo.platform import load_platform
from kumihimo.study.campaign import Campaign, Row, Sweep
from kumihimo.study.hints.peers import (
    COLLECTIVES,
    Collective,
    connections,
    memory_bytes,
    shift_ps,
)

_BY_LIMIT = ("hybrid", "hint")
SERVICES = ("rc", "ud", *_BY_LIMIT)


@dataclass(frozen=True)
class Extent:
    """What is run.

    Attributes:
        ranks: Numbers of processes; powers of two from 4 on.
        shifts: Two numbers of shifts; their difference in time is that of shifts.
        limits: Messages to a peer before a connection is asked for.
        collectives: Which.
    """

    ranks: tuple[int, ...]
    shifts: tuple[int, int]
    limits: tuple[int, ...]
    collectives: Sequence[Collective]


FULL = Extent((8, 16, 32, 64, 128), (200, 400), (0, 1), COLLECTIVES)
QUICK = Extent((8, 16), (200, 300), (1,), COLLECTIVES[::2])


def run_benchmark(campaign: Campaign, source: Path, extent: Extent) -> list[Row]:
    """Run the program; return a row for each collective operation, number of ranks and service.

    Args:
        campaign: Runs the sweeps.
        source: The source tree.
        extent: What is run.
    """
    file = source / "studies" / "hints" / "fdr.toml"
    program = campaign.program(source / "examples" / "apps" / "ring_shift.c", counts=False)
    lines = {
        (collective, shifts): f"env {collective.environment} {program} {collective.function} "
        f"{shifts}"
        for collective in extent.collectives
        for shifts in extent.shifts
    }
    rows = []
    kinds: dict[str, dict[str, Sequence[int | str]]] = {
        "always": {"mpi.service.kind": ["rc", "ud"]},
        "by-limit": {
            "mpi.service.kind": list(_BY_LIMIT),
            "mpi.service.messages_before": extent.limits,
        },
    }
    for name, settings in kinds.items():
        sweep = Sweep(
            f"benchmark-{name}",
            file,
            programs=tuple(lines.values()),
            ranks=extent.ranks,
            settings=settings,
            compute="none",
        )
        rows += campaign.run(sweep)
    found = {
        (row["command"], row["ranks"], row["mpi.service.kind"], _limit(row)): row for row in rows
    }
    platform = load_platform(file, tell=False)
    few, many = extent.shifts
    results = []
    for command, ranks, service, limit in found:
        collective = next(
            (c for (c, n), line in lines.items() if (line, n) == (command, many)), None
        )
        if collective is None:
            continue
        fewer = found.get((lines[collective, few], ranks, service, limit))
        if fewer is None:
            continue
        row = found[command, ranks, service, limit]
        expected = connections(platform, service, collective.peers(ranks))
        more_ps = row["virtual_time_ps"] - fewer["virtual_time_ps"]
        results.append(
            {
                "collective": collective.name,
                "ranks": ranks,
                "service": service,
                "messages_before": limit,
                "memory_bytes": row["rank_memory_bytes"],
                "expected_memory_bytes": memory_bytes(platform, service, expected),
                "connections": row["most_connections"],
                "expected_connections": expected,
                "shift_ps": more_ps / (many - few),
                "expected_shift_ps": shift_ps(platform, service),
                "virtual_time_ps": row["virtual_time_ps"],
            }
        )
    return results


def _limit(row: Row) -> int | None:
    return row.get("mpi.service.messages_before")
