"""The workers of a study: started once for all of its sweeps."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kumihimo.study.campaign import Campaign, Sweep
from kumihimo.sweep import clusters

ROOT = Path(__file__).parents[3]
LIMIT_S = 120


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[clusters.Workers]:
    """The workers that were started since the test began."""
    found: list[clusters.Workers] = []
    start: Callable[[clusters.Place], clusters.Workers] = clusters.open_cluster

    def noting(place: clusters.Place) -> clusters.Workers:
        found.append(start(place))
        return found[-1]

    monkeypatch.setattr(clusters, "open_cluster", noting)
    return found


def sweep_of(name: str, pattern: str) -> Sweep:
    return Sweep(name, ROOT / "platforms" / "star4.toml", patterns=(pattern,), ranks=(2, 4))


@pytest.mark.processes
@pytest.mark.timeout(LIMIT_S)
def test_sweeps_of_a_study_have_the_same_workers(
    started: list[clusters.Workers], tmp_path: Path
) -> None:
    with Campaign(tmp_path, workers=1, quiet=True) as campaign:
        first = campaign.run(sweep_of("first", "barrier"))
        second = campaign.run(sweep_of("second", "allreduce --bytes 1MiB"))
        (workers,) = started
        assert workers.cluster.status.name == "running"
    assert workers.cluster.status.name == "closed"
    # Points of both have the same numbers; each row is that of its own sweep.
    assert [row["command"] for row in first] == ["barrier"] * 2
    assert all(
        one["virtual_time_ps"] < other["virtual_time_ps"]
        for one, other in zip(first, second, strict=True)
    )
    assert {path.name for path in tmp_path.iterdir()} == {"first", "second", "sweeps"}


@pytest.mark.processes
@pytest.mark.timeout(LIMIT_S)
def test_nothing_is_started_for_points_that_are_kept(
    started: list[clusters.Workers], tmp_path: Path
) -> None:
    for _ in range(2):
        with Campaign(tmp_path, workers=1, quiet=True) as campaign:
            assert len(campaign.run(sweep_of("first", "barrier"))) == 2
    assert len(started) == 1


@pytest.mark.processes
@pytest.mark.timeout(LIMIT_S)
def test_a_signal_ends_the_workers(started: list[clusters.Workers], tmp_path: Path) -> None:
    with Campaign(tmp_path, workers=1, quiet=True) as campaign:
        campaign.run(sweep_of("first", "barrier"))
        # It comes in the next sweep, as soon as that has begun to write.
        begun = tmp_path / "second"
        script = f"until [ -e {begun}/work ]; do sleep 0.01; done; kill -INT {os.getpid()}"
        with subprocess.Popen(["bash", "-c", script]):
            endless = "allreduce --bytes 1KiB --iterations 1000000"
            with pytest.raises(InterruptedError):
                campaign.run(sweep_of("second", endless))
        assert campaign.status == 128 + signal.SIGINT
        assert started[0].cluster.status.name == "closed"
