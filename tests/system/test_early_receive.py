"""Ranks that go on with messages on their way give the results of ranks that wait for them."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs import MPICH, OPEN_MPI, PLATFORMS, Mpi, command_of, run_simulated

TABLES = ("messages", "states", "ranks", "links", "link_use")


def outcome(folder: Path, mpi: Mpi, program: str, platform: Path, mode: str) -> tuple[Any, int]:
    """Run a program; return all that it gave, and how often ranks took turns."""
    job = run_simulated(
        mpi,
        8,
        command_of(mpi, program),
        folder,
        platform=platform,
        before=("env", f"KUMI_RECEIVE_EARLY={mode}"),
    )
    tables = {
        name: sorted(map(repr, pq.read_table(folder / f"{name}.parquet").to_pylist()))
        for name in TABLES
    }
    host = json.loads((folder / "host.json").read_text())
    return (job.result, tables), sum(host["handovers"])


def with_costs(folder: Path) -> Path:
    """Return a platform on which sending, matching and receiving take time."""
    text = (PLATFORMS / "tree64.toml").read_text()
    overhead = 'receive_overhead = "200 ns"'
    assert overhead in text
    path = folder / "costs.toml"
    path.write_text(text.replace(overhead, overhead + '\nmatch_cost = "13 ns"'))
    return path


@pytest.mark.parametrize(
    "program", ["collectives", "nonblocking_collectives", "polling", "probe", "send_modes"]
)
@pytest.mark.parametrize("costs", [False, True])
def test_same_results(program: str, costs: bool, tmp_path: Path) -> None:
    platform = with_costs(tmp_path) if costs else PLATFORMS / "star64.toml"
    early, early_turns = outcome(tmp_path / "early", MPICH, program, platform, "on")
    in_time, turns = outcome(tmp_path / "in_time", MPICH, program, platform, "off")
    assert early == in_time
    if program == "collectives":
        assert early_turns < turns


def test_open_mpi(tmp_path: Path) -> None:
    platform = with_costs(tmp_path)
    early, early_turns = outcome(tmp_path / "early", OPEN_MPI, "collectives", platform, "on")
    in_time, turns = outcome(tmp_path / "in_time", OPEN_MPI, "collectives", platform, "off")
    assert early == in_time
    assert early_turns < turns
