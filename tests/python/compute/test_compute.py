"""Explicit compute time from Python: without a run, and with a stand-in for the run's library."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kumihimo import compute

STAND_IN = """
static double spent;
int kumi_compute_seconds(double seconds) {
    if (seconds == 13) return -2;
    spent += seconds;
    return 0;
}
int kumi_compute_flops(double flops) {
    if (flops > 1e20) return -1;
    spent += flops / 1e9;
    return 0;
}
double kumi_virtual_seconds(void) { return spent; }
int kumi_is_simulated(void) { return 1; }
"""


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stand_in")
    (folder / "run.c").write_text(STAND_IN)
    library = folder / "librun.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, folder / "run.c"], check=True)
    return library


def run_in(library: Path, code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", "from kumihimo.compute import *\n" + code],
        env={**os.environ, "LD_PRELOAD": str(library)},
        check=True,
        text=True,
        capture_output=True,
    ).stdout.strip()


def test_outside_of_a_run_nothing_happens() -> None:
    compute.compute_seconds(1.0)
    compute.compute_flops(1e9)
    assert compute.virtual_seconds() == 0.0
    assert compute.is_simulated() is False


@pytest.mark.parametrize("wrong", [-1.0, math.nan, math.inf, 1.1e6])
def test_wrong_seconds(wrong: float) -> None:
    with pytest.raises(ValueError, match="compute time must be 0 to 1e\\+06 s"):
        compute.compute_seconds(wrong)


@pytest.mark.parametrize("wrong", [-1.0, math.nan, math.inf])
def test_wrong_flops(wrong: float) -> None:
    with pytest.raises(ValueError, match="operations must be 0 or more"):
        compute.compute_flops(wrong)


@pytest.mark.processes
def test_in_a_run_time_is_spent(stand_in: Path) -> None:
    code = "compute_seconds(2); compute_flops(5e8); print(virtual_seconds(), is_simulated())"
    assert run_in(stand_in, code) == "2.5 True"


@pytest.mark.processes
def test_the_runs_refusals_are_errors(stand_in: Path) -> None:
    for call, error in (
        ("compute_seconds(13)", "RuntimeError"),
        ("compute_flops(1e21)", "ValueError"),
    ):
        code = f"try:\n {call}\nexcept {error} as error:\n print('refused', error)"
        assert run_in(stand_in, code).startswith("refused")
