"""Ranks compute in parallel on several cores, and the results are those of one."""

import re
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jobs import (
    BIN,
    MPICH,
    OPEN_MPI,
    PLATFORMS,
    PROGRAMS,
    WITH_TABLES,
    Mpi,
    build_counting,
    command_of,
    run,
    run_simulated,
)

TABLES = ("messages", "states", "ranks", "links", "link_use", "queue_depths")


def outcome(folder: Path, mpi: Mpi, program: str, cores: int) -> tuple[object, object]:
    """Run a program on `cores` cores; return all that the result says."""
    job = run_simulated(
        mpi,
        8,
        command_of(mpi, program),
        folder,
        platform=PLATFORMS / "star64.toml",
        options=("--cores", str(cores), *WITH_TABLES),
    )
    assert job.result["totals"]["messages"] > 0
    tables = {name: pq.read_table(folder / f"{name}.parquet").to_pylist() for name in TABLES}
    return job.result, tables


@pytest.mark.parametrize(
    "program",
    [
        "collectives",
        "nonblocking_collectives",
        "persistent",
        "polling",
        "probe",
        "ordering",
        "rma_locks",
        "send_modes",
        "sleeps",
        "wildcards",
    ],
)
def test_same_result_on_any_number(program: str, tmp_path: Path) -> None:
    one = outcome(tmp_path / "one", MPICH, program, 1)
    assert outcome(tmp_path / "three", MPICH, program, 3) == one


def test_same_result_of_open_mpi(tmp_path: Path) -> None:
    one = outcome(tmp_path / "one", OPEN_MPI, "collectives", 1)
    assert outcome(tmp_path / "two", OPEN_MPI, "collectives", 2) == one


def test_counted_work_is_the_same(tmp_path: Path) -> None:
    program = tmp_path / "heat"
    source = PLATFORMS.parent / "examples" / "demo" / "heat.c"
    run([str(BIN / "kumihimo"), "cc", "-O2", str(source), "-o", str(program), "-lm"])
    results = []
    for cores in (1, 2):
        folder = tmp_path / f"on{cores}"
        run_simulated(
            MPICH,
            8,
            [str(program), "256", "20"],
            folder,
            platform=PLATFORMS / "star64.toml",
            options=("--compute", "counted", "--cores", str(cores)),
        )
        results.append((folder / "result.json").read_text())
    assert results[0] == results[1]


@pytest.mark.parametrize("way", ["allreduce", "wtime", "anysource", "poll", "fence"])
def test_ranks_that_need_the_time_go_on_beside_others(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = build_counting(PLATFORMS.parent / "bench" / "programs" / "beside.c")
    results = []
    for cores, trial in ((1, "off"), (2, "off"), (3, "off"), (2, "on")):
        monkeypatch.setenv("KUMI_CORE_TRIAL", trial)
        folder = tmp_path / f"{cores}_{trial}"
        run_simulated(
            MPICH,
            8,
            [str(program), way, "60", "400"],
            folder,
            platform=PLATFORMS / "star64.toml",
            options=("--compute", "counted", "--cores", str(cores)),
        )
        results.append((folder / "result.json").read_text())
    assert results == results[:1] * 4


def test_a_first_window_call_finds_the_same(tmp_path: Path) -> None:
    program = build_counting(PROGRAMS / "first_window.c")
    hashes = set()
    for repeat, cores in enumerate((1, *[2] * 11)):
        job = run_simulated(
            MPICH,
            13,
            [str(program)],
            tmp_path / str(repeat),
            platform=PLATFORMS / "star64.toml",
            options=("--compute", "counted", "--cores", str(cores)),
        )
        hashes.add(job.result["event_hash"])
    assert len(hashes) == 1


# Its threads hand their times on by futexes. Those by which ranks wake each other are none of that.
@pytest.mark.parametrize("seed", [3, 4, 5])
def test_processes_with_threads_compute_in_parallel(seed: int, tmp_path: Path) -> None:
    program = build_counting(PROGRAMS.parent / "torture" / "random_calls.c")
    job = run_simulated(
        MPICH,
        4,
        [str(program), str(seed), "60", "0x20011"],
        tmp_path / "out",
        platform=PLATFORMS / "star64.toml",
        options=("--compute", "counted", "--cores", "2"),
    )
    assert "passed on 4 ranks" in job.stdout


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
def test_processes_share_the_cores_when_mpi_ends(mpi: Mpi, tmp_path: Path) -> None:
    for cores in (1, 2):
        job = run_simulated(
            mpi,
            5,
            command_of(mpi, "core_at_end"),
            tmp_path / str(cores),
            platform=PLATFORMS / "star64.toml",
            options=("--cores", str(cores)),
        )
        found = dict(re.findall(r"rank (\d) core (\d+)", job.stdout))
        assert len(found) == 5
        even, odd = ({found[rank] for rank in ranks} for ranks in ("024", "13"))
        assert len(even) == len(odd) == 1
        assert len(even | odd) == cores


def test_large_sends_on_several_cores(tmp_path: Path) -> None:
    command = command_of(MPICH, "acknowledged_sends", "synchronous")
    results = []
    for cores in (1, 2, 3):
        folder = tmp_path / str(cores)
        options = ("--cores", str(cores))
        platform = PLATFORMS / "star64.toml"
        job = run_simulated(MPICH, 5, command, folder, platform=platform, options=options)
        results.append(job.result)
    assert results[0] == results[1] == results[2]


def start_beside(folder: Path, cores: int) -> subprocess.CompletedProcess[str]:
    """Run two ranks each of which waits for the other outside of MPI."""
    command = [
        *(str(BIN / "kumihimo"), "run", "-n", "2", "--platform", str(PLATFORMS / "star4.toml")),
        *("--detail", "none", "--compute", "none", "--cores", str(cores), "--"),
        *command_of(MPICH, "beside", str(folder / f"signs{cores}")),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


def test_two_ranks_compute_at_the_same_time(tmp_path: Path) -> None:
    finished = start_beside(tmp_path, 2)
    assert finished.returncode == 0, finished.stderr


def test_on_one_core_the_others_wait(tmp_path: Path) -> None:
    finished = start_beside(tmp_path, 1)
    assert finished.returncode == 3, finished.stderr
    assert "beside.c" in finished.stderr
