"""Verilator finds nothing to complain about in the hardware, for both kinds of queues."""

import subprocess
from pathlib import Path

import pytest
from simulation import RTL


@pytest.mark.parametrize("source", sorted(RTL.glob("*.sv")), ids=lambda path: path.stem)
def test_verilator(source: Path) -> None:
    buffers = ("lh_buffer", "head_separation")
    variants = [[]] if source.stem in buffers else [["-GSTORES_WILDCARDS=1"], ["-GENTRIES=64"]]
    for parameters in variants:
        command = ["verilator", "--lint-only", "-Wall", "-y", str(RTL), *parameters, str(source)]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        assert finished.returncode == 0, finished.stderr
