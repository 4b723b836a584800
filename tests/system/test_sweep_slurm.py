"""Sweeps whose points are jobs of a real Slurm."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from slurm_cluster import SlurmCluster, slurm_cluster
from sweeps import finished, rows_of, started, sweep, sweep_file, sweeping, wait_for


@pytest.fixture
def cluster() -> Iterator[SlurmCluster]:
    with slurm_cluster() as running:
        yield running


def test_jobs_of_slurm_run_points(tmp_path: Path, cluster: SlurmCluster) -> None:
    sweep_file(tmp_path, 'patterns = "shift/direct --bytes 1000B"\nranks = [2, 3, 4]\n')
    status, told = sweep(tmp_path, "--cluster", "slurm", environment=cluster.environment)
    assert status == 0
    assert "3 points: 3 complete, 0 failed" in told
    assert [row["virtual_time_ps"] for row in rows_of(tmp_path)] == [1_200_000] * 3
    # Slurm numbers jobs from 1, and remembers those that are over.
    assert "JobName=dask-worker" in cluster.tell("scontrol", "show", "job", "1")


def test_a_point_whose_job_slurm_ends_runs_again(tmp_path: Path, cluster: SlurmCluster) -> None:
    sweep_file(tmp_path, f'programs = "{sys.executable} waiting.py a"\nranks = 2\n')
    with sweeping(tmp_path, "--cluster", "slurm", environment=cluster.environment) as process:
        wait_for(lambda: started(tmp_path))
        cluster.tell("scancel", "1")
        wait_for(lambda: len(started(tmp_path)) == 2)
        (tmp_path / "go").touch()
        status, told = finished(process)
    assert status == 0
    assert "1 points: 1 complete, 0 failed" in told
