"""Debian's own binary of the HPC Challenge benchmark, unmodified, over Kumihimo."""

import re
import shutil
from pathlib import Path

import pytest

from jobs import OPEN_MPI, PLATFORMS, run_simulated

HPCC = "/usr/bin/hpcc"
INPUT = Path(__file__).with_name("hpccinf.txt")


@pytest.mark.timeout(240)
def test_hpcc(tmp_path: Path) -> None:
    """All parts of the benchmark check themselves."""
    shutil.copy(INPUT, tmp_path)
    job = run_simulated(
        OPEN_MPI,
        4,
        [HPCC],
        tmp_path / "result",
        platform=PLATFORMS / "star4.toml",
        cwd=tmp_path,
        limit_s=220,
    )
    output = (tmp_path / "hpccoutf.txt").read_text()
    assert "\nSuccess=1\n" in output
    assert "CommWorldProcs=4" in output
    failed = [int(count) for count in re.findall(r"(\d+) tests completed and failed", output)]
    assert failed
    assert not any(failed)
    assert job.result["totals"]["messages"] > 1000
    # The benchmark measured the platform: 100 ns a link, two links a way.
    latency = re.search(r"^MinPingPongLatency_usec=(\S+)", output, re.MULTILINE)
    assert latency is not None
    latency_us = float(latency[1])
    assert 0.2 <= latency_us < 2
