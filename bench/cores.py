"""Compares runs on one core with runs on two, of programs that compute and communicate.

Runs on one core and on two alternate, every other time in the other order, and with them the same
computing natively: as one process, and as two at once that do half each. Printed are the median
wall seconds of the runs, the ratio one / two (above 1: two cores are faster) of the median pair and
of all pairs, the same without the time of a run with a single step (start and end, which native
processes hardly have), the median ratio of the native processes, what part of it the runs reached
without start and end (the median of all turns), the ratio of CPU seconds, and whether all runs gave
the same event hash. Run it on a quiet computer, the ranks share its cores.

The ranks' computing is counted, or measured with `--compute measured`. The last row is Debian's
LAMMPS, whose computing is measured, and compared with its own `mpirun` on one core and on two.
Event hashes differ from run to run where times are measured.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from compare_versions import ratios
from measure import Cost, adopt_orphans, measure
from star import Star

ROOT = Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / "bin"
RANKS = 16
LAMMPS_RANKS = 8
LAMMPS = (
    *("lmp", "-in", str(ROOT / "examples" / "apps" / "melt.lammps"), "-log", "none"),
    *("-var", "side", "16", "-var", "steps", "200"),
)
LIMIT_S = 200
# What a unit of work takes on a computer of 3 GHz, to name the rows.
UNIT_US = 0.2
# Units of work of a rank in a run that mostly computes, and steps of one that does not.
LONG, MOST_STEPS = 400_000, 4_000
# In each step, by way: units of work.
WORKS = {
    "allreduce": (LONG, 25000, 400, 200, 100, 50, 20),
    "halo": (1500, 600, 300),
    "hydro": (400, 100),
}
SAME_WORKS = (400, 100, 20)
# Points along a side of the plate, the largest eager messages, and steps.
PLATES = ((4096, "64 KiB", 100), (4096, "4 KiB", 100), (1024, "64 KiB", 1500))


@dataclass(frozen=True)
class Case:
    """A program, and how it runs natively and in virtual time.

    Attributes:
        name: How its ranks communicate.
        computing: For how long they compute in between.
        run: Options of `kumihimo run`, `--`, and the program's command line.
        start: The same for a run that only starts and ends; none if the native ones do, too.
        native: By the number of cores: command lines that run at once.
        compute: What computing costs; None: as chosen for all.
        platform: Lines to follow on those of the star.
    """

    name: str
    computing: str
    run: list[str]
    start: list[str]
    native: dict[int, list[list[str]]]
    compute: str | None = None
    platform: str = ""


WAYS = {
    "allreduce": "MPI_Allreduce",
    "shift": "to the next rank",
    "wtime": "the same, MPI_Wtime in each step",
    "anysource": "the same, from MPI_ANY_SOURCE",
    "poll": "the same, MPI_Test until it is there",
    "fence": "MPI_Put between two fences",
    "halo": "six neighbours",
    "hydro": "as LULESH: six neighbours thrice, the time step, MPI_Wtime",
}


def compile_program(source: str, folder: Path) -> str:
    """Compile a program so that it counts; return its path."""
    binary = folder / Path(source).stem
    command = [str(BIN / "kumihimo"), "cc", "-O2", str(ROOT / source), "-o", str(binary), "-lm"]
    subprocess.run(command, check=True)
    return str(binary)


def cases_of_ways(binary: str) -> Iterator[Case]:
    """The program that computes the same in each step, in each of its ways."""
    for way, name in WAYS.items():
        for work in WORKS.get(way, SAME_WORKS):
            steps = min(LONG // work, MOST_STEPS)
            alone = {
                cores: [[binary, "none", str(RANKS * steps // cores), str(work)]] * cores
                for cores in (1, 2)
            }
            took_us = UNIT_US * work
            computing = f"{took_us:g} µs" if took_us < 1000 else f"{took_us / 1000:g} ms"
            run, start = (
                ["-n", str(RANKS), "--", binary, way, str(count), str(of_each)]
                for count, of_each in ((steps, work), (1, 1))
            )
            yield Case(name, computing, run, start, alone)


def cases_of_plates(binary: str) -> Iterator[Case]:
    """The plate of the demonstration; natively two have half of its area each."""
    for side, eager, steps in PLATES:
        plates = {
            cores: [[binary, str(round(side / cores**0.5)), str(steps)]] * cores for cores in (1, 2)
        }
        run, start = (
            ["-n", str(RANKS), "--", binary, str(side_of), str(count)]
            for side_of, count in ((side, steps), (RANKS, 1))
        )
        name = f"heat, {side} x {side}, up to {eager} eager"
        yield Case(name, "", run, start, plates, platform=f'[mpi]\neager_limit = "{eager}"\n')


def case_of_lammps() -> Case:
    """LAMMPS, natively by its own `mpirun`."""
    ranks = ["-n", str(LAMMPS_RANKS)]
    mpirun = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
    native = {
        cores: [["taskset", "-c", ",".join(map(str, range(cores))), *mpirun, *ranks, *LAMMPS]]
        for cores in (1, 2)
    }
    run = [*ranks, "--mpi", "openmpi", "--", *LAMMPS]
    # Its native runs start and end, too.
    return Case(f"LAMMPS on {LAMMPS_RANKS} ranks", "", run, [], native, compute="measured")


def simulate(
    case: Case, run: list[str], folder: Path, compute: str, cores: int
) -> tuple[Cost, str]:
    """Run a case's program on `cores` cores; return its cost and event hash."""
    star = Star(64).write_toml(folder)
    star.write_text(star.read_text() + case.platform)
    command = [
        *(str(BIN / "kumihimo"), "run", "--compute", case.compute or compute),
        *("--detail", "none", "--cores", str(cores), "--platform", str(star), *run),
    ]
    cost = measure(command, folder / "log", LIMIT_S)
    if not cost.finished:
        raise RuntimeError(f"{' '.join(command)}: not finished after {LIMIT_S} s")
    found = re.search(r"event hash ([0-9a-f]+)", cost.output)
    return cost, "none" if found is None else found[1]


def native_seconds(case: Case, cores: int) -> float:
    """Run the computing natively on `cores` cores; return seconds."""
    began = time.monotonic()
    running = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for command in case.native[cores]
    ]
    statuses = [process.wait() for process in running]
    if any(statuses):
        raise RuntimeError(f"{case.native[cores]}: failed natively")
    return time.monotonic() - began


@dataclass(frozen=True)
class Taken:
    """What a case took on one number of cores.

    Attributes:
        cost: Of the run.
        event_hash: Of the run.
        start_s: Of a run that only starts and ends; 0 if that is not left out.
        native_s: Of native processes.
    """

    cost: Cost
    event_hash: str
    start_s: float
    native_s: float


def take(case: Case, folder: Path, compute: str, cores: int) -> Taken:
    """Run a case on `cores` cores, natively and not."""
    start_s = 0.0
    if case.start:
        start_s = simulate(case, case.start, folder, compute, cores)[0].wall_s
    cost, event_hash = simulate(case, case.run, folder, compute, cores)
    return Taken(cost, event_hash, start_s, native_seconds(case, cores))


def row(case: Case, folder: Path, compute: str, repeats: int) -> list[str]:
    """Run one case in turns; return its row."""
    # The first turn brings the program into memory, and does not count.
    turns = [
        {cores: take(case, folder, compute, cores) for cores in ((1, 2), (2, 1))[number % 2]}
        for number in range(repeats + 1)
    ]
    hashes = {taken.event_hash for turn in turns for taken in turn.values()}
    ones, twos = ([turn[cores] for turn in turns[1:]] for cores in (1, 2))
    wall, cpu = (
        ratios(*([getattr(taken.cost, kind) for taken in side] for side in (ones, twos)))
        for kind in ("wall_s", "cpu_s")
    )
    gains = [
        (one.cost.wall_s - one.start_s) / (two.cost.wall_s - two.start_s)
        for one, two in zip(ones, twos, strict=True)
    ]
    native = [one.native_s / two.native_s for one, two in zip(ones, twos, strict=True)]
    reached = [gain / of for gain, of in zip(gains, native, strict=True)]
    medians = [f"{statistics.median(values):.2f}" for values in (gains, native, reached)]
    same = "same" if len(hashes) == 1 else "differ"
    return [case.name, case.computing, *wall, *medians, cpu[1], same]


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="rows whose name or computing contains this")
    parser.add_argument(
        "--compute", choices=("counted", "measured"), default="counted", help="what computing costs"
    )
    parser.add_argument("--repeats", type=int, default=5, help="turns that count")
    options = parser.parse_args()
    adopt_orphans()
    folder = ROOT / "build" / "bench" / "cores"
    folder.mkdir(parents=True, exist_ok=True)
    cases = [
        *cases_of_ways(compile_program("bench/programs/beside.c", folder)),
        *cases_of_plates(compile_program("examples/demo/heat.c", folder)),
    ]
    if shutil.which(LAMMPS[0]) is not None:
        cases.append(case_of_lammps())
    chosen = [case for case in cases if options.only in f"{case.name}, {case.computing}"]
    if not chosen:
        parser.error(f"no row has {options.only!r} in its name")
    table = Table(title="On one core / on two", title_justify="left")
    columns = ("wall, s", "median", "pairs", "no start", "natively", "reached", "CPU", "event hash")
    for column in ("communication", "computing", *columns):
        table.add_column(column, justify="left" if column == "communication" else "right")
    for case in chosen:
        cells = row(case, folder, options.compute, options.repeats)
        print("  ".join(cells), file=sys.stderr)
        table.add_row(*cells)
    Console(width=180).print(table)


if __name__ == "__main__":
    main()
