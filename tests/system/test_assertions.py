"""What programs assert of communicators is counted, and named where they break it.

The programs do not run natively: a library that relies on what they break may wait for ever.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jobs import BY_NAME, command_of, run_simulated

RANKS = 4
_PLATFORM = """
[topology]
kind = "torus"
sizes = [4]
hosts_per_switch = 1
[node]
speed = "1 Gflop/s"
[link]
bandwidth = "10 Gb/s"
latency = "100 ns"
"""


def asserted(folder: Path, mpi: str, program: str) -> dict[str, Any]:
    """Run a program; return the part "assertions" of its result."""
    platform = folder / "platform.toml"
    platform.write_text(_PLATFORM)
    command = command_of(BY_NAME[mpi], program)
    job = run_simulated(BY_NAME[mpi], RANKS, command, folder / "run", platform=platform)
    assert f"{program}: passed" in job.stdout
    found: dict[str, Any] = job.result["matching"].get("assertions", {})
    return found


def row(receives: int, broken: int, *functions: str) -> dict[str, Any]:
    """What all ranks do, of which each sends as many messages as it receives."""
    count = RANKS * receives
    return {
        "receives": count,
        "messages": count,
        "broken": RANKS * broken,
        "broken_by": list(functions),
    }


@pytest.mark.parametrize("mpi", BY_NAME)
def test_calls_on_communicators_with_assertions_are_counted(mpi: str, tmp_path: Path) -> None:
    assert asserted(tmp_path, mpi, "assertions") == {
        "mpi_assert_no_any_source": row(3, 1, "MPI_Irecv"),
        "mpi_assert_no_any_tag": row(3, 1, "MPI_Irecv"),
        "mpi_assert_allow_overtaking": row(1, 0),
        "mpi_assert_exact_length": row(2, 1, "MPI_Irecv"),
    }
    remarks = json.loads((tmp_path / "run" / "host.json").read_text())["remarks"]
    broken = [remark for remark in remarks if "broke" in remark]
    assert len(broken) == 3
    assert broken[0] == (
        "the program broke mpi_assert_no_any_source of its communicators 4 times, in MPI_Irecv; "
        "an MPI library may rely on it"
    )
    report = (tmp_path / "run" / "report.html").read_text()
    assert broken[2] in report
    assert "mpi_assert_allow_overtaking: 4 receives and 4 messages, broken 0 times" in report


def test_fortran_asserts_too(tmp_path: Path) -> None:
    assert asserted(tmp_path, "openmpi", "assertions_f08") == {
        "mpi_assert_no_any_source": row(3, 1, "MPI_Sendrecv"),
        "mpi_assert_exact_length": row(3, 1, "MPI_Sendrecv"),
    }


def test_python_asserts_too(tmp_path: Path) -> None:
    assert asserted(tmp_path, "mpich", "py_assertions") == {
        "mpi_assert_no_any_source": row(2, 1, "MPI_Sendrecv"),
    }


@pytest.mark.parametrize("mpi", BY_NAME)
def test_programs_without_assertions_have_none(mpi: str, tmp_path: Path) -> None:
    assert asserted(tmp_path, mpi, "wildcards") == {}
