"""Measures what a context switch costs here, without MPI and without Kumihimo.

A rank is a process, and a message mostly means a context switch: no simulator that runs ranks as
processes is faster than this.
"""

from __future__ import annotations

import re
import statistics
import subprocess

from rich.console import Console
from rich.table import Table

from compare_smpi import ROOT

PROCESSES = (2, 16, 64, 256)
# Pages of its own that each process touches, and cache lines of each: none; and what was counted in
# a rank under MPICH, for one message received and one sent.
MEMORY = ((0, 0), (134, 2))
CHANGES = 100_000
REPEATS = 5


def main() -> None:
    """Print a line for each number of processes."""
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    binary = folder / "process_switch"
    source = ROOT / "bench" / "programs" / "process_switch.c"
    subprocess.run(["cc", "-O2", str(source), "-o", str(binary)], check=True)
    table = Table(title="a context switch on one core, microseconds", title_justify="left")
    table.add_column("processes", justify="right")
    for pages, lines in MEMORY:
        table.add_column(f"{pages} pages, {lines} lines each", justify="right")
    for processes in PROCESSES:
        row = []
        for pages, lines in MEMORY:
            arguments = (processes, CHANGES // processes, pages, lines)
            command = [str(binary), *(str(argument) for argument in arguments)]
            times = []
            for _ in range(REPEATS):
                printed = subprocess.run(command, check=True, capture_output=True, text=True)
                found = re.search(r"microseconds (\S+)", printed.stdout)
                assert found is not None
                times.append(float(found[1]))
            row.append(f"{statistics.median(times):.2f}")
        table.add_row(str(processes), *row)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
