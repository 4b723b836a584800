"""`run --collectives scheduled`: the data, the schedule's time, what is left to the library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jobs import (
    BIN,
    BY_NAME,
    FULL,
    MPICH,
    OPEN_MPI,
    PLATFORMS,
    Job,
    Mpi,
    command_of,
    run,
    run_simulated,
)

BOTH = tuple(BY_NAME)
TORUS_64 = PLATFORMS / "torus4x4x4.toml"
TORUS_16 = """\
[topology]
kind = "torus"
sizes = [4, 4]
hosts_per_switch = 1
[link]
bandwidth = "16 GB/s"
latency = "0 ns"
[switch_link]
bandwidth = "16 GB/s"
latency = ["21 ns", "25 ns"]
[switch]
latency = "0 ns"
"""
HOP_NS = (21, 25)
SCHEDULED = ("--collectives", "scheduled")


@pytest.fixture
def torus(tmp_path: Path) -> Path:
    platform = tmp_path / "torus4x4.toml"
    platform.write_text(TORUS_16)
    return platform


def start(
    folder: Path,
    platform: Path,
    *program: str,
    mpi: Mpi = MPICH,
    ranks: int = 16,
    options: tuple[str, ...] = SCHEDULED,
) -> Job:
    command = command_of(mpi, *program)
    return run_simulated(mpi, ranks, command, folder, platform=platform, options=options)


def alltoall(job: Job) -> dict[str, Any]:
    row: dict[str, Any] = job.result["collectives"]["functions"]["MPI_Alltoall"]
    return row


def reasons(job: Job) -> dict[str, int]:
    return {reason: calls["calls"] for reason, calls in alltoall(job)["library"].items()}


@pytest.mark.parametrize("mpi", BOTH)
def test_data_are_right_in_every_form(mpi: str, torus: Path, tmp_path: Path) -> None:
    options = (*SCHEDULED, *FULL)
    job = start(tmp_path / "out", torus, "scheduled_alltoall", mpi=BY_NAME[mpi], options=options)
    assert job.stdout == "scheduled_alltoall: passed on 16 ranks\n"
    # One call moves nothing, one is between two groups, three are among ranks that fill no torus.
    calls = 13 * 16
    assert alltoall(job)["scheduled"]["calls"] == calls
    assert reasons(job) == {"communicator": 16, "shape": 3 * 16, "size": 16}
    found = job.result["collectives"]
    # The program also sums on all ranks twice: four steps, as an all-to-all.
    sums = found["functions"]["MPI_Allreduce"]["scheduled"]
    assert sums["calls"] == 2 * 16
    assert found["waits"] == (calls + 2 * 16) * 3
    barrier = found["functions"]["MPI_Barrier"]
    assert (barrier["scheduled"]["calls"], barrier["library"]) == (3 * 16, {})
    # Barriers of all ranks along both dimensions; of 6, 5 and 5 ranks at once; of 16 ranks alone.
    assert (found["synchronisations"], found["rounds"]) == (13 + 2 + 1 + 3 + 16, 2)
    assert found["packets"] == (13 + 2 + 1) * 16 * (3 + 3) + 6 * 5 + 2 * 5 * 4
    # Messages of the program are in the way of some, which then miss their instants.
    assert 0 < alltoall(job)["scheduled"]["missed"] == found["missed"] - sums["missed"]
    assert "208 of 288 calls of MPI_Alltoall scheduled" in " ".join(job.stderr.split())
    assert "collectives" in job.cards


def test_a_guard_pays_for_other_messages(torus: Path, tmp_path: Path) -> None:
    torus.write_text(f'{TORUS_16}[mpi.collectives]\nmode = "scheduled"\nguard = "50 us"\n')
    job = start(tmp_path / "out", torus, "scheduled_alltoall", options=())
    assert job.stdout == "scheduled_alltoall: passed on 16 ranks\n"
    assert job.result["collectives"]["missed"] == 0
    assert job.result["virtual_time_ps"] > 12 * 3 * 50_000_000


@pytest.mark.parametrize("size_bytes", [64, 1024, 20000])
def test_the_time_is_that_of_the_schedule(size_bytes: int, tmp_path: Path) -> None:
    """Eager messages, and with 20,000 B for each rank rendezvous."""
    program = ("scheduled_alltoall", str(size_bytes), "1")
    job = start(tmp_path / "run", TORUS_64, *program, ranks=64)
    pattern = ("--pattern", "alltoall/suh_shin", "--scheme", "clock", "-b", f"{size_bytes} B")
    run([str(BIN / "kumihimo"), "replay", *pattern, "-n", "64", "--platform", str(TORUS_64),
         "--detail", "summary", "--out", str(tmp_path / "replay")])  # fmt: skip
    replay = json.loads((tmp_path / "replay" / "result.json").read_text())
    assert job.result["virtual_time_ps"] == replay["virtual_time_ps"]
    common = replay["collectives"].keys()
    assert {key: job.result["collectives"][key] for key in common} == replay["collectives"]
    assert job.result["collectives"]["missed"] == 0
    # All ranks enter at 0 and end together.
    time_ps = alltoall(job)["scheduled"]["time_ps"]
    assert time_ps == sum(rank["finish_ps"] for rank in job.result["per_rank"])


COSTS = """\
send_overhead = "150 ns"
receive_overhead = "250 ns"
[mpi.matching]
model = "custom"
posted = { search_cost = "10 ns", compare = "7 ns" }
unexpected = { search_cost = "30 ns", compare = "11 ns" }
"""


@pytest.mark.parametrize("costs", ["", COSTS, COSTS + 'by = "interface"\n'])
@pytest.mark.parametrize("size_bytes", [1024, 20000])
@pytest.mark.parametrize("guard", ["0 ns", "200 ns"])
@pytest.mark.parametrize("seed", ["1", "2"])
def test_jitter_is_that_of_the_replay(
    seed: str, guard: str, size_bytes: int, costs: str, tmp_path: Path
) -> None:
    """Eager messages and rendezvous, whether steps miss their instants or a guard prevents that."""
    platform = tmp_path / "torus.toml"
    keys = f'[mpi.collectives]\njitter = "200 ns"\nmode = "scheduled"\nguard = "{guard}"\n'
    platform.write_text(f"{TORUS_64.read_text()}[mpi]\n{costs}{keys}")
    program = ("scheduled_alltoall", str(size_bytes), "1")
    job = start(tmp_path / "run", platform, *program, ranks=64, options=("--seed", seed))
    pattern = ("--pattern", "alltoall/suh_shin", "--scheme", "clock", "-b", f"{size_bytes} B")
    run([str(BIN / "kumihimo"), "replay", *pattern, "--guard", guard, "-n", "64", "--seed", seed,
         "--platform", str(platform), "--detail", "summary",
         "--out", str(tmp_path / "replay")])  # fmt: skip
    replay = json.loads((tmp_path / "replay" / "result.json").read_text())
    assert job.result["virtual_time_ps"] == replay["virtual_time_ps"]
    common = replay["collectives"].keys()
    assert {key: job.result["collectives"][key] for key in common} == replay["collectives"]
    assert 0 < replay["collectives"]["largest_skew_ps"] <= 200_000
    if guard == "0 ns":
        assert replay["collectives"]["missed"] > 0
    elif size_bytes == 1024 and not costs:
        assert replay["collectives"]["missed"] == 0


@pytest.mark.parametrize("mpi", BOTH)
@pytest.mark.parametrize("guard", ["0 ns", "400 ns"])
def test_data_are_right_under_jitter(mpi: str, guard: str, torus: Path, tmp_path: Path) -> None:
    """And the result is the same in repeats and on two cores."""
    keys = f'[mpi.collectives]\njitter = "400 ns"\nmode = "scheduled"\nguard = "{guard}"\n'
    torus.write_text(TORUS_16 + keys)
    arguments = () if mpi == "mpich" else ("64", "3")
    jobs = [
        start(tmp_path / f"out{number}", torus, "scheduled_alltoall", *arguments,
              mpi=BY_NAME[mpi], options=("--cores", cores))
        for number, cores in enumerate(("1", "1", "2"))
    ]  # fmt: skip
    assert jobs[0].result == jobs[1].result == jobs[2].result
    assert jobs[0].result["collectives"]["largest_skew_ps"] > 0
    if mpi == "mpich":
        assert jobs[0].stdout == "scheduled_alltoall: passed on 16 ranks\n"
    elif guard == "0 ns":
        assert alltoall(jobs[0])["scheduled"]["missed"] > 0
    else:
        assert alltoall(jobs[0])["scheduled"]["missed"] == 0


@pytest.mark.parametrize("mpi", BOTH)
def test_the_closed_form(mpi: str, torus: Path, tmp_path: Path) -> None:
    """Packets of a synchronisation without bytes: start, two steps of two hops, two of one."""
    size_bytes, calls = 100, 3
    torus.write_text(f'{TORUS_16}[mpi]\nsynchronise_size = "0 B"\n')
    program = ("scheduled_alltoall", str(size_bytes), str(calls))
    job = start(tmp_path / "out", torus, *program, mpi=BY_NAME[mpi])
    started_ns = 2 * sum(HOP_NS)
    # Half of a rank's blocks in each step. The last two go along one dimension after the other.
    bytes_ns = 8 * size_bytes / 16
    steps_ns = 2 * (2 * max(HOP_NS) + bytes_ns) + sum(HOP_NS) + 2 * bytes_ns
    assert job.result["virtual_time_ps"] == calls * (started_ns + steps_ns) * 1000
    assert job.result["collectives"]["missed"] == 0
    assert job.result["collectives"]["synchronisation_ps"] == calls * started_ns * 1000


def test_all_wait_for_a_rank_that_enters_late(torus: Path, tmp_path: Path) -> None:
    early = start(tmp_path / "early", torus, "scheduled_alltoall", "100", "2")
    late = start(tmp_path / "late", torus, "scheduled_alltoall", "100", "2", "5000")
    found = late.result["collectives"]
    assert late.result["virtual_time_ps"] == early.result["virtual_time_ps"] + 2 * 5_000_000
    assert found == {**early.result["collectives"], "functions": found["functions"]}
    # The others are in the call for longer.
    waited_ps = 15 * 2 * 5_000_000
    before_ps = alltoall(early)["scheduled"]["time_ps"]
    assert alltoall(late)["scheduled"]["time_ps"] == before_ps + waited_ps


@pytest.mark.parametrize("mpi", BOTH)
def test_it_repeats_on_any_number_of_cores(mpi: str, torus: Path, tmp_path: Path) -> None:
    # Open MPI sends mpirun's job number, in decimal digits, when it connects two groups.
    arguments = () if mpi == "mpich" else ("64", "3")
    jobs = [
        start(tmp_path / f"out{number}", torus, "scheduled_alltoall", *arguments,
              mpi=BY_NAME[mpi], options=(*SCHEDULED, "--cores", cores))
        for number, cores in enumerate(("1", "1", "2"))
    ]  # fmt: skip
    assert jobs[0].result == jobs[1].result == jobs[2].result


def test_without_it_nothing_changes(torus: Path, tmp_path: Path) -> None:
    plain = start(tmp_path / "plain", torus, "scheduled_alltoall", options=FULL)
    library = ("--collectives", "library", *FULL)
    by_library = start(tmp_path / "library", torus, "scheduled_alltoall", options=library)
    assert plain.result == by_library.result
    assert "collectives" not in plain.result
    assert "collectives" not in plain.cards


def test_shapes_that_do_not_fit_go_to_the_library(torus: Path, tmp_path: Path) -> None:
    star = PLATFORMS / "star4.toml"
    for name, platform, ranks in (("part", torus, 6), ("star", star, 4)):
        job = start(tmp_path / name, platform, "scheduled_alltoall", ranks=ranks)
        assert reasons(job) == {"communicator": ranks, "shape": 17 * ranks}
        assert alltoall(job)["scheduled"] == {"calls": 0, "time_ps": 0, "missed": 0}
        program = ("scheduled_alltoall", "64", "3")
        job = start(tmp_path / f"{name}-alltoall", platform, *program, ranks=ranks)
        plain = start(tmp_path / f"{name}-plain", platform, *program, ranks=ranks, options=())
        assert job.result["event_hash"] == plain.result["event_hash"]
        assert reasons(job) == {"shape": 3 * ranks}
        assert job.result["collectives"]["synchronisations"] == 0


@pytest.mark.parametrize("mpi", BOTH)
def test_communicators_that_fill_a_box_of_the_torus(mpi: str, tmp_path: Path) -> None:
    """Each half of a torus of 4 x 8 is one of 4 x 4, of which one side is no ring."""
    torus = tmp_path / "torus4x8.toml"
    torus.write_text(TORUS_16.replace("[4, 4]", "[4, 8]"))
    job = start(tmp_path / "out", torus, "scheduled_alltoall", mpi=BY_NAME[mpi], ranks=32)
    assert job.stdout == "scheduled_alltoall: passed on 32 ranks\n"
    assert alltoall(job)["scheduled"]["calls"] == 15 * 32
    assert reasons(job) == {"communicator": 32, "shape": 32, "size": 32}


def test_disjoint_communicators_do_not_meet(tmp_path: Path) -> None:
    """Both halves call at once, and each takes what it takes alone."""
    torus = tmp_path / "torus4x8.toml"
    torus.write_text(TORUS_16.replace("[4, 4]", "[4, 8]"))
    program = ("scheduled_halves", "1000")
    both = start(tmp_path / "both", torus, *program, "2", ranks=32)
    alone = start(tmp_path / "alone", torus, *program, "1", ranks=32)
    assert alltoall(both)["scheduled"]["calls"] == 32
    assert alltoall(both)["scheduled"]["time_ps"] == 2 * alltoall(alone)["scheduled"]["time_ps"]
    assert both.result["collectives"]["missed"] == alone.result["collectives"]["missed"] == 0


def test_ranks_may_be_on_hosts_in_any_order(torus: Path, tmp_path: Path) -> None:
    torus.write_text(f'{TORUS_16}[mapping]\nkind = "random"\n')
    job = start(tmp_path / "out", torus, "scheduled_alltoall", "1024", "2")
    assert alltoall(job)["scheduled"]["calls"] == 32
    assert job.result["collectives"]["missed"] == 0
    job = start(tmp_path / "all", torus, "scheduled_alltoall")
    assert job.stdout == "scheduled_alltoall: passed on 16 ranks\n"


@pytest.mark.parametrize(
    ("program", "mpi", "calls"),
    [
        ("scheduled_fortran", OPEN_MPI, 3),
        ("scheduled_f08", OPEN_MPI, 2),
        ("py_scheduled", MPICH, 3),
        ("py_scheduled", OPEN_MPI, 3),
    ],
)
def test_other_languages(program: str, mpi: Mpi, calls: int, torus: Path, tmp_path: Path) -> None:
    job = start(tmp_path / "out", torus, program, mpi=mpi)
    assert job.stdout == f"{program}: all is as it must be\n"
    assert alltoall(job)["scheduled"]["calls"] == calls * 16


def test_such_a_run_is_not_recorded(torus: Path, tmp_path: Path) -> None:
    torus.write_text(f'{TORUS_16}[mpi.collectives]\nmode = "scheduled"\n')
    command = [str(BIN / "kumihimo"), "record", "-n", "16", "--platform", str(torus), "--compute",
               "none", "--schedule", str(tmp_path / "x.goal"), "--"]  # fmt: skip
    with pytest.raises(
        AssertionError, match=r'is recorded with mpi\.collectives\.mode = "library"'
    ):
        run([*command, *command_of(MPICH, "scheduled_alltoall")])
