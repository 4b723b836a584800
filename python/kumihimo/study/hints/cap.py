"""Where the cap binds: schedules of an all-to-all and shifts, with more ranks than connections."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kumihimo._core import Pattern
from kumihimo.study.campaign import Campaign, Row, Sweep
from kumihimo.study.hints.benchmark import SERVICES
from kumihimo.study.hints.peers import SHIFT_BYTES

_BLOCK_BYTES = 64
_SHIFTS = (200, 400)
FULL = (64, 256, 1024, 4096)
QUICK = (16, 64, 256)


def cap_of(ranks: int) -> int:
    """Return how many connections MVAPICH2 2.3.7 allows a process in a job of this size."""
    if ranks < 512:
        return 32
    return 64 if ranks < 4096 else 128


def run_cap(campaign: Campaign, source: Path, numbers: tuple[int, ...]) -> list[Row]:
    """Run schedules; return a row for each number of ranks, distance of the shifts and service.

    Args:
        campaign: Runs the sweeps.
        source: The source tree.
        numbers: Of ranks.
    """
    return [
        row
        for ranks in numbers
        for distance in (1, ranks // 2 - 1)
        for row in _run_one(campaign, source, ranks, distance)
    ]


def _run_one(campaign: Campaign, source: Path, ranks: int, distance: int) -> list[Row]:
    files = {
        shifts: campaign.schedule(
            f"alltoall-{ranks}-{distance}-{shifts}", _parts(ranks, distance, shifts)
        )
        for shifts in _SHIFTS
    }
    sweep = Sweep(
        f"cap-{ranks}-{distance}",
        source / "studies" / "hints" / "fdr.toml",
        schedules=tuple(map(str, files.values())),
        settings={
            "topology.hosts": [ranks],
            "mpi.service.kind": list(SERVICES),
            "mpi.service.messages_before": [0],
            "mpi.service.connection_cap": [cap_of(ranks)],
        },
    )
    rows = {(row["command"], row["mpi.service.kind"]): row for row in campaign.run(sweep)}
    few, many = (str(files[shifts]) for shifts in _SHIFTS)
    return [
        _result(ranks, distance, service, rows[few, service], rows[many, service])
        for service in SERVICES
        if (few, service) in rows and (many, service) in rows
    ]


def _parts(ranks: int, distance: int, shifts: int) -> list[tuple[Pattern, bool]]:
    return [
        (Pattern("alltoall/linear", ranks, size_bytes=_BLOCK_BYTES), False),
        (
            Pattern(
                "shift/direct", ranks, size_bytes=SHIFT_BYTES, distance=distance, iterations=shifts
            ),
            True,
        ),
    ]


def _result(
    ranks: int, distance: int, service: str, fewer: Mapping[str, int], row: Mapping[str, int]
) -> Row:
    more_ps = row["virtual_time_ps"] - fewer["virtual_time_ps"]
    return {
        "ranks": ranks,
        "distance": distance,
        "service": service,
        "connection_cap": cap_of(ranks),
        "memory_bytes": row["rank_memory_bytes"],
        "connections": row["most_connections"],
        "refused": row["refused_connections"],
        "shift_ps": more_ps / (_SHIFTS[1] - _SHIFTS[0]),
        "virtual_time_ps": row["virtual_time_ps"],
    }
