"""Programs with threads: how much time of a rank what they compute takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exact_platform import ExactPlatform
from jobs import (
    BIN,
    BUILD,
    MPICH,
    OPEN_MPI,
    PROGRAMS,
    ROOT,
    Mpi,
    build_counting,
    compiled,
    run_native,
    run_simulated,
)

THREADS = 4
ROUNDS = 3
WORK_MS = 12.0
EXPLICIT = ["--compute", "none"]


def build_with_openmp(mpi: Mpi, source: Path, runtime: str) -> str:
    """Compile a C program with OpenMP: with gcc for libgomp, or clang for libomp."""
    compiler = [str(BIN / "mpicc")] if mpi is MPICH else ["mpicc.openmpi"]
    if runtime == "libomp":
        name = "MPICH_CC" if mpi is MPICH else "OMPI_CC"
        compiler = ["env", f"{name}=clang-19", *compiler]
    include = ["-I", str(ROOT / "include"), "-I", str(PROGRAMS)]
    command = [*compiler, "-O1", "-fopenmp", *include, str(source), "-ldl"]
    inputs = [source, PROGRAMS / "check.h", ROOT / "include" / "kumihimo" / "compute.h"]
    return str(compiled(BUILD / f"{runtime}-{mpi.name}" / source.stem, inputs, command))


def round_ms(kind: str, cores: int) -> float:
    """How long a round of the program `thread_computing` takes: the closed form."""
    by_cores = WORK_MS / cores
    match kind:
        case "balanced" | "joined":
            return max(WORK_MS / THREADS, by_cores)
        case "uneven":
            return max(0.9 * WORK_MS / (THREADS - 1), by_cores)
        case "alone" | "asleep":
            return WORK_MS
    assert kind == "loops"
    return max(WORK_MS / 2 / THREADS, by_cores / 2) + WORK_MS / 2


def printed_ms(output: str) -> tuple[float, float]:
    found = re.search(r"^first ([\d.]+) ms, all ([\d.]+) ms$", output, re.MULTILINE)
    assert found is not None, output
    return float(found[1]), float(found[2])


@pytest.mark.parametrize("kind", ["balanced", "uneven", "joined", "alone", "loops", "asleep"])
@pytest.mark.parametrize("cores", [1, 2, 4])
@pytest.mark.parametrize("runtime", ["libgomp", "libomp"])
def test_explicit_work_of_threads_is_shared_among_the_cores(
    runtime: str, cores: int, kind: str, tmp_path: Path
) -> None:
    mpi = MPICH if kind != "loops" else OPEN_MPI
    program = build_with_openmp(mpi, PROGRAMS / "thread_computing.c", runtime)
    platform = ExactPlatform(cores_per_host=cores).write(tmp_path)
    job = run_simulated(
        *(mpi, 2, [program, str(THREADS), kind], tmp_path / "result"),
        platform=platform,
        options=EXPLICIT,
    )
    expected_ms = round_ms(kind, cores)
    assert printed_ms(job.stdout) == pytest.approx((expected_ms, ROUNDS * expected_ms), abs=0.0006)
    if kind == "asleep":
        return
    for rank in job.result["per_rank"]:
        assert rank["compute_ps"] == pytest.approx(ROUNDS * expected_ms * 1e9, rel=1e-4)


def test_ranks_of_one_host_share_its_cores(tmp_path: Path) -> None:
    program = build_with_openmp(MPICH, PROGRAMS / "thread_computing.c", "libgomp")
    platform = ExactPlatform(ranks_per_host=2, cores_per_host=3).write(tmp_path)
    job = run_simulated(
        *(MPICH, 4, [program, str(THREADS), "balanced"], tmp_path / "result"),
        platform=platform,
        options=EXPLICIT,
    )
    assert printed_ms(job.stdout)[0] == pytest.approx(WORK_MS / 1.5, abs=0.0006)


@pytest.mark.parametrize("cores", ["1", "2"])
def test_threads_take_the_same_time_in_every_run(cores: str, tmp_path: Path) -> None:
    program = build_with_openmp(MPICH, PROGRAMS / "thread_computing.c", "libgomp")
    platform = ExactPlatform(cores_per_host=2).write(tmp_path)
    jobs = [
        run_simulated(
            *(MPICH, 4, [program, str(THREADS), kind], tmp_path / f"{kind}{repeat}"),
            platform=platform,
            options=[*EXPLICIT, "--cores", cores],
        )
        for repeat in range(3)
        for kind in ("uneven", "joined")
    ]
    assert len({job.result["virtual_time_ps"] for job in jobs[::2]}) == 1
    assert len({job.result["virtual_time_ps"] for job in jobs[1::2]}) == 1


def test_counted_work_of_threads_is_shared_among_the_cores(tmp_path: Path) -> None:
    """Three threads have equal parts of a loop: on three cores it takes a third of the time."""
    binary = build_counting(PROGRAMS / "openmp.c", "-fopenmp")
    assert "openmp: passed on 2 ranks" in run_native(MPICH, 2, [str(binary)])
    times = {}
    for cores in (1, 3):
        platform = ExactPlatform(cores_per_host=cores).write(tmp_path)
        first, second = (
            run_simulated(
                *(MPICH, 2, [str(binary)], tmp_path / f"{cores}-{repeat}"),
                platform=platform,
                options=["--compute", "counted"],
            )
            for repeat in range(2)
        )
        assert "openmp: passed on 2 ranks" in first.stdout
        assert first.result["event_hash"] == second.result["event_hash"]
        times[cores] = first.result["per_rank"][0]["compute_ps"]
    assert times[3] == pytest.approx(times[1] / 3, rel=0.01)


def test_measured_time_includes_threads(tmp_path: Path) -> None:
    """A thread that is joined does what the rank did before."""
    program = build_with_openmp(MPICH, PROGRAMS / "thread_work.c", "libgomp")
    job = run_simulated(
        *(MPICH, 1, [program], tmp_path / "result"),
        platform=ExactPlatform().write(tmp_path),
        options=["--compute", "measured"],
    )
    found = re.search(r"^rank (\d+) ns, thread (\d+) ns$", job.stdout, re.MULTILINE)
    assert found is not None, job.stdout
    rank_ns, thread_ns = int(found[1]), int(found[2])
    assert rank_ns > 1_000_000
    assert 0.4 * rank_ns < thread_ns < 2.5 * rank_ns


def test_threads_that_compute_during_calls_are_named(tmp_path: Path) -> None:
    program = build_with_openmp(MPICH, PROGRAMS / "thread_beside.c", "libgomp")
    job = run_simulated(
        *(MPICH, 2, [program], tmp_path / "result"),
        platform=ExactPlatform().write(tmp_path),
        options=EXPLICIT,
    )
    assert "threads that compute during MPI calls" in job.result["real_clocks"]
    assert "threads that compute during MPI calls" in job.stderr + job.stdout
