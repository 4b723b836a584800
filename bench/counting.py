"""Measures what counting costs a program, and how near counted time is to measured time.

Each program is built twice by the same compiler, with and without counting, and run natively by
turns. Then the counting program runs in virtual time, once counted and several times measured.
"""

from __future__ import annotations

import re
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from compare_smpi import BIN, ROOT
from measure import adopt_orphans, measure
from star import Star

REPEATS = 7
LIMIT_S = 300


@dataclass(frozen=True)
class Kernel:
    """A program, alone on one rank, that computes for about a second.

    Attributes:
        source: Under the repository's root.
        arguments: Its arguments.
        time: How its output says what time its computing took, in seconds.
    """

    source: str
    arguments: tuple[str, ...]
    time: str


KERNELS = (
    Kernel("examples/apps/conjugate_gradient.c", ("A",), r"virtual_seconds (\S+)"),
    Kernel("examples/apps/fourier_transform.c", ("A", "2"), r"virtual_seconds (\S+)"),
    Kernel("examples/demo/heat.c", ("1024", "1000"), r"in (\S+) s by MPI_Wtime"),
)


class Bench:
    """Builds and runs the kernels in a folder."""

    def __init__(self, folder: Path) -> None:
        """Work in `folder`."""
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.platform = Star(2).write_toml(folder)

    def build(self, kernel: Kernel, *options: str) -> Path:
        """Compile a kernel; return the binary."""
        source = ROOT / kernel.source
        binary = self.folder / f"{source.stem}{''.join(options)}"
        command = [str(BIN / "kumihimo"), "cc", *options, "-O2", str(source), "-o", str(binary)]
        subprocess.run([*command, "-lm"], check=True)
        return binary

    def native_s(self, kernel: Kernel, binary: Path) -> float:
        """Return the CPU seconds of a native run."""
        command = [str(BIN / "mpiexec"), "-n", "1", str(binary), *kernel.arguments]
        return measure(command, self.folder / "native.log", LIMIT_S).cpu_s

    def simulated_s(self, kernel: Kernel, binary: Path, compute: str) -> float:
        """Return the virtual seconds that the program says its computing took."""
        command = [str(BIN / "kumihimo"), "run", "-n", "1", "--compute", compute, "--quiet"]
        command += ["--platform", str(self.platform), "--detail", "none", "--", str(binary)]
        output = measure([*command, *kernel.arguments], self.folder / "run.log", LIMIT_S).output
        found = re.search(kernel.time, output)
        if found is None:
            raise RuntimeError(f"no time in:\n{output[-2000:]}")
        return float(found[1])


def main() -> None:
    """Measure every kernel and print a line for each."""
    adopt_orphans()
    bench = Bench(ROOT / "build" / "bench" / "counting")
    table = Table(title="programs that count their work, clang -O2", title_justify="left")
    for column in ("program", "CPU s without", "with", "ratio", "measured s", "counted s", "ratio"):
        table.add_column(column, justify="left" if column == "program" else "right")
    for kernel in KERNELS:
        plain, counting = bench.build(kernel, "--no-count"), bench.build(kernel)
        times = [
            (bench.native_s(kernel, plain), bench.native_s(kernel, counting))
            for _ in range(REPEATS)
        ]
        without, with_it = (statistics.median(column) for column in zip(*times, strict=True))
        measured = statistics.median(
            bench.simulated_s(kernel, counting, "measured") for _ in range(REPEATS)
        )
        counted = bench.simulated_s(kernel, counting, "counted")
        table.add_row(
            " ".join([Path(kernel.source).stem, *kernel.arguments]),
            *(f"{without:.2f}", f"{with_it:.2f}", f"{with_it / without:.3f}"),
            *(f"{measured:.3f}", f"{counted:.3f}", f"{counted / measured:.2f}"),
        )
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
