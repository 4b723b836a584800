"""Computing in virtual time: counted by the program, or measured."""

from __future__ import annotations

import json
import re
import subprocess
from itertools import product
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exact_platform import ExactPlatform
from jobs import (
    BIN,
    MPICH,
    OPEN_MPI,
    PLATFORMS,
    PROGRAMS,
    ROOT,
    WITH_TABLES,
    build_counting,
    command_of,
    run,
    run_native,
    run_simulated,
)
from star_platform import NETWORK_ONLY, STAR_PLATFORM

# The standard processor model: 1.5 floating-point operations a cycle, 4 cycles for a multiplication
# and 4 for an addition that waits for it; the platform of these tests does 1 Gflop/s.
PS_PER_CYCLE = 1500
CYCLES_PER_LINK_OF_THE_CHAIN = 8
COUNT = 100_000
PASSES = ROOT / "tests" / "passes"


def test_phases_of_a_measured_run(tmp_path: Path) -> None:
    folder = tmp_path / "result"
    command = [str(BIN / "kumihimo"), "run", "-n", "2", "--compute", "measured"]
    command += ["--host-speed", "1 Gflop/s"]
    command += ["--platform", str(ExactPlatform().write(tmp_path)), "--out", str(folder), "--"]
    printed = run([*command, *command_of(MPICH, "measured")]).stderr
    host = json.loads((folder / "host.json").read_text())
    phases = host["phases"]
    assert set(phases) == {"prepare", "start", "virtual", "end", "write"}
    within = [phase for name, phase in phases.items() if name != "write"]
    for key in ("wall_seconds", "cpu_seconds"):
        assert all(phase[key] > 0 for phase in within)
        assert sum(phase[key] for phase in within) == pytest.approx(host[key], abs=1e-5)
    assert 0 < host["program_cpu_seconds"] < phases["virtual"]["cpu_seconds"]
    # The two speeds are equal: what was measured is the virtual time of computing.
    computed_s = json.loads((folder / "result.json").read_text())["totals"]["compute_ps"] / 1e12
    assert host["program_cpu_seconds"] == pytest.approx(computed_s, rel=0.05)
    assert "of it, program" in printed


@pytest.fixture(scope="module")
def counting() -> Path:
    """The program `counted`, built to count."""
    return build_counting(PROGRAMS / "counted.c")


def times_ps(output: str) -> set[tuple[int, int]]:
    found = re.findall(r"^once (\d+) ps, twice (\d+) ps$", output, re.MULTILINE)
    assert found, output
    return {(int(once), int(twice)) for once, twice in found}


@pytest.mark.parametrize("options", [(), ("--compute", "counted")], ids=["default", "asked for"])
def test_counted_work_takes_the_time_of_its_operations(
    counting: Path, options: tuple[str, ...], tmp_path: Path
) -> None:
    command = [str(BIN / "kumihimo"), "run", "-n", "2", *options]
    command += [
        "--platform",
        str(ExactPlatform().write(tmp_path)),
        "--out",
        str(tmp_path / "result"),
    ]
    command += ["--", str(counting)]
    ((less, _),) = times_ps(run([*command, str(COUNT)]).stdout)
    ((more, _),) = times_ps(run([*command, str(3 * COUNT)]).stdout)
    assert more - less == 2 * COUNT * CYCLES_PER_LINK_OF_THE_CHAIN * PS_PER_CYCLE
    assert '"compute": "counted"' in (tmp_path / "result" / "result.json").read_text()


def test_counted_runs_repeat(counting: Path, tmp_path: Path) -> None:
    platform = ExactPlatform().write(tmp_path)
    command = [str(counting), str(COUNT)]
    first, second = (
        run_simulated(
            MPICH, 4, command, tmp_path / name, platform=platform, options=["--compute", "counted"]
        )
        for name in ("first", "second")
    )
    assert first.result["event_hash"] == second.result["event_hash"]
    assert first.result["per_rank"] == second.result["per_rank"]
    assert all(rank["compute_ps"] > 3 * COUNT * 12_000 for rank in first.result["per_rank"])


def test_a_counting_program_that_is_not_to_count(counting: Path, tmp_path: Path) -> None:
    platform = ExactPlatform().write(tmp_path)
    job = run_simulated(MPICH, 2, [str(counting)], tmp_path / "result", platform=platform)
    assert times_ps(job.stdout) == {(0, 0)}


def test_a_counting_program_runs_natively(counting: Path, tmp_path: Path) -> None:
    simulated = run_simulated(
        MPICH, 2, [str(counting)], tmp_path / "result", platform=ExactPlatform().write(tmp_path)
    ).stdout
    results = sorted(line for line in simulated.splitlines() if line.startswith("result"))
    assert sorted(run_native(MPICH, 2, [str(counting)]).splitlines()) == results


@pytest.mark.parametrize("program", ["fortran_mpif", "fortran_use"])
def test_counted_fortran(program: str, tmp_path: Path) -> None:
    binary = tmp_path / "fortran"
    run([str(BIN / "kumihimo"), "fc", str(PROGRAMS / f"{program}.f90"), "-o", str(binary)])
    job = run_simulated(
        OPEN_MPI,
        2,
        [str(binary)],
        tmp_path / "result",
        platform=ExactPlatform().write(tmp_path),
        options=["--compute", "counted"],
    )
    assert all(rank["compute_ps"] > 0 for rank in job.result["per_rank"])


def test_a_program_that_does_not_count_is_refused(tmp_path: Path) -> None:
    finished = subprocess.run(
        [
            *(str(BIN / "kumihimo"), "run", "-n", "2", "--compute", "counted"),
            *("--platform", str(ExactPlatform().write(tmp_path)), "--detail", "none", "--"),
            *command_of(MPICH, "counted"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 1
    assert re.search(
        r"kumihimo: error: .*the program does not count its work: build and link it with "
        r'"kumihimo cc"',
        finished.stderr,
    ), finished.stderr


def test_measured_computing_shows_on_the_programs_clock(tmp_path: Path) -> None:
    job = run_simulated(
        MPICH,
        1,
        command_of(MPICH, "measured"),
        tmp_path / "result",
        platform=ExactPlatform().write(tmp_path),
        options=["--compute", "measured", "--host-speed", "1 Gflop/s"],
    )
    found = re.search(r"spent (\S+) s of (\S+) s", job.stdout)
    assert found is not None, job.stdout
    spent, seen = float(found[1]), float(found[2])
    assert 0.9 * spent < seen < 1.5 * spent + 0.01


def test_where_nothing_computes_no_speed_is_needed(tmp_path: Path) -> None:
    platform, same = tmp_path / "network.toml", tmp_path / "same.toml"
    platform.write_text(NETWORK_ONLY)
    same.write_text(STAR_PLATFORM)
    times_ps = [
        run_simulated(
            MPICH,
            2,
            command_of(MPICH, "patterns", "ping_pong", "1000", "3"),
            tmp_path / path.stem,
            platform=path,
        ).result["virtual_time_ps"]
        for path in (platform, same)
    ]
    assert times_ps[0] == times_ps[1] > 0
    command = [str(BIN / "kumihimo"), "run", "-p", str(platform), "--compute", "none"]
    command += ["-n", "4", "--detail", "none", "--", *command_of(MPICH, "compute")]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert finished.returncode == 1
    assert re.search(
        r"rank \d: the program says its work in operations \(kumi_compute_flops\), and the "
        r"platform file does not say node\.speed$",
        finished.stderr,
        re.MULTILINE,
    )


def test_stretches_add_up_to_what_each_rank_did(tmp_path: Path) -> None:
    job = run_simulated(
        MPICH,
        4,
        command_of(MPICH, "compute"),
        tmp_path / "result",
        platform=PLATFORMS / "star4.toml",
        options=WITH_TABLES,
    )
    spans_ps = dict.fromkeys(product(range(4), ("compute", "communication", "wait")), 0)
    for stretch in pq.read_table(job.folder / "states.parquet").to_pylist():
        span_ps = stretch["end_ps"] - stretch["begin_ps"]
        spans_ps[stretch["rank"], stretch["state"]] += span_ps
    assert spans_ps == {
        (row["rank"], state): row[f"{state}_ps"]
        for row in job.result["per_rank"]
        for state in ("compute", "communication", "wait")
    }


@pytest.mark.parametrize(
    "file", sorted(path.name for path in PASSES.iterdir() if path.suffix != ".py")
)
def test_compiler_plug_in(file: str) -> None:
    """The tests of the passes themselves, which lit runs."""
    finished = subprocess.run(
        [str(BIN / "lit"), "-v", str(PASSES / file)], capture_output=True, text=True, check=False
    )
    print(finished.stdout)
    assert finished.returncode == 0, finished.stdout[-4000:]
