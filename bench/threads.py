"""Compares the time of threads that share work: in a run with measured time, and natively.

Both use the same cores of this computer, two of them; the node of the run has as many, and its
speed. Run it on a quiet computer: the native times are real.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from compare_smpi import ROOT

BIN = ROOT / ".venv" / "bin"
CORES = 2
THREADS = (1, 2, 4)
REPEATS = 5
PLATFORM = f"""
name = "this computer"
[topology]
kind = "star"
hosts = 1
[link]
bandwidth = "10 Gb/s"
latency = "1 us"
[node]
speed = "1 Gflop/s"
cores = {CORES}
"""


def milliseconds(command: list[str]) -> float:
    """Run a command of the program `thread_share` and return what it printed."""
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    found = re.search(r"milliseconds (\S+)", printed.stdout)
    assert found is not None, printed.stdout
    return float(found[1])


def main() -> None:
    """Print a line for each number of threads and way to share."""
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    binary = str(folder / "thread_share")
    source = str(ROOT / "bench" / "programs" / "thread_share.c")
    subprocess.run([str(BIN / "mpicc"), "-O2", "-fopenmp", source, "-o", binary], check=True)
    table = Table(title=f"work shared by threads on {CORES} cores, ms", title_justify="left")
    for heading in ("threads", "parts", "natively", "in a run", "ratio"):
        table.add_column(heading, justify="right")
    with tempfile.TemporaryDirectory() as scratch:
        platform = Path(scratch) / "platform.toml"
        platform.write_text(PLATFORM)
        simulate = [str(BIN / "kumihimo"), "run", "--quiet", "-n", "1", "-p", str(platform)]
        simulate += ["--compute", "measured", "--host-speed", "1 Gflop/s", "--detail", "none", "--"]
        for threads in THREADS:
            for parts in ("balanced", "uneven"):
                program = [binary, str(threads), parts]
                pairs = [
                    (milliseconds(program), milliseconds([*simulate, *program]))
                    for _ in range(REPEATS)
                ]
                native, simulated = (statistics.median(times) for times in zip(*pairs, strict=True))
                row = (f"{native:.1f}", f"{simulated:.1f}", f"{simulated / native:.2f}")
                table.add_row(str(threads), parts, *row)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
