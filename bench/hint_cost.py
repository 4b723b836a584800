"""Measures what a hint costs: real nanoseconds of CPU time for one call of HINT.

Runs with and without hints alternate. Printed is the difference of the two medians,
divided by the number of calls of all ranks, with the spread of the single differences.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from compare_smpi import BIN, ROOT
from measure import adopt_orphans, measure
from star import Star

REPEATS = 7
LIMIT_S = 300


@dataclass(frozen=True)
class Case:
    """One way to call hints.

    Attributes:
        name: How it is called in the table.
        ranks: Number of ranks.
        shifts: Ring shifts of each rank.
        pairs: Pairs of hints of each rank for a shift, one of them around it.
        options: Of `kumihimo run`; None for no run.
    """

    name: str
    ranks: int
    shifts: int
    pairs: int
    options: tuple[str, ...] | None

    @property
    def calls(self) -> int:
        """Calls of HINT of all ranks."""
        return 2 * self.ranks * self.shifts * self.pairs


_HINT = ("--service", "hint")
CASES = (
    Case("outside of a run", 1, 1, 50_000_000, None),
    Case("in a run, service hint, in a row", 1, 1, 10_000_000, _HINT),
    Case("in a run, service hint, 50 pairs a shift", 2, 40_000, 50, _HINT),
    Case("in a run, service hint, a pair around each shift", 2, 500_000, 1, _HINT),
    Case("the same on two cores, 50 pairs a shift", 2, 40_000, 50, (*_HINT, "--cores", "2")),
    Case("in a run without a service, in a row", 1, 1, 10_000_000, ()),
)


class HintBench:
    """Builds the program and runs it."""

    def __init__(self) -> None:
        """Work in the build folder."""
        self.folder = ROOT / "build" / "bench"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.binary = self.folder / "hint_cost"
        source = ROOT / "bench" / "programs" / "hint_cost.c"
        compiler = [str(BIN / "mpicc"), "-O2", "-I", str(ROOT / "include")]
        subprocess.run([*compiler, str(source), "-o", str(self.binary), "-ldl", "-lm"], check=True)
        self.platform = Star(2).write_toml(self.folder)

    def cpu_s(self, case: Case, pairs: int) -> float:
        """Run once; return the CPU seconds of all processes."""
        program = [str(self.binary), str(case.shifts), str(pairs)]
        if case.options is None:
            command = [str(BIN / "mpiexec"), "-n", str(case.ranks), *program]
        else:
            command = [
                *(str(BIN / "kumihimo"), "run", "-n", str(case.ranks), "--compute", "none"),
                *("--quiet", "--platform", str(self.platform), "--detail", "none"),
                *case.options,
                "--",
                *program,
            ]
        cost = measure(command, self.folder / "hint_cost.log", LIMIT_S)
        if not cost.finished:
            raise RuntimeError(f"{case.name} took more than {LIMIT_S} s")
        return cost.cpu_s

    def call_ns(self, case: Case, repeats: int) -> tuple[float, float, float]:
        """Return the nanoseconds of a call: median, least and most."""
        times = [(self.cpu_s(case, case.pairs), self.cpu_s(case, 0)) for _ in range(repeats)]
        with_hints, without = (statistics.median(column) for column in zip(*times, strict=True))
        single: Sequence[float] = [some - none for some, none in times]
        values = (with_hints - without, min(single), max(single))
        middle, least, most = (value / case.calls * 1e9 for value in values)
        return middle, least, most


def main() -> None:
    """Measure every case and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="cases whose name contains this text")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="pairs of runs of each case")
    options = parser.parse_args()
    cases = [case for case in CASES if options.only in case.name]
    if not cases:
        parser.error(f"no case has {options.only!r} in its name")
    adopt_orphans()
    bench = HintBench()
    table = Table(title="CPU nanoseconds of a call of HINT", title_justify="left")
    for column in ("calls", "ranks", "number", "median", "least", "most"):
        table.add_column(column, justify="left" if column == "calls" else "right")
    for case in cases:
        found = bench.call_ns(case, options.repeats)
        numbers = (f"{value:.1f}" for value in found)
        table.add_row(case.name, str(case.ranks), f"{case.calls:,}", *numbers)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
