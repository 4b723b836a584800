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
QUICK = (64, 256)
FULL_PROCESSES = (128, 256)
# An all-to-all has more peers than the 64 connections of a rank, and the farthest rank is none of
# them.
QUICK_PROCESSES = (72,)


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
    for ranks in numbers:
        files = {
            (distance, shifts): str(
                campaign.schedule(
                    f"alltoall-{ranks}-{distance}-{shifts}", _parts(ranks, distance, shifts)
                )
            )
            for distance in _distances(ranks)
            for shifts in _SHIFTS
        }
        sweep = Sweep(
            f"cap-{ranks}",
            source / "studies" / "hints" / "fdr.toml",
            schedules=tuple(files.values()),
            settings=_settings(ranks),
        )
        found += _results(ranks, files, campaign.run(sweep))
    return found


def run_cap_as_processes(campaign: Campaign, source: Path, numbers: tuple[int, ...]) -> list[Row]:
    """Do the same with the program of the benchmark, whose all-to-all is MPICH's scattered one."""
    program = campaign.program(source / "examples" / "apps" / "ring_shift.c", counts=False)
    (scattered,) = (each for each in COLLECTIVES if each.growth == "linear")
    found = []
    for ranks in numbers:
        lines = {
            (distance, shifts): f"env {scattered.environment} {program} alltoall {shifts} 1 "
            f"{SHIFT_BYTES} {distance}"
            for distance in _distances(ranks)
            for shifts in _SHIFTS
        }
        sweep = Sweep(
            f"cap-processes-{ranks}",
            source / "studies" / "hints" / "fdr.toml",
            programs=tuple(lines.values()),
            ranks=(ranks,),
            settings=_settings(ranks),
            compute="none",
        )
        found += _results(ranks, lines, campaign.run(sweep))
    return found


def _distances(ranks: int) -> tuple[int, int]:
    return (1, ranks // 2 - 1)


def _settings(ranks: int) -> dict[str, Sequence[int | str]]:
    return {
        "topology.hosts": [ranks],
        "mpi.service.kind": list(SERVICES),
        "mpi.service.messages_before": [0],
        "mpi.service.connection_cap": [cap_of(ranks)],
    }


def _results(
    ranks: int, commands: Mapping[tuple[int, int], str], found: Sequence[Row]
) -> list[Row]:
    """Return a row for each distance and service; commands are by distance and shifts."""
    rows = {(row["command"], row["mpi.service.kind"]): row for row in found}
    results = []
    for distance in _distances(ranks):
        few, many = (commands[distance, shifts] for shifts in _SHIFTS)
        results += [
            _result(ranks, distance, service, rows[few, service], rows[many, service])
            for service in SERVICES
            if (few, service) in rows and (many, service) in rows
        ]
    return results


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
