"""The profile of a program's calls."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from jobs import (
    BIN,
    MPICH,
    OPEN_MPI,
    PLATFORMS,
    PROGRAMS,
    Job,
    Mpi,
    build,
    command_of,
    run,
    run_simulated,
)
from kumihimo import results

SOURCE = PROGRAMS / "profiled.c"
LINKS_SLEEP = PLATFORMS / "star4-onoff.toml"
LINKS_STAY_ON = PLATFORMS / "star4.toml"
US = 1_000_000
# Iterations that take less than waking a link, and more than what the compiler passes over.
A_LITTLE = "1000"


def line_of(mark: str) -> int:
    lines = SOURCE.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if f"/* {mark} */" in line)


def profile(
    program: Path, folder: Path, *more: str, platform: Path = LINKS_SLEEP, mpi: Mpi = MPICH
) -> Job:
    options = ("--detail", "summary", "--profile-calls", *more)
    command = [str(program), A_LITTLE]
    return run_simulated(mpi, 4, command, folder, platform=platform, options=options)


def sites(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = results.load(folder).call_sites.to_pylist()
    return [row for row in rows if row["file"] is not None and row["file"].endswith(SOURCE.name)]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    binary = tmp_path_factory.mktemp("program") / "profiled"
    run([str(BIN / "kumihimo"), "cc", "-O2", "-g", str(SOURCE), "-o", str(binary)])
    return binary


@pytest.mark.parametrize("platform", [LINKS_SLEEP, LINKS_STAY_ON])
def test_distances_are_exact_and_ranks_are_merged(
    platform: Path, program: Path, tmp_path: Path
) -> None:
    profile(program, tmp_path / "out", "--compute", "none", platform=platform)
    sends = {row["line"]: row for row in sites(tmp_path / "out") if row["function"] == "MPI_Send"}
    assert sorted(sends) == [line_of("far"), line_of("near")]
    far, near = sends[line_of("far")], sends[line_of("near")]
    assert (far["ranks"], far["calls"]) == (2, 20)
    assert (far["distance_least_ps"], far["distance_most_ps"]) == (10 * US, 30 * US)
    assert (far["distance_mean_ps"], far["distance_deviation_ps"]) == (20 * US, 10 * US)
    # 10 µs are below 2^24 ps, 30 µs below 2^25.
    assert far["distance_bins"] == [0] * 24 + [10, 10]
    assert (near["distance_most_ps"], near["distance_deviation_ps"]) == (0, 0)
    assert near["distance_bins"] == [20]
    for row in (far, near):
        assert (row["messages"], row["bytes"]) == (20, 20 * 16)
        assert (row["peers"], row["targets"]) == (1, [1, 3])
    # Receivers wait while senders compute, and send nothing.
    received = [row for row in sites(tmp_path / "out") if row["function"] == "MPI_Recv"]
    assert sum(row["inside_ps"] for row in received) >= 2 * 10 * 20 * US
    assert [row["targets"] for row in received] == [[]] * len(received)


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: str(mpi.name))
def test_a_program_without_lines_is_profiled_by_places(mpi: Mpi, tmp_path: Path) -> None:
    program = tmp_path / SOURCE.stem
    subprocess.run(["strip", "--strip-debug", "-o", program, build(mpi, SOURCE)], check=True)
    profile(program, tmp_path / "out", "--compute", "none", mpi=mpi)
    rows = results.load(tmp_path / "out").call_sites.to_pylist()
    sends = [row for row in rows if row["function"] == "MPI_Send"]
    assert [(row["calls"], row["file"], row["line"]) for row in sends] == [(20, None, None)] * 2
    assert {Path(row["module"]).name for row in sends} == {"profiled"}
    assert sends[0]["offset"] < sends[1]["offset"]


@pytest.mark.parametrize(
    ("mpi", "program", "expected"),
    [
        (
            MPICH,
            "collectives",
            {"MPI_Bcast": (2, 4), "MPI_Comm_split": (4, 4), "MPI_Comm_free": None},
        ),
        (OPEN_MPI, "collectives", {"MPI_Alltoallw": (2, 4), "MPI_Reduce": (2, 4)}),
        (MPICH, "ring_cxx", {"MPI_Sendrecv": (4, 4)}),
        (OPEN_MPI, "fortran_mpif", {"mpi_isend": (4, 4), "mpi_probe": (4, 4), "mpi_waitall": None}),
        (
            OPEN_MPI,
            "fortran_use",
            {"mpi_bcast": (4, 4), "mpi_ibarrier": (2, 2), "mpi_comm_free": None},
        ),
        (
            OPEN_MPI,
            "fortran_f08",
            {"mpi_sendrecv": (4, 4), "mpi_win_create": (4, 4), "mpi_put": None},
        ),
        (
            MPICH,
            "py_messages",
            {"MPI_Allgather_c": (4, 4), "MPI_Barrier": (4, 4), "MPI_Wait": None},
        ),
    ],
)
def test_communicators_are_measured_in_every_language(
    mpi: Mpi, program: str, expected: dict[str, tuple[int, int] | None], tmp_path: Path
) -> None:
    options = ("--detail", "summary", "--profile-calls")
    command = command_of(mpi, program)
    run_simulated(mpi, 4, command, tmp_path / "out", platform=LINKS_STAY_ON, options=options)
    rows = results.load(tmp_path / "out").call_sites.to_pylist()
    for function, sizes in expected.items():
        of_function = [row for row in rows if row["function"] == function]
        least = {row["communicator_least"] for row in of_function}
        most = {row["communicator_most"] for row in of_function}
        if sizes is None:
            assert (least, most) == ({None}, {None}), function
        else:
            assert (min(least), max(most)) == sizes, function


def test_a_profile_changes_nothing_and_repeats(program: Path, tmp_path: Path) -> None:
    plain = run_simulated(
        MPICH,
        4,
        [str(program), A_LITTLE],
        tmp_path / "plain",
        platform=LINKS_SLEEP,
        options=("--compute", "counted"),
    )
    first = profile(program, tmp_path / "first", "--compute", "counted")
    profile(program, tmp_path / "again", "--compute", "counted")
    assert first.result["event_hash"] == plain.result["event_hash"]
    assert sites(tmp_path / "first") == sites(tmp_path / "again")
    assert not (tmp_path / "plain" / "call_sites.parquet").exists()


@pytest.mark.parametrize(
    ("command", "options", "ended"),
    [
        # The token takes 0.2 µs from rank to rank.
        (("ring", "1000"), ("--max-virtual-time", "3 us"), {"MPI_Recv": 14, "MPI_Send": 15}),
        (("faults", "deadlock"), (), {"MPI_Barrier": 4}),
        # Two ranks leave the barrier later than the one that aborts.
        (("faults", "abort"), (), {"MPI_Barrier": 2}),
    ],
    ids=["limit", "deadlock", "abort"],
)
def test_a_run_that_ends_early_leaves_the_calls_that_had_ended(
    command: tuple[str, ...], options: tuple[str, ...], ended: dict[str, int], tmp_path: Path
) -> None:
    found = []
    for mode in ("off", "on"):
        out = tmp_path / mode
        start = ["env", f"KUMI_RUN_AHEAD={mode}", str(BIN / "kumihimo"), "run", "-n", "4"]
        start += ["--platform", str(LINKS_STAY_ON), "--out", str(out), "--compute", "none"]
        start += ["--profile-calls", *options, "--", *command_of(MPICH, *command)]
        stopped = subprocess.run(start, capture_output=True, text=True, timeout=90, check=False)
        assert stopped.returncode != 0, stopped.stderr
        loaded = results.load(out)
        assert loaded.document["status"] == "partial"
        found.append(loaded.call_sites.to_pylist())
    assert found[0] == found[1]
    calls = {row["function"]: row["calls"] for row in found[0]}
    assert calls == ended


def test_a_call_after_the_limit_names_no_communicator(tmp_path: Path) -> None:
    """Ranks that run ahead have received among all eight when the limit comes, but not by then."""
    found = []
    for mode in ("off", "on"):
        out = tmp_path / mode
        start = ["env", f"KUMI_RUN_AHEAD={mode}", str(BIN / "kumihimo"), "run", "-n", "8"]
        start += ["--platform", str(PLATFORMS / "star64.toml"), "--compute", "none"]
        start += ["--out", str(out), "--profile-calls", "--max-virtual-time", "10050 ns", "--"]
        start += command_of(MPICH, "profiled_groups")
        stopped = subprocess.run(start, capture_output=True, text=True, timeout=90, check=False)
        assert stopped.returncode == 4, stopped.stderr
        found.append(results.load(out).call_sites.to_pylist())
    assert found[0] == found[1]
    members = {row["function"]: row["communicator_most"] for row in found[1]}
    assert (members["MPI_Recv"], members["MPI_Send"]) == (4, 8)
