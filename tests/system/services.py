"""Runs programs with a service, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from jobs import MPICH, WITH_TABLES, Job, Mpi, command_of, run_simulated

# InfiniBand FDR.
PLATFORM = """\
[topology]
kind = "star"
hosts = 8
[link]
bandwidth = "54.5 Gb/s"
latency = "350 ns"
[node]
speed = "1 Gflop/s"
[mpi]
send_overhead = "250 ns"
receive_overhead = "250 ns"
"""
POOL, CONNECTION = 16 << 20, 12_500
SERVICES = ("rc", "ud", "hybrid", "hint")
FINE = "services: all is as it must be\n"


def run_service(
    folder: Path,
    service: str | None,
    *,
    mpi: Mpi = MPICH,
    program: tuple[str, ...] = ("services",),
    keys: str = "",
    ranks: int = 8,
    before: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
    detail: tuple[str, ...] = WITH_TABLES,
) -> Job:
    folder.parent.mkdir(exist_ok=True, parents=True)
    platform = folder.parent / f"{folder.name}.toml"
    section = f"[mpi.service]\n{keys}" if keys else ""
    platform.write_text(PLATFORM + section)
    if service is not None:
        options = ("--service", service, *options)
    job = run_simulated(
        mpi,
        ranks,
        command_of(mpi, *program),
        folder,
        platform=platform,
        options=(*detail, *options),
        before=before,
    )
    assert job.stdout == FINE
    return job


def check_memory(job: Job, rows: list[dict[str, Any]]) -> None:
    """Check that changes lead from nothing to what ranks have at the end and had at most."""
    last: dict[int, dict[str, Any]] = {}
    largest: dict[int, int] = {}
    for change in memory_of(job.folder):
        before = last.get(change["rank"])
        if before is None:
            assert change["at_ps"] == 0
        else:
            assert change["at_ps"] >= before["at_ps"]
            assert {**change, "at_ps": 0} != {**before, "at_ps": 0}
        last[change["rank"]] = change
        largest[change["rank"]] = max(largest.get(change["rank"], 0), change["memory_bytes"])
    for row in rows:
        found = last[row["rank"]]
        assert row["memory_bytes"] == largest[row["rank"]] >= found["memory_bytes"]
        assert found["connections"] == row["asked"] + row["accepted"] - row["closed"]
        assert found["closed"] == row["closed"] >= row["closings"]
        assert found["refused"] == row["refused"]


def memory_of(folder: Path) -> list[dict[str, Any]]:
    """Return the changes of memory of a run or replay."""
    rows: list[dict[str, Any]] = pq.read_table(folder / "service_memory.parquet").to_pylist()
    return rows


def rows_of(job: Job) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(job.folder / "service.parquet").to_pylist()
    for row in rows:
        parts = ("base_bytes", "connection_bytes", "eager_buffer_bytes", "pool_bytes")
        assert row["memory_bytes"] == sum(row[part] for part in parts)
    assert job.result["service"]["largest_memory"]["bytes"] == max(
        row["memory_bytes"] for row in rows
    )
    check_memory(job, rows)
    # Every datagram is paid for at both ends.
    assert sum(row["packets"] for row in rows) == sum(row["packets_received"] for row in rows)
    return rows
