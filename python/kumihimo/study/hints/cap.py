"""Where the cap binds: an all-to-all and shifts, with more ranks than connections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from kumihimo._core import Pattern
from kumihimo.study.campaign import Campaign, Row, Sweep
from kumihimo.study.hints.benchmark import SERVICES
from kumihimo.study.hints.peers import COLLECTIVES, SHIFT_BYTES

_BLOCK_BYTES = 64
_SHIFTS = (200, 400)
FULL = (64, 256, 1024, 4096)
QUICK = (16, 64, 256)
FULL_PROCESSES = (128, 256)
QUICK_PROCESSES = (128,)


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
    found = []
    for ranks, distance in _cases(numbers):
        files = [
            str(
                campaign.schedule(
                    f"alltoall-{ranks}-{distance}-{shifts}", _parts(ranks, distance, shifts)
                )
            )
            for shifts in _SHIFTS
        ]
        sweep = Sweep(
            f"cap-{ranks}-{distance}",
            source / "studies" / "hints" / "fdr.toml",
            schedules=tuple(files),
            settings=_settings(ranks),
        )
        found += _results(ranks, distance, files, campaign.run(sweep))
    return found


def run_cap_as_processes(campaign: Campaign, source: Path, numbers: tuple[int, ...]) -> list[Row]:
    """Do the same with the program of the benchmark, whose all-to-all is MPICH's scattered one."""
    program = campaign.program(source / "examples" / "apps" / "ring_shift.c", counts=False)
    (scattered,) = (each for each in COLLECTIVES if each.growth == "linear")
    found = []
    for ranks, distance in _cases(numbers):
        lines = [
            f"env {scattered.environment} {program} alltoall {shifts} 1 {SHIFT_BYTES} {distance}"
            for shifts in _SHIFTS
        ]
        sweep = Sweep(
            f"cap-processes-{ranks}-{distance}",
            source / "studies" / "hints" / "fdr.toml",
            programs=tuple(lines),
            ranks=(ranks,),
            settings=_settings(ranks),
            compute="none",
        )
        found += _results(ranks, distance, lines, campaign.run(sweep))
    return found


def _cases(numbers: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(ranks, distance) for ranks in numbers for distance in (1, ranks // 2 - 1)]


def _settings(ranks: int) -> dict[str, Sequence[int | str]]:
    return {
        "topology.hosts": [ranks],
        "mpi.service.kind": list(SERVICES),
        "mpi.service.messages_before": [0],
        "mpi.service.connection_cap": [cap_of(ranks)],
    }


def _results(ranks: int, distance: int, commands: Sequence[str], found: Sequence[Row]) -> list[Row]:
    rows = {(row["command"], row["mpi.service.kind"]): row for row in found}
    few, many = commands
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
