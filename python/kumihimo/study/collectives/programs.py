"""Programs with the MPI library's own algorithms, and with scheduled ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kumihimo.platform import load_platform
from kumihimo.study.campaign import Campaign, Row, Sweep
from kumihimo.study.collectives.closed_form import Cube
from kumihimo.study.programs import MpiName

LIBRARY, SCHEDULED = MODES = ("library", "scheduled")
OVERHEADS_NS = (0, 250)
_SIDE, _RANKS = 4, 64
_COMPLEX_BYTES, _INT_BYTES = 16, 4
_PS_PER_NS = 1000


@dataclass(frozen=True)
class Program:
    """A program whose ranks communicate by collective operations alone.

    Attributes:
        name: What it is called.
        file: Its source in examples/apps.
        blocks: Size of a block of its MPI_Alltoall in bytes, by class.
        proof: What finds the last number of what was verified in its output.
        proven: This number, if everything was verified.
    """

    name: str
    file: str
    blocks: Mapping[str, int]
    proof: str
    proven: int


_POINTS = {"S": 2**18, "W": 2**19, "A": 2**23}
PROGRAMS = (
    Program(
        "FT",
        "fourier_transform.c",
        {name: _COMPLEX_BYTES * points // _RANKS**2 for name, points in _POINTS.items()},
        r"step (\d+), checksum .*: VERIFIED",
        6,
    ),
    Program(
        "IS",
        "integer_sort.c",
        dict.fromkeys(_POINTS, _INT_BYTES),
        r", (\d+) known ranks: VERIFIED",
        50,
    ),
)


@dataclass(frozen=True)
class Extent:
    """What is run.

    Attributes:
        classes: Sizes of the problems.
        programs: By MPI library, with what sender and receiver each spend on a message.
    """

    classes: tuple[str, ...]
    programs: Mapping[MpiName, tuple[Sequence[Program], Sequence[int]]]


_EVERYTHING = (PROGRAMS, OVERHEADS_NS)
FULL = Extent(("S", "W", "A"), {"mpich": _EVERYTHING, "openmpi": _EVERYTHING})
QUICK = Extent(("S",), {"mpich": _EVERYTHING, "openmpi": (PROGRAMS[1:], OVERHEADS_NS[1:])})


def platform_file(source: Path) -> Path:
    """Return the platform file that programs run on."""
    return source / "platforms" / "torus4x4x4.toml"


def cube_of(source: Path) -> Cube:
    """Return the torus that programs run on."""
    platform = load_platform(platform_file(source), tell=False)
    packet_bytes = int(platform["mpi.synchronise_size"])
    return Cube(_SIDE, platform.numbers("switch_link.latency"), platform, packet_bytes)


def alltoall_ps(cube: Cube, block_bytes: int, overhead_ns: int) -> int:
    """Return how long a scheduled MPI_Alltoall takes ranks that enter together."""
    return cube.synchronisation_ps + cube.steps_ps(
        block_bytes,
        eager_limit=int(cube.platform["mpi.eager_limit"]),
        overhead_ps=2 * overhead_ns * _PS_PER_NS,
    )


def settings_of(overhead_ns: int) -> dict[str, Sequence[str]]:
    """Return the keys of the platform for both modes, with an overhead of messages."""
    overhead = [f"{overhead_ns} ns"]
    return {
        "mpi.collectives.mode": MODES,
        "mpi.send_overhead": overhead,
        "mpi.receive_overhead": overhead,
    }


def run_programs(campaign: Campaign, source: Path, extent: Extent) -> list[Row]:
    """Run the programs; return a row for each with its class, MPI library, overhead and mode.

    Args:
        campaign: Runs the sweeps.
        source: The source tree.
        extent: What is run.
    """
    return [
        row
        for mpi, (programs, overheads_ns) in extent.programs.items()
        for program in programs
        for overhead_ns in overheads_ns
        for row in _run_one(campaign, source, (program, mpi, overhead_ns), extent.classes)
    ]


def _run_one(
    campaign: Campaign,
    source: Path,
    case: tuple[Program, MpiName, int],
    classes: Sequence[str],
) -> Iterator[Row]:
    program, mpi, overhead_ns = case
    binary = campaign.program(source / "examples" / "apps" / program.file, mpi=mpi)
    lines = {f"{binary} {name}": name for name in classes}
    sweep = Sweep(
        f"programs-{program.name}-{mpi}-{overhead_ns}",
        platform_file(source).resolve(),
        programs=tuple(lines),
        ranks=(_RANKS,),
        settings=settings_of(overhead_ns),
        mpi=mpi,
        error=program.proof,
    )
    cube = cube_of(source)
    for row in campaign.run(sweep):
        name = lines[row["command"]]
        file = campaign.result(sweep.name, row)
        scheduled = json.loads(file.read_text(encoding="utf-8")).get("collectives", {})
        yield {
            "program": program.name,
            "class": name,
            "mpi": mpi,
            "overhead_ns": overhead_ns,
            "mode": row["mpi.collectives.mode"],
            "verified": row["program_error"] == program.proven,
            "virtual_time_ps": row["virtual_time_ps"],
            "compute_ps": row["compute_ps"] / _RANKS,
            # These programs wait for, and communicate by, nothing else.
            "collectives_ps": (row["communication_ps"] + row["wait_ps"]) / _RANKS,
            "messages": row["messages"],
            "bytes": row["bytes"],
            "expected_alltoall_ps": alltoall_ps(cube, program.blocks[name], overhead_ns),
            **_functions(scheduled.get("functions", {})),
            "timed_steps": row["timed_steps"],
            "missed_steps": row["missed_steps"],
            "largest_lateness_ps": scheduled.get("largest_lateness_ps"),
        }


def _functions(found: Mapping[str, Any]) -> dict[str, float | int | None]:
    """Return the mean time of scheduled calls of each function, and numbers of calls."""

    def mean_ps(function: str) -> float | None:
        row = found.get(function, {}).get("scheduled", {"calls": 0})
        return float(row["time_ps"]) / row["calls"] if row["calls"] else None

    def calls(function: str) -> int:
        """Return how often a rank called it."""
        return int(found.get(function, {}).get("scheduled", {"calls": 0})["calls"]) // _RANKS

    left = [why["calls"] for row in found.values() for why in row["library"].values()]
    done = [row["scheduled"] for row in found.values()]
    return {
        "alltoall_ps": mean_ps("MPI_Alltoall"),
        "alltoallv_ps": mean_ps("MPI_Alltoallv"),
        "alltoallv_calls": calls("MPI_Alltoallv"),
        "allreduce_ps": mean_ps("MPI_Allreduce"),
        "scheduled_calls": sum(row["calls"] for row in done) if found else None,
        "library_calls": sum(left) if found else None,
        "scheduled_ps": sum(row["time_ps"] for row in done) / _RANKS if found else None,
    }
