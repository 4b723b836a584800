"""Compiles hardware with Icarus and runs a test bench of this folder in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cocotb_tools.runner import get_runner

RTL = Path(__file__).resolve().parents[2] / "rtl"


def simulate(
    folder: Path, module: str, bench: str, parameters: Mapping[str, int], files: Mapping[str, Path]
) -> None:
    """Run a test bench; raises SystemExit or fails an assertion if the bench does.

    Args:
        folder: For what is compiled.
        module: The hardware, a file in `rtl/` of that name.
        bench: The Python module that runs in the simulator.
        parameters: Of the hardware.
        files: Environment variables that name the bench's files.
    """
    runner: Any = get_runner("icarus")
    runner.build(
        sources=sorted(RTL.glob("*.sv")),
        hdl_toplevel=module,
        parameters=dict(parameters),
        build_args=["-g2012", "-Wall", "-Wno-timescale"],
        build_dir=folder,
        timescale=("1ns", "1ps"),
        log_file=folder / "build.log",
    )
    results = runner.test(
        hdl_toplevel=module,
        test_module=bench,
        build_dir=folder,
        test_dir=folder,
        extra_env={name: str(path) for name, path in files.items()},
        log_file=folder / "run.log",
    )
    assert "<failure" not in results.read_text(), (folder / "run.log").read_text()[-4000:]
    assert "<testcase" in results.read_text()
