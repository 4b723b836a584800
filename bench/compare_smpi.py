"""Compares Kumihimo with SimGrid/SMPI: the same programs, the same platform, in one run.

Both simulate the same star and ignore the time that the program computes. The two sides take turns,
so that another load on this computer meets both. Printed for each program: CPU seconds (user and
system, of all processes, start-up included), messages for each of them, wall seconds, and the
ratios; then the virtual time that either gives and how far they are apart. Kumihimo's wall seconds
are also those on two cores. At the end stands a table of all cases.

SMPI's default model corrects bandwidth and latency by factors that were fitted to one cluster. For
virtual times it is run once more without them, so that both sides have the same platform.
What is left between the two: SMPI takes 1.28 ns more for each message, whatever its size, which is
16 bytes at 12.5 GB/s; and flows that meet share a link there, while here they stand in a queue.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from cases import CASES, Case
from measure import Cost, adopt_orphans, measure
from star import Star

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
SMPI_OPTIONS = (
    "--cfg=smpi/host-speed:10Gf",
    "--cfg=smpi/simulate-computation:no",
    "--log=root.thresh:error",
)
# The plain model: no fitted factors, no interference of the two directions of a link.
SMPI_PLAIN = (
    "--cfg=network/model:CM02",
    "--cfg=network/latency-factor:1",
    "--cfg=network/bandwidth-factor:1",
    "--cfg=network/crosstraffic:0",
    "--cfg=network/weight-S:0",
    "--cfg=network/TCP-gamma:0",
)


@dataclass
class Outcome:
    """The costs of both sides in one case; SMPI's are empty if it did not finish."""

    case: Case
    kumihimo: list[Cost] = field(default_factory=list)
    two_cores: list[Cost] = field(default_factory=list)
    smpi: list[Cost] = field(default_factory=list)
    smpi_plain: Cost | None = None
    smpi_ended_after_s: float | None = None


def virtual_s(cost: Cost) -> float:
    """The seconds by MPI_Wtime that the program printed."""
    found = re.search(r"virtual_seconds (\S+)", cost.output)
    if found is None:
        raise RuntimeError(f"no virtual time in:\n{cost.output[-2000:]}")
    return float(found[1])


class Bench:
    """Compiles the programs for both sides and runs them."""

    def __init__(self, folder: Path, limit_s: float) -> None:
        """Work in `folder`; a run that takes longer than `limit_s` seconds is ended."""
        self.folder = folder
        self.limit_s = limit_s
        folder.mkdir(parents=True, exist_ok=True)

    def compile(self, compiler: str, side: str, program: str) -> Path:
        """Compile a program for one side; return the binary."""
        binary = self.folder / side / program
        binary.parent.mkdir(exist_ok=True)
        folders = (ROOT / "bench" / "programs", ROOT / "examples" / "apps")
        (source,) = (path for folder in folders if (path := folder / f"{program}.c").exists())
        command = [compiler, "-O2", str(source), "-o", str(binary), "-lm"]
        subprocess.run(command, check=True)
        return binary

    def kumihimo(self, case: Case, cores: int = 1) -> Cost:
        """Run a case over Kumihimo."""
        binary = self.compile(str(BIN / "mpicc"), "kumihimo", case.program)
        command = [
            *(str(BIN / "kumihimo"), "run", "-n", str(case.ranks), "--compute", "none"),
            *("--platform", str(Star(max(case.ranks, 64)).write_toml(self.folder))),
            *("--cores", str(cores), "--detail", "none", "--", str(binary), *case.arguments),
        ]
        return measure(command, self.folder / "kumihimo.log", self.limit_s)

    def smpi(self, case: Case, options: Sequence[str] = ()) -> Cost:
        """Run a case over SMPI."""
        binary = self.compile("smpicc", "smpi", case.program)
        platform, hosts = Star(max(case.ranks, 64)).write_xml(self.folder)
        command = [
            *("smpirun", "-np", str(case.ranks), "-platform", str(platform)),
            *("-hostfile", str(hosts), *SMPI_OPTIONS, *options, str(binary), *case.arguments),
        ]
        return measure(command, self.folder / "smpi.log", self.limit_s)

    def run(self, case: Case, repeats: int) -> Outcome:
        """Run both sides of a case in turns."""
        outcome = Outcome(case)
        for _ in range(repeats):
            outcome.kumihimo.append(self.kumihimo(case))
            outcome.two_cores.append(self.kumihimo(case, cores=2))
            if outcome.smpi_ended_after_s is not None:
                continue
            cost = self.smpi(case)
            if cost.finished:
                outcome.smpi.append(cost)
            else:
                outcome.smpi_ended_after_s = cost.wall_s
        if outcome.smpi:
            plain = self.smpi(case, SMPI_PLAIN)
            outcome.smpi_plain = plain if plain.finished else None
        return outcome


def _rate(case: Case, cpu_s: float) -> str:
    return f"{case.messages / cpu_s / 1000:.1f} k"


def _cpu_s(costs: Sequence[Cost]) -> float:
    return statistics.median(cost.cpu_s for cost in costs)


def _wall_s(costs: Sequence[Cost]) -> float:
    return statistics.median(cost.wall_s for cost in costs)


def _ratio(outcome: Outcome) -> float:
    """SMPI's CPU seconds over Kumihimo's, of the medians."""
    return _cpu_s(outcome.smpi) / _cpu_s(outcome.kumihimo)


def _ratios(outcome: Outcome) -> list[float]:
    """The same of each pair of runs."""
    pairs = zip(outcome.smpi, outcome.kumihimo, strict=True)
    return [theirs.cpu_s / ours.cpu_s for theirs, ours in pairs]


def print_outcome(console: Console, outcome: Outcome) -> None:
    """Print one case's numbers and ratios."""
    case = outcome.case
    table = Table(title=f"{case.name}: {case.messages:,} messages", title_justify="left")
    columns = ("", "CPU s, median", "least to most", "messages per CPU s", "wall s", "virtual s")
    for column in columns:
        table.add_column(column, justify="left" if column == "" else "right")
    sides = [
        ("Kumihimo", outcome.kumihimo),
        ("Kumihimo, two cores", outcome.two_cores),
        ("SMPI", outcome.smpi),
    ]
    for name, costs in sides:
        if not costs:
            table.add_row(name, f"unfinished after {outcome.smpi_ended_after_s:.0f} s wall")
            continue
        times = [cost.cpu_s for cost in costs]
        table.add_row(
            name,
            f"{_cpu_s(costs):.2f}",
            f"{min(times):.2f} - {max(times):.2f}",
            _rate(case, _cpu_s(costs)),
            f"{_wall_s(costs):.2f}",
            f"{virtual_s(costs[0]):.9f}",
        )
    if outcome.smpi_plain is not None:
        plain_s = virtual_s(outcome.smpi_plain)
        table.add_row("SMPI, plain model", "", "", "", "", f"{plain_s:.9f}")
    console.print(table)
    if outcome.smpi:
        each = ", ".join(f"{ratio:.2f}" for ratio in _ratios(outcome))
        console.print(f"ratio (SMPI's CPU s / ours): {_ratio(outcome):.2f}   each pair: {each}")
    if outcome.smpi_plain is not None:
        ours = virtual_s(outcome.kumihimo[0])
        deviation = (ours / virtual_s(outcome.smpi_plain) - 1) * 100
        console.print(f"virtual time against SMPI's plain model: {deviation:+.3f} %")
    console.print()


def print_summary(console: Console, outcomes: Sequence[Outcome]) -> None:
    """Print a line of Markdown for each case."""
    columns = ("program", "messages", "CPU s", "SMPI's", "ratio", "wall s", "two cores", "SMPI's")
    lines = [columns, ("---",) * len(columns)]
    for outcome in outcomes:
        theirs = ratio = their_wall = f"none after {outcome.smpi_ended_after_s or 0:.0f} s"
        if outcome.smpi:
            each = _ratios(outcome)
            ratio = f"{_ratio(outcome):.2f} ({min(each):.2f} to {max(each):.2f})"
            theirs, their_wall = f"{_cpu_s(outcome.smpi):.2f}", f"{_wall_s(outcome.smpi):.2f}"
        ours = (f"{_wall_s(costs):.2f}" for costs in (outcome.kumihimo, outcome.two_cores))
        cpu = f"{_cpu_s(outcome.kumihimo):.2f}"
        messages = f"{outcome.case.messages:,}"
        lines.append((outcome.case.name, messages, cpu, theirs, ratio, *ours, their_wall))
    for line in lines:
        console.print("| " + " | ".join(line) + " |", soft_wrap=True, highlight=False)


def main() -> None:
    """Read the command line and run the cases."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", help="run the cases whose name contains this text")
    parser.add_argument("--repeats", type=int, help="how often each side is run")
    parser.add_argument("--limit", type=float, default=150, help="seconds of wall time for a run")
    options = parser.parse_args()
    chosen = [case for case in CASES if options.only is None or options.only in case.name]
    if not chosen:
        parser.error(f"no case has {options.only!r} in its name")
    adopt_orphans()
    bench = Bench(ROOT / "build" / "bench", options.limit)
    console = Console(width=110)
    version = subprocess.run(["smpirun", "-version"], capture_output=True, text=True, check=True)
    console.print(f"SMPI is: {version.stdout.splitlines()[0]}\n")
    outcomes = []
    for case in chosen:
        outcomes.append(bench.run(case, options.repeats or case.repeats))
        print_outcome(console, outcomes[-1])
    print_summary(console, outcomes)


if __name__ == "__main__":
    main()
