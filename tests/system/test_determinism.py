"""The same input gives the same events: repeated, at other addresses, on a busy computer."""

from pathlib import Path
from typing import Any

import pytest

from jobs import MPICH, OPEN_MPI, PLATFORMS, Mpi, busy_computer, command_of, run_simulated

PROGRAMS = ("collectives", "ordering", "polling", "rma_locks", "wildcards", "compute")


def facts(
    folder: Path,
    ranks: int,
    program: str,
    *arguments: str,
    mpi: Mpi = MPICH,
    before: tuple[str, ...] = (),
    limit_s: int = 100,
) -> dict[str, Any]:
    """Run a program; return its result, in which nothing may differ between repeats."""
    job = run_simulated(
        mpi,
        ranks,
        command_of(mpi, program, *arguments),
        folder,
        platform=PLATFORMS / "tree64.toml" if ranks <= 64 else PLATFORMS / "star256.toml",
        before=before,
        limit_s=limit_s,
    )
    assert job.result["totals"]["messages"] > 0
    return job.result


@pytest.mark.parametrize("program", PROGRAMS)
def test_repeated_and_at_other_addresses(program: str, tmp_path: Path) -> None:
    first = facts(tmp_path / "first", 8, program)
    assert facts(tmp_path / "again", 8, program) == first
    anywhere = facts(tmp_path / "anywhere", 8, program, before=("env", "KUMI_RANDOM_ADDRESSES=on"))
    assert anywhere == first


@pytest.mark.parametrize("program", ["collectives", "polling"])
def test_under_load(program: str, tmp_path: Path) -> None:
    quiet = facts(tmp_path / "quiet", 8, program)
    with busy_computer():
        loaded = facts(tmp_path / "loaded", 8, program)
    assert loaded == quiet


@pytest.mark.parametrize("ranks", [2, 4, 16, 32, 64])
def test_numbers_of_ranks(ranks: int, tmp_path: Path) -> None:
    first = facts(tmp_path / "first", ranks, "nonblocking_collectives")
    assert facts(tmp_path / "again", ranks, "nonblocking_collectives") == first


@pytest.mark.timeout(300)
def test_256_ranks(tmp_path: Path) -> None:
    first = facts(tmp_path / "first", 256, "ring", "2", "1024", limit_s=140)
    assert facts(tmp_path / "again", 256, "ring", "2", "1024", limit_s=140) == first


@pytest.mark.parametrize("program", ["collectives", "fortran_use"])
def test_open_mpi(program: str, tmp_path: Path) -> None:
    first = facts(tmp_path / "first", 4, program, mpi=OPEN_MPI)
    assert facts(tmp_path / "again", 4, program, mpi=OPEN_MPI) == first


def test_another_input_gives_another_hash(tmp_path: Path) -> None:
    """The hash can differ, and does when one message has one byte more."""
    first = facts(tmp_path / "first", 4, "ring", "2", "1000")
    other = facts(tmp_path / "other", 4, "ring", "2", "1001")
    assert other["event_hash"] != first["event_hash"]
