"""Links that are woken in time: at places that the compiler marks, and by prediction."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from jobs import (
    BIN,
    MPICH,
    OPEN_MPI,
    PLATFORMS,
    PROGRAMS,
    ROOT,
    Job,
    Mpi,
    run,
    run_native,
    run_simulated,
)

PLATFORM = PLATFORMS / "star4-onoff.toml"
APPS = ROOT / "examples" / "apps"
# Enough for what is learned in the first rounds to be a small part.
ROUNDS = "300"


def build(folder: Path, *options: str, source: str = "prewake.c") -> tuple[Path, str]:
    """Returns the program, by default the benchmark, and what the compiler printed."""
    binary = folder / "benchmark"
    job = run(
        [str(BIN / "kumihimo"), "cc", *options, str(APPS / source), "-o", str(binary), "-lm"],
        cwd=folder,
    )
    return binary, job.stderr


def measure(program: Path, policy: str, folder: Path, *more: str, platform: Path = PLATFORM) -> Job:
    return run_simulated(
        MPICH,
        4,
        [str(program), "-o", ROUNDS],
        folder / policy,
        platform=platform,
        options=("--detail", "summary", "--compute", "counted", "--link-power", policy, *more),
    )


def time_of(job: Job) -> int:
    return int(job.result["virtual_time_ps"])


def energy_of(job: Job) -> int:
    total: dict[str, Any] = job.result["link_power"]["total"]
    return int(total["energy_aj"])


def wait_of(job: Job) -> int:
    return int(job.result["link_power"]["total"]["wake_stall_ps"])


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    binary, told = build(tmp_path_factory.mktemp("marked"), "-O2", "--prewake")
    assert re.search(
        r"^prewake\.c:\d+: MPI_Bcast: woken in the loop prewake\.c:\d+ \(split\)", told, re.M
    )
    return binary


@pytest.mark.parametrize("optimisation", ["-O0", "-O2"])
def test_places_save_what_an_oracle_saves_and_cost_no_time(
    optimisation: str, tmp_path: Path
) -> None:
    program, _ = build(tmp_path, optimisation, "--prewake")
    jobs = {
        policy: measure(program, policy, tmp_path)
        for policy in ("always_on", "on_off", "threshold", "prewake", "ideal")
    }
    assert all("VERIFIED" in job.stdout for job in jobs.values())
    assert time_of(jobs["prewake"]) <= 1.02 * time_of(jobs["always_on"])
    possible = energy_of(jobs["always_on"]) - energy_of(jobs["ideal"])
    saved = energy_of(jobs["always_on"]) - energy_of(jobs["prewake"])
    assert 0.95 * possible <= saved <= possible
    assert energy_of(jobs["prewake"]) < 0.6 * energy_of(jobs["threshold"])
    assert wait_of(jobs["prewake"]) < 0.05 * wait_of(jobs["on_off"])


def test_where_links_cannot_sleep_waking_costs_next_to_nothing(tmp_path: Path) -> None:
    program, _ = build(tmp_path, "-O2", "--prewake", source="conjugate_gradient.c")
    platform = tmp_path / "dense.toml"
    links = '\n[link_power]\npreset = "matsuyama18"\n'
    platform.write_text((PLATFORMS / "star64.toml").read_text() + links)
    jobs = {
        policy: run_simulated(
            MPICH,
            16,
            [str(program), "S"],
            tmp_path / policy,
            platform=platform,
            options=("--detail", "summary", "--compute", "counted", "--link-power", policy),
        )
        for policy in ("always_on", "threshold", "prewake")
    }
    assert time_of(jobs["prewake"]) <= 1.003 * time_of(jobs["always_on"])
    assert energy_of(jobs["prewake"]) < energy_of(jobs["threshold"])


def test_a_lead_of_half_a_round_wakes_for_each_round(marked: Path, tmp_path: Path) -> None:
    """Frames of the next round reach links before the data of this one, which are fetched."""
    platform = tmp_path / "hop_by_hop.toml"
    text = PLATFORM.read_text()
    for old, new in (
        ('bandwidth = "5 Gb/s"', 'bandwidth = "25 Gb/s"'),
        ('preset = "matsuyama18"', 'preset = "dual"\nwake_frames = "hop_by_hop"'),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    platform.write_text(text + '\n[mpi]\neager_limit = "0 B"\n')
    jobs = {
        policy: measure(marked, policy, tmp_path, platform=platform)
        for policy in ("always_on", "prewake", "ideal")
    }
    assert time_of(jobs["prewake"]) <= 1.01 * time_of(jobs["always_on"])
    possible = energy_of(jobs["always_on"]) - energy_of(jobs["ideal"])
    assert energy_of(jobs["always_on"]) - energy_of(jobs["prewake"]) >= 0.35 * possible


def test_prediction_needs_no_compiler(tmp_path: Path) -> None:
    program, _ = build(tmp_path, "-O2")
    asleep = measure(program, "on_off", tmp_path)
    unasked = measure(program, "prewake", tmp_path)
    threshold = measure(program, "threshold", tmp_path)
    # But for what queues know.
    assert time_of(unasked) == pytest.approx(time_of(threshold), rel=0.001)
    assert energy_of(unasked) == pytest.approx(energy_of(threshold), rel=0.01)
    predicted = measure(program, "prewake", tmp_path / "predicted", "--predict")
    assert "VERIFIED" in predicted.stdout
    assert wait_of(predicted) < 0.05 * wait_of(asleep)
    # Prediction is what saves the energy: without it links keep the threshold.
    awake = measure(program, "always_on", tmp_path)
    assert time_of(predicted) <= 1.02 * time_of(awake)
    assert energy_of(predicted) < 0.7 * energy_of(unasked)


def test_wakes_repeat_and_change_no_message(marked: Path, tmp_path: Path) -> None:
    awake = measure(marked, "always_on", tmp_path)
    first = measure(marked, "prewake", tmp_path / "first")
    again = measure(marked, "prewake", tmp_path / "again")
    assert first.result["event_hash"] == again.result["event_hash"]
    for key in ("messages_sent", "bytes_sent", "messages_received", "bytes_received"):
        assert [rank[key] for rank in first.result["per_rank"]] == [
            rank[key] for rank in awake.result["per_rank"]
        ]


@pytest.mark.parametrize(
    ("mpi", "command", "source"),
    [
        (MPICH, "c++", "woken_rounds.cpp"),
        (OPEN_MPI, "c++", "woken_rounds.cpp"),
        (OPEN_MPI, "fc", "woken_rounds_fortran.f90"),
    ],
    ids=["c++-mpich", "c++-openmpi", "fortran-openmpi"],
)
def test_places_in_other_languages(mpi: Mpi, command: str, source: str, tmp_path: Path) -> None:
    compiler = [str(BIN / "kumihimo"), command, "--mpi", mpi.name, "-O2", str(PROGRAMS / source)]
    plain, marked = str(tmp_path / "plain"), str(tmp_path / "marked")
    run([*compiler, "--no-count", "-o", plain])
    told = run([*compiler, "--prewake", "-o", marked]).stderr
    assert re.search(r"MPI_(Sendrecv|Bcast): woken in the loop", told)
    expected = run_native(mpi, 4, [plain])
    assert expected.startswith("woken_rounds:")
    assert run_native(mpi, 4, [marked]) == expected
    jobs = {
        policy: run_simulated(
            *(mpi, 4, [marked], tmp_path / policy),
            platform=PLATFORM,
            options=("--detail", "summary", "--compute", "counted", "--link-power", policy),
        )
        for policy in ("on_off", "threshold", "prewake")
    }
    assert [job.stdout for job in jobs.values()] == [expected] * len(jobs)
    assert time_of(jobs["prewake"]) < time_of(jobs["threshold"]) < time_of(jobs["on_off"])
    assert energy_of(jobs["prewake"]) < 0.6 * energy_of(jobs["threshold"])
    assert wait_of(jobs["prewake"]) < 0.05 * wait_of(jobs["on_off"])


@pytest.mark.parametrize(
    ("linker", "compute"),
    [([str(BIN / "kumihimo"), "cc"], "counted"), ([MPICH.compilers[".c"]], "measured")],
    ids=["without the option", "another compiler"],
)
def test_places_ask_nothing_of_the_linker(linker: list[str], compute: str, tmp_path: Path) -> None:
    build(tmp_path, "-O2", "--prewake", "-c")
    (tmp_path / "benchmark").rename(tmp_path / "benchmark.o")
    program = tmp_path / "linked"
    run([*linker, str(tmp_path / "benchmark.o"), "-o", str(program), "-lm"])
    job = measure(program, "prewake", tmp_path, "--compute", compute)
    # Gaps are shorter than the threshold: links sleep only where they are woken.
    assert job.result["link_power"]["total"]["wakes"] >= int(ROUNDS)
    assert "VERIFIED" in run_native(MPICH, 2, [str(program), "-o", "20"])


def test_places_of_a_library_that_is_loaded_late(tmp_path: Path) -> None:
    compiler = [str(BIN / "kumihimo"), "cc", "-O2", str(PROGRAMS / "late_library.c")]
    host, library = str(tmp_path / "host"), str(tmp_path / "library.so")
    run([*compiler, "-o", host])
    run([*compiler, "-DLIBRARY", "-shared", "-fPIC", "--prewake", "-o", library])
    job = run_simulated(
        *(MPICH, 4, [host, library, "60"], tmp_path / "out"),
        platform=PLATFORM,
        options=("--detail", "summary", "--compute", "counted", "--link-power", "prewake"),
    )
    # Unless places are heard, every broadcast waits twice for a link, 4 µs each.
    assert wait_of(job) < 60 * 2 * 4_000_000 / 4


def test_a_program_with_places_runs_natively(marked: Path) -> None:
    assert "VERIFIED" in run_native(MPICH, 2, [str(marked), "-o", "20"])
