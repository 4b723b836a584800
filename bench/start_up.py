"""Measures what starting ranks costs: CPU seconds of the whole job, private memory of each rank."""

from __future__ import annotations

import re
from pathlib import Path

from rich.console import Console
from rich.table import Table

from compare_smpi import BIN, ROOT, Bench
from measure import adopt_orphans, measure
from star import Star

RANKS = (4, 16, 64, 256, 512)


def main() -> None:
    """Start jobs of growing size and print a line for each."""
    adopt_orphans()
    bench = Bench(ROOT / "build" / "bench", limit_s=300)
    binary = bench.compile(str(BIN / "mpicc"), "kumihimo", "start_up")
    table = Table(title="MPI_Init, MPI_Barrier, MPI_Finalize", title_justify="left")
    for column in ("ranks", "CPU s", "wall s", "private MB, mean", "private MB, largest"):
        table.add_column(column, justify="right")
    for ranks in RANKS:
        platform: Path = Star(ranks).write_toml(bench.folder)
        command = [
            *(str(BIN / "kumihimo"), "run", "-n", str(ranks), "--compute", "none"),
            *("--platform", str(platform), "--detail", "none", "--", str(binary)),
        ]
        cost = measure(command, bench.folder / "start_up.log", bench.limit_s)
        found = re.search(r"private_kb mean (\d+) largest (\d+)", cost.output)
        if found is None or not cost.finished:
            raise RuntimeError(f"{ranks} ranks did not start:\n{cost.output[-2000:]}")
        mean_mb, largest_mb = (f"{int(kilobytes) / 1024:.2f}" for kilobytes in found.groups())
        table.add_row(str(ranks), f"{cost.cpu_s:.2f}", f"{cost.wall_s:.2f}", mean_mb, largest_mb)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
