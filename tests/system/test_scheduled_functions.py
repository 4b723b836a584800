"""`run --collectives scheduled`: the functions that go along lines, in boxes of a torus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jobs import BY_NAME, MPICH, OPEN_MPI, PLATFORMS, Job, Mpi
from test_collectives import HOP_NS, SCHEDULED, TORUS_16, start

BOTH = tuple(BY_NAME)
FUNCTIONS = (
    "MPI_Allreduce",
    "MPI_Bcast",
    "MPI_Allgather",
    "MPI_Alltoallv",
    "MPI_Reduce_scatter_block",
)
PASSED = "scheduled_functions: passed on {} ranks\n"
NS_PER_BYTE = 1 / 16
NO_PACKET = '[mpi]\nsynchronise_size = "0 B"\neager_limit = "100 MB"\n'


def torus_of(folder: Path, *sides: int, kind: str = "torus", more: str = "") -> Path:
    platform = folder / "platform.toml"
    text = TORUS_16.replace("[4, 4]", str(list(sides))).replace('"torus"', f'"{kind}"')
    platform.write_text(text + more)
    return platform


def calls_of(job: Job, function: str) -> dict[str, Any]:
    row: dict[str, Any] = job.result["collectives"]["functions"][function]
    return row


def reasons(job: Job, function: str) -> dict[str, int]:
    return {why: calls["calls"] for why, calls in calls_of(job, function)["library"].items()}


@pytest.mark.parametrize("mpi", BOTH)
def test_data_are_right_in_every_form(mpi: str, tmp_path: Path) -> None:
    platform = torus_of(tmp_path, 4, 4)
    job = start(tmp_path / "out", platform, "scheduled_functions", mpi=BY_NAME[mpi])
    assert job.stdout == PASSED.format(16)
    # Fifteen ranks of sixteen fill no box.
    assert reasons(job, "MPI_Bcast") == {"shape": 15, "size": 16}
    assert reasons(job, "MPI_Allgather") == {"shape": 15, "size": 16}
    assert reasons(job, "MPI_Allreduce") == {"shape": 15, "size": 16, "operation": 2 * 16}
    # That nothing is to be moved, all ranks agree on.
    assert reasons(job, "MPI_Alltoallv") == {"shape": 15}
    assert reasons(job, "MPI_Reduce_scatter_block") == {"shape": 15, "size": 16}
    found = {name: calls_of(job, name)["scheduled"] for name in FUNCTIONS}
    # 12 random ones, those with gaps, sums, and four communicators but one.
    assert {name: row["calls"] for name, row in found.items()} == {
        "MPI_Allreduce": (12 + 2 + 2 + 3 + 1) * 16,
        "MPI_Bcast": (12 + 1 + 2 + 3) * 16,
        "MPI_Allgather": (12 + 1 + 3) * 16,
        "MPI_Alltoallv": (12 + 1 + 1 + 3) * 16,
        "MPI_Reduce_scatter_block": (12 + 3) * 16,
    }
    missed = sum(row["missed"] for row in found.values())
    assert missed == job.result["collectives"]["missed"]


@pytest.mark.parametrize(("kind", "sides"), [("torus", (5, 3)), ("torus", (8, 2)), ("mesh", (4, 3)),
                                             ("mesh", (7,)), ("torus", (2, 3, 2))])  # fmt: skip
def test_data_are_right_in_other_boxes(kind: str, sides: tuple[int, ...], tmp_path: Path) -> None:
    ranks = 1
    for side in sides:
        ranks *= side
    hops = '"20 ns"' if len(sides) != 2 else '["21 ns", "25 ns"]'
    platform = torus_of(tmp_path, *sides, kind=kind)
    platform.write_text(platform.read_text().replace('["21 ns", "25 ns"]', hops))
    job = start(tmp_path / "out", platform, "scheduled_functions", ranks=ranks)
    assert job.stdout == PASSED.format(ranks)
    for function in FUNCTIONS:
        assert calls_of(job, function)["scheduled"]["calls"] > 12 * ranks


def time_ns(
    folder: Path, platform: Path, *arguments: str, ranks: int = 16, mpi: Mpi = MPICH
) -> float:
    """Of one call, of ranks that enter together, without the common start."""
    job = start(folder, platform, "scheduled_functions", *arguments, "1", ranks=ranks, mpi=mpi)
    assert job.result["collectives"]["missed"] == 0
    started_ps: int = job.result["collectives"]["synchronisation_ps"]
    ended_ps: int = job.result["virtual_time_ps"]
    return (ended_ps - started_ps) / 1000


@pytest.mark.parametrize("mpi", BOTH)
def test_the_closed_form_of_pairs(mpi: str, tmp_path: Path) -> None:
    """On rings of 4 pairs exchange over one hop; a tree has one hop, a scatter also two."""
    platform = torus_of(tmp_path, 4, 4, more=NO_PACKET)
    both = sum(HOP_NS)

    def found(name: str, size_bytes: int) -> float:
        folder = tmp_path / f"{name}{size_bytes}"
        return time_ns(folder, platform, name, str(size_bytes), mpi=BY_NAME[mpi])

    assert found("allgather", 160) == 2 * both + 15 * 160 * NS_PER_BYTE
    assert found("allreduce", 32) == 2 * both + 4 * 32 * NS_PER_BYTE
    assert found("bcast", 32) == 2 * both + 4 * 32 * NS_PER_BYTE
    large = 256_000
    assert found("allreduce", large) == 4 * both + 2 * 15 / 16 * large * NS_PER_BYTE
    assert found("reduce_scatter_block", large // 16) == 2 * both + 15 / 16 * large * NS_PER_BYTE
    assert found("bcast", large) == 3 * both + 2 * both + 2 * 15 / 16 * large * NS_PER_BYTE


def test_the_closed_form_of_loops(tmp_path: Path) -> None:
    platform = torus_of(tmp_path, 3, 5, more=NO_PACKET)
    size_bytes = 160
    steps_ns = 2 * HOP_NS[0] + 4 * HOP_NS[1] + 14 * size_bytes * NS_PER_BYTE
    found = time_ns(tmp_path / "ring", platform, "allgather", str(size_bytes), ranks=15)
    assert found == steps_ns
    # Around a line of 5 with two ends, and back: each step has a message of two hops.
    mesh = torus_of(tmp_path, 3, 5, kind="mesh", more=NO_PACKET)
    found = time_ns(tmp_path / "line", mesh, "allgather", str(size_bytes), ranks=15)
    assert found == steps_ns + 2 * HOP_NS[0] + 4 * HOP_NS[1]


def test_pairs_that_share_links_have_time_for_it(tmp_path: Path) -> None:
    """On a ring of 16, 1, 2 and 4 messages of a small sum meet, and at last 4 around both ends."""
    platform = torus_of(tmp_path, 16, more=NO_PACKET)
    platform.write_text(platform.read_text().replace('["21 ns", "25 ns"]', '"20 ns"'))
    found = time_ns(tmp_path / "out", platform, "allreduce", "32")
    assert found <= 20 * (1 + 2 + 4 + 7) + (1 + 2 + 4 + 4) * 32 * NS_PER_BYTE
    assert found > 20 * (1 + 2 + 4 + 7) + 4 * 32 * NS_PER_BYTE


def test_the_closed_form_of_uneven_exchanges(tmp_path: Path) -> None:
    """Agreement on 8 bytes, then a step for each distance, as long as its hops and sharing ask."""
    platform = torus_of(tmp_path, 4, 4, more=NO_PACKET)
    size_bytes = 512  # A bound of itself.
    hops = (0, 1, 2, 1)
    steps_ns = 2 * sum(HOP_NS) + 4 * 8 * NS_PER_BYTE
    for i in range(1, 16):
        x, y = hops[i % 4], hops[i // 4]
        sharing = 1 + max(x - 1, 0) + max(y - 1, 0)
        # The last step ends with its last message, which nothing follows.
        if i < 15:
            steps_ns += x * HOP_NS[0] + y * HOP_NS[1] + sharing * size_bytes * NS_PER_BYTE
        else:
            steps_ns += x * HOP_NS[0] + y * HOP_NS[1] + size_bytes * NS_PER_BYTE
    assert time_ns(tmp_path / "out", platform, "alltoallv", str(size_bytes)) == steps_ns


def test_all_wait_for_a_rank_that_enters_late(tmp_path: Path) -> None:
    platform = torus_of(tmp_path, 4, 4)
    for name in ("allreduce", "bcast", "allgather", "alltoallv", "reduce_scatter_block"):
        jobs = [
            start(tmp_path / f"{name}{late}", platform, "scheduled_functions", name, "800", "3",
                  late)
            for late in ("0", "5000")
        ]  # fmt: skip
        early, late = (job.result["virtual_time_ps"] for job in jobs)
        assert late - early in range(3 * 5_000_000 - 10_000, 3 * 5_000_000 + 1)


@pytest.mark.parametrize(("kind", "sides"), [("mesh", (4, 3)), ("torus", (16,))])
def test_a_guard_pays_for_jitter(kind: str, sides: tuple[int, ...], tmp_path: Path) -> None:
    """Also where messages of a step share links."""
    ranks = sides[0] * (sides[1] if len(sides) > 1 else 1)
    for name in ("allreduce", "bcast", "allgather", "alltoallv", "reduce_scatter_block"):
        missed = []
        for guard_ns in (0, 300):
            keys = '[mpi.collectives]\nmode = "scheduled"\njitter = "300 ns"\n'
            keys += f'guard = "{guard_ns} ns"\n'
            platform = torus_of(tmp_path, *sides, kind=kind, more=keys)
            if len(sides) == 1:
                one = platform.read_text().replace('["21 ns", "25 ns"]', '"20 ns"')
                platform.write_text(one)
            job = start(tmp_path / f"{name}{guard_ns}", platform, "scheduled_functions", name,
                        "5000", "1", ranks=ranks)  # fmt: skip
            found = job.result["collectives"]
            assert 0 < found["largest_skew_ps"] <= 300_000
            missed.append(found["missed"])
        assert missed[0] > 0
        assert missed[1] == 0


@pytest.mark.parametrize("seed", range(3))
def test_random_calls_of_late_ranks_under_jitter(seed: int, tmp_path: Path) -> None:
    """The program checks its data; steps are missed, and no rank waits for ever."""
    sides = ((4, 4), (5, 3), (2, 6))[seed]
    limits = ("64 KiB", "100 B", "2 KiB")
    keys = f'[mpi]\neager_limit = "{limits[seed]}"\n[mpi.collectives]\nmode = "scheduled"\n'
    keys += f'jitter = "2 us"\nguard = "{seed * 500} ns"\n'
    platform = torus_of(tmp_path, *sides, kind="mesh" if seed == 2 else "torus", more=keys)
    ranks = sides[0] * sides[1]
    jobs = [
        start(tmp_path / f"out{number}", platform, "scheduled_functions", "random", str(seed), "8",
              ranks=ranks, options=("--seed", str(seed), "--cores", cores))
        for number, cores in enumerate(("1", "2"))
    ]  # fmt: skip
    assert jobs[0].stdout == jobs[1].stdout == PASSED.format(ranks)
    assert jobs[0].result == jobs[1].result
    missed = sum(calls_of(jobs[0], name)["scheduled"]["missed"] for name in FUNCTIONS)
    assert missed == jobs[0].result["collectives"]["missed"] > 0


@pytest.mark.parametrize("mpi", BOTH)
def test_it_repeats_on_any_number_of_cores(mpi: str, tmp_path: Path) -> None:
    platform = torus_of(tmp_path, 4, 4)
    jobs = [
        start(tmp_path / f"out{number}", platform, "scheduled_functions", mpi=BY_NAME[mpi],
              options=(*SCHEDULED, "--cores", cores))
        for number, cores in enumerate(("1", "1", "2"))
    ]  # fmt: skip
    assert jobs[0].result == jobs[1].result == jobs[2].result


def test_the_library_reports_wrong_calls(tmp_path: Path) -> None:
    platform = torus_of(tmp_path, 4, 4)
    job = start(tmp_path / "out", platform, "scheduled_functions", "errors", mpi=OPEN_MPI)
    assert job.stdout == PASSED.format(16)
    assert reasons(job, "MPI_Allreduce") == {"arguments": 16, "operation": 16}
    assert reasons(job, "MPI_Reduce_scatter_block") == {"arguments": 16}
    assert reasons(job, "MPI_Bcast") == {"arguments": 2 * 16}


def test_where_no_box_is_all_goes_to_the_library(tmp_path: Path) -> None:
    job = start(tmp_path / "out", PLATFORMS / "star4.toml", "scheduled_functions", ranks=4)
    assert job.stdout == PASSED.format(4)
    for function in FUNCTIONS:
        assert calls_of(job, function)["scheduled"]["calls"] == 0
        assert reasons(job, function).keys() == {"shape"}
    assert job.result["collectives"]["synchronisations"] == 0


@pytest.mark.parametrize(
    ("program", "mpi"),
    [
        ("scheduled_functions_fortran", OPEN_MPI),
        ("scheduled_functions_f08", OPEN_MPI),
        ("py_scheduled_functions", MPICH),
        ("py_scheduled_functions", OPEN_MPI),
    ],
)
def test_other_languages(program: str, mpi: Mpi, tmp_path: Path) -> None:
    job = start(tmp_path / "out", torus_of(tmp_path, 4, 4), program, mpi=mpi)
    assert job.stdout == f"{program}: all is as it must be\n"
    for function in FUNCTIONS:
        once = function in ("MPI_Alltoallv", "MPI_Reduce_scatter_block")
        assert calls_of(job, function)["scheduled"]["calls"] == (1 if once else 2) * 16
