"""Scheduled collectives and hints: which calls are scheduled, and the connections of schedules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jobs import BY_NAME, MPICH, WITH_TABLES, Job, Mpi, command_of, run_simulated
from services import rows_of as service_rows
from test_collectives import TORUS_16

CALLED = ("MPI_Alltoall", "MPI_Allreduce", "MPI_Barrier")
RANKS, INSIDE, OUTSIDE = 16, 5, 3
FINE = "scheduled_hints: passed on 16 ranks\n"
SETUP_US = 70
SERVICE = f'[mpi.service]\nsetup_time = "{SETUP_US} us"\n'


def start(
    folder: Path,
    *program: str,
    options: tuple[str, ...],
    keys: str = "",
    mpi: Mpi = MPICH,
) -> Job:
    folder.parent.mkdir(exist_ok=True)
    platform = folder.parent / "torus4x4.toml"
    platform.write_text(TORUS_16 + keys)
    command = command_of(mpi, *program)
    options = (*WITH_TABLES, *options)
    return run_simulated(mpi, RANKS, command, folder, platform=platform, options=options)


def functions(job: Job) -> dict[str, Any]:
    found: dict[str, Any] = job.result["collectives"]["functions"]
    return found


@pytest.mark.parametrize("mpi", tuple(BY_NAME))
@pytest.mark.parametrize(
    "way", [(), ("threads",), ("callback",)], ids=["alone", "threads", "callback"]
)
def test_only_calls_in_regions_are_scheduled(
    mpi: str, way: tuple[str, ...], tmp_path: Path
) -> None:
    """Also if another thread than the hint's called MPI last, or it is given inside of a call."""
    options = ("--collectives", "hint")
    program = ("scheduled_hints", "1000", *way)
    job = start(tmp_path / "hint", *program, options=options, mpi=BY_NAME[mpi])
    assert job.stdout == FINE
    for function in CALLED:
        row = functions(job)[function]
        # At its end the program sums once more, which is outside.
        more = 1 if function == "MPI_Allreduce" else 0
        assert row["scheduled"]["calls"] == INSIDE * RANKS
        assert {reason: found["calls"] for reason, found in row["library"].items()} == {
            "hint": (OUTSIDE + more) * RANKS
        }
    assert job.result["collectives"]["synchronisations"] == len(CALLED) * INSIDE
    assert f"(not: hint {OUTSIDE * RANKS})" in " ".join(job.stderr.split())
    again = start(
        tmp_path / "again", *program, options=(*options, "--cores", "2"), mpi=BY_NAME[mpi]
    )
    assert again.result["event_hash"] == job.result["event_hash"]
    assert functions(again) == functions(job)


def test_ranks_that_disagree_end_the_run(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"^status 1 ") as ended:
        start(tmp_path / "out", "scheduled_hints", "1000", "apart",
              options=("--collectives", "hint"))  # fmt: skip
    text = " ".join(str(ended.value).split())
    assert "the region of the hint IN_KERNEL, and another rank is" in text
    assert "MPI_Alltoall" in text


def test_hints_of_a_file_decide(tmp_path: Path) -> None:
    """The second of three calls."""
    hints = tmp_path / "hints.toml"
    hints.write_text(
        "[[region]]\n"
        'from = { function = "MPI_Alltoall", call = 2 }\n'
        'to = { function = "MPI_Alltoall", call = 2 }\n'
    )
    job = start(
        tmp_path / "out",
        "scheduled_alltoall",
        "1000",
        "3",
        options=("--collectives", "hint", "--hints", str(hints)),
    )
    row = functions(job)["MPI_Alltoall"]
    assert row["scheduled"]["calls"] == RANKS
    assert row["library"]["hint"]["calls"] == 2 * RANKS
    assert "--hints has no effect" not in job.stderr


def start_calls(folder: Path, service: str, size_bytes: str, calls: int, keys: str) -> Job:
    """Run calls of MPI_Alltoall alone, all in one region."""
    hints = folder.parent / "hints.toml"
    hints.write_text(
        "[[region]]\n"
        'from = { function = "MPI_Alltoall", call = 1 }\n'
        f'to = {{ function = "MPI_Alltoall", call = {calls} }}\n'
    )
    options = ("--collectives", "scheduled", "--service", service, "--hints", str(hints))
    program = ("scheduled_alltoall", size_bytes, str(calls))
    job = start(folder, *program, options=options, keys=keys)
    # Each rank sends to four others, and the same four to it.
    for row in service_rows(job):
        assert (row["asked"], row["accepted"]) == (4, 0)
    return job


@pytest.mark.parametrize("size_bytes", ["1000", "60000"])
def test_a_schedule_waits_for_connections_before_it_begins(size_bytes: str, tmp_path: Path) -> None:
    """Once, and no step misses its instant."""
    alone = start(tmp_path / "none", "scheduled_alltoall", size_bytes, "1",
                  options=("--collectives", "scheduled"))  # fmt: skip
    for calls in (1, 2):
        job = start_calls(tmp_path / str(calls), "rc", size_bytes, calls, SERVICE)
        assert job.result["collectives"]["missed"] == 0
        assert job.result["service"]["packets"] == 0
        assert (
            job.result["virtual_time_ps"]
            == calls * alone.result["virtual_time_ps"] + SETUP_US * 1_000_000
        )


@pytest.mark.parametrize("service", ["hint", "hint_evict"])
def test_in_regions_a_schedule_asks_at_once(service: str, tmp_path: Path) -> None:
    """In place of after some messages. Datagrams carry the first call, for which steps have no
    room; the others go by connections."""
    keys = '[mpi.service]\nsetup_time = "1 us"\nmessages_before = 1000\n'
    jobs = [start_calls(tmp_path / str(calls), service, "60000", calls, keys) for calls in (1, 3)]
    missed = [job.result["collectives"]["missed"] for job in jobs]
    packets = [job.result["service"]["packets"] for job in jobs]
    assert missed[0] == missed[1] > 0
    assert packets[0] == packets[1] > 0


def test_a_refused_connection_makes_steps_late_but_no_data_wrong(tmp_path: Path) -> None:
    keys = f"{SERVICE}connection_cap = 1\n"
    options = ("--collectives", "hint", "--service", "hint")
    job = start(tmp_path / "out", "scheduled_hints", "1000", options=options, keys=keys)
    assert job.stdout == FINE
    assert job.result["service"]["refused"] > 0
    assert job.result["collectives"]["missed"] > 0
