"""Runs for the tests of this folder to work on."""

from __future__ import annotations

from pathlib import Path

import pytest
import synthetic_run
from synthetic_run import SyntheticRun


@pytest.fixture
def ring(tmp_path: Path) -> SyntheticRun:
    """A ring of 4 ranks."""
    return synthetic_run.finish(synthetic_run.ring(4, 5), tmp_path / "ring.records")


@pytest.fixture
def all_to_all(tmp_path: Path) -> SyntheticRun:
    """An all-to-all of 6 ranks with queues and with messages above the eager limit."""
    model = synthetic_run.all_to_all(6, 4, size=16384)
    return synthetic_run.finish(model, tmp_path / "all_to_all.records")
