"""What would add processes to a run ends with an MPI error; sessions left open are reported."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from jobs import BIN, BY_NAME, MPICH, OPEN_MPI, PLATFORMS, Mpi, command_of, run_simulated

STAR = PLATFORMS / "star4.toml"
CALLS = ("accept", "connect", "join", "spawn", "spawn_multiple")


def fail(mpi: Mpi, *arguments: str) -> str:
    """Run a test program that fails; return what was said."""
    command = [str(BIN / "kumihimo"), "run", "-n", "4", "--mpi", mpi.name, "--quiet"]
    command += ["--platform", str(STAR), "--detail", "none", "--compute", "none", "--"]
    command += command_of(mpi, *arguments)
    ended = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert ended.returncode == 1, ended.stderr
    return ended.stderr


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
def test_a_program_that_handles_errors_goes_on(mpi: Mpi, tmp_path: Path) -> None:
    command = command_of(mpi, "refused", "return")
    job = run_simulated(mpi, 4, command, tmp_path / "out", platform=STAR)
    assert job.stdout == "refused: passed on 4 ranks\n"
    assert job.result["status"] == "complete"
    remarks = json.loads((job.folder / "host.json").read_text())["remarks"]
    for call in CALLS:
        refused = f"MPI_Comm_{call} is not supported in a simulated run"
        assert job.stderr.count(f"kumihimo: {refused}") == 1
        assert f"{refused}: the program got an error" in remarks


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
@pytest.mark.parametrize("call", ["MPI_Comm_spawn", "MPI_Comm_join"])
def test_a_program_that_does_not_ends_with_the_name_of_the_function(mpi: Mpi, call: str) -> None:
    errors = [line for line in fail(mpi, "refused", call).splitlines() if "kumihimo: " in line]
    assert len(errors) == 1
    assert f"{call} is not supported in a simulated run" in errors[0]


def test_fortran_gets_errors(tmp_path: Path) -> None:
    command = command_of(OPEN_MPI, "refused_f08")
    job = run_simulated(OPEN_MPI, 4, command, tmp_path / "out", platform=STAR)
    assert job.stdout == "refused_f08: passed\n"


@pytest.mark.parametrize("name", ["mpich", "openmpi"])
def test_python_gets_exceptions(name: str, tmp_path: Path) -> None:
    mpi = BY_NAME[name]
    command = command_of(mpi, "py_refused")
    job = run_simulated(mpi, 4, command, tmp_path / "out", platform=STAR)
    assert job.stdout == "py_refused: passed\n"


def test_a_session_that_is_left_open_is_told() -> None:
    assert "ended without calling MPI_Finalize" in fail(MPICH, "sessions", "unclosed")


def test_a_rank_that_never_comes_is_told() -> None:
    assert "rank 1 ended without calling MPI_Init; the others wait" in fail(
        MPICH, "sessions", "missing"
    )
