"""The sender, communicator and tag of each message, with both MPI libraries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jobs import BY_NAME, PLATFORMS, WITH_TABLES, command_of, run_native, run_simulated
from kumihimo.results import load


def _by_size(rows: list[dict[str, Any]]) -> Mapping[int, dict[str, Any]]:
    """Return the messages that carry something of the program's, by their size."""
    sizes = (1001, 1002, 100003, 1004, 1005, 1006, 1007)
    found = {size: [row for row in rows if row["size_bytes"] == size] for size in sizes}
    assert all(len(messages) == 1 for messages in found.values())
    return {size: messages[0] for size, messages in found.items()}


@pytest.mark.parametrize("mpi_name", ["mpich", "openmpi"])
def test_origin_communicator_and_tag(mpi_name: str, tmp_path: Path) -> None:
    mpi = BY_NAME[mpi_name]
    command = command_of(mpi, "origins")
    job = run_simulated(
        mpi, 2, command, tmp_path / "result", platform=PLATFORMS / "star4.toml", options=WITH_TABLES
    )
    assert job.stdout == run_native(mpi, 2, command)
    rows = load(job.folder).messages.to_pylist()
    by_size = _by_size(rows)
    copy = by_size[1002]["communicator"]
    assert copy not in (None, 0)
    found = {
        size: (row["origin"], row["communicator"], row["tag"]) for size, row in by_size.items()
    }
    assert found == {
        1001: ("program", 0, 7),
        1002: ("program", copy, 7),
        100003: ("program", copy, 9),
        1004: ("program", copy, 1000000),
        1005: ("program", copy, 21),
        1006: ("collective", copy, None),
        1007: ("collective", 0, None),
    }
    [acknowledgement] = [
        row for row in rows if (row["origin"], row["communicator"]) == ("library", copy)
    ]
    assert (acknowledgement["source"], acknowledgement["target"]) == (1, 0)
    assert (acknowledgement["size_bytes"], acknowledgement["tag"]) == (0, None)
    # What makes communicators and windows is sent for the program, not by it; nor is any of the
    # one-sided operations' messages taken for one of the program's.
    program = {row["size_bytes"] for row in rows if row["origin"] == "program"}
    puts = {4} if mpi_name == "mpich" else set()
    assert program == {1001, 1002, 100003, 1004, 1005} | puts
    assert {row["origin"] for row in rows if row["kind"] == "control"} == {"transport"}
