"""What programs assert of communicators is counted, and named where they break it.

The programs do not run natively: a library that relies on what they break may wait for ever.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jobs import BY_NAME, FULL, command_of, run_simulated

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


def asserted(folder: Path, mpi: str, program: str, options: Sequence[str] = ()) -> dict[str, Any]:
    """Run a program; return the part "assertions" of its result."""
    platform = folder / "platform.toml"
    platform.write_text(_PLATFORM)
    command = command_of(BY_NAME[mpi], program)
    out = folder / "run"
    job = run_simulated(BY_NAME[mpi], RANKS, command, out, platform=platform, options=options)
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
    assert asserted(tmp_path, mpi, "assertions", FULL) == {
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


@pytest.mark.parametrize("by", ["host", "interface"])
@pytest.mark.parametrize("mpi", BY_NAME)
def test_no_wildcards_save_a_lookup_for_each_search(mpi: str, by: str, tmp_path: Path) -> None:
    """Each of 2 N messages takes it when it arrives, and each receive while its message travels."""
    rounds, lookup_ps = 50, 40_000
    results = []
    for value, lookup in (("true", "40 ns"), ("false", "40 ns"), ("false", "0 ns")):
        platform = tmp_path / "platform.toml"
        matching = f'[mpi.matching]\nmodel = "hashed"\nby = "{by}"\n'
        platform.write_text(f'{_PLATFORM}{matching}wildcard_lookup = "{lookup}"\n')
        command = command_of(BY_NAME[mpi], "asserted_ping_pong", str(rounds), value)
        folder = tmp_path / f"{value} {lookup}"
        results.append(run_simulated(BY_NAME[mpi], 2, command, folder, platform=platform).result)
    without, with_all, free = results
    times = [result["virtual_time_ps"] for result in results]
    assert times[1] - times[0] == 2 * rounds * lookup_ps
    spent = [result["matching"]["time_ps"] for result in results]
    assert spent[1] - spent[0] == 4 * rounds * lookup_ps
    # What else is searched for, the library's own messages, takes the lookup in both.
    searches = with_all["matching"]["arrivals"] + with_all["matching"]["receives"]
    assert spent[1] - spent[2] == searches * lookup_ps
    assert without["matching"]["assertions"]["mpi_assert_no_any_tag"]["receives"] == 2 * rounds
    assert "assertions" not in free["matching"]
