"""Compares runs on one core with runs on two, of programs that compute and communicate.

Runs on one core and on two alternate. Printed are the median seconds of both, the
ratio one / two (above 1: two cores are faster) of the median pair and of all pairs, and whether
both gave the same event hash. The first row is what this computer itself gains: the same computing
as one process, and as two that do half each. Run it on a quiet computer, the ranks share its cores.

The ranks' computing is counted, or measured with `--compute measured`. The last rows are Debian's
LAMMPS, whose computing is measured: natively on one core and on two, and in runs. Event hashes
differ from run to run where times are measured.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
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
LIMIT_S = 100
# Of the program, in each step: units of work.
STEPS_OF_WORK = ((1200, 400), (3000, 100), (6000, 20))
WORKS = {400: "80 µs", 100: "20 µs", 20: "4 µs"}


@dataclass(frozen=True)
class Way:
    """How the ranks communicate: the program's word for it, and what it is."""

    word: str
    name: str


WAYS = (
    Way("allreduce", "MPI_Allreduce"),
    Way("shift", "to the next rank"),
    Way("wtime", "the same, MPI_Wtime in each step"),
    Way("anysource", "the same, from MPI_ANY_SOURCE"),
    Way("poll", "the same, MPI_Test until it is there"),
    Way("fence", "MPI_Put between two fences"),
    Way("hydro", "as LULESH: faces, thrice, the time step, MPI_Wtime"),
)


def compile_program(folder: Path) -> Path:
    """Compile the program so that it counts; return its path."""
    binary = folder / "beside"
    source = str(ROOT / "bench" / "programs" / "beside.c")
    command = [str(BIN / "kumihimo"), "cc", "-O2", source, "-o", str(binary), "-lm"]
    subprocess.run(command, check=True)
    return binary


def simulate(program: list[str], folder: Path, compute: str, cores: int) -> tuple[Cost, str]:
    """Run the program on `cores` cores; return its cost and event hash."""
    command = [
        *(str(BIN / "kumihimo"), "run", "-n", str(RANKS), "--compute", compute),
        *("--detail", "none", "--cores", str(cores)),
        *("--platform", str(Star(64).write_toml(folder)), "--", *program),
    ]
    cost = measure(command, folder / "log", LIMIT_S)
    found = re.search(r"event hash ([0-9a-f]+)", cost.output)
    return cost, "none" if found is None else found[1]


def native_seconds(binary: Path, steps: int, work: int, processes: int) -> float:
    """Run the computing alone, shared by `processes` processes at a time; return seconds."""
    command = [str(binary), "none", str(RANKS * steps // processes), str(work)]
    began = time.monotonic()
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(processes)]
    if any(process.wait() != 0 for process in running):
        raise RuntimeError(f"{command}: failed natively")
    return time.monotonic() - began


def native_row(binary: Path, steps: int, work: int, repeats: int) -> list[str]:
    """The computer's own gain, as a row of the table."""
    one: list[float] = []
    two: list[float] = []
    for _ in range(repeats):
        one.append(native_seconds(binary, steps, work, 1))
        two.append(native_seconds(binary, steps, work, 2))
    return ["computing alone, natively", "", *ratios(one, two), "", "", "", ""]


def row(program: list[str], folder: Path, compute: str, repeats: int) -> list[str]:
    """Run one case on one core and on two, alternating; return the end of its row of the table."""
    costs: dict[int, list[Cost]] = {1: [], 2: []}
    hashes: set[str] = set()
    # The first run of either brings the program into memory, and does not count.
    for turn in range(repeats + 1):
        for cores in (1, 2):
            cost, event_hash = simulate(program, folder, compute, cores)
            hashes.add(event_hash)
            if turn > 0:
                costs[cores].append(cost)
    times = [
        cell
        for kind in ("wall_s", "cpu_s")
        for cell in ratios(*([getattr(cost, kind) for cost in costs[n]] for n in (1, 2)))
    ]
    return [*times, "same" if len(hashes) == 1 else "differ"]


def lammps_commands(folder: Path, cores: int) -> tuple[list[str], list[str]]:
    """The command lines that run LAMMPS on `cores` cores, natively and in Kumihimo."""
    ranks = ("-n", str(LAMMPS_RANKS))
    native = ["taskset", "-c", ",".join(map(str, range(cores))), "mpirun.openmpi"]
    native += ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", *ranks, *LAMMPS]
    simulated = [str(BIN / "kumihimo"), "run", *ranks, "--mpi", "openmpi", "--detail", "none"]
    simulated += ["--compute", "measured", "--cores", str(cores)]
    return native, [*simulated, "--platform", str(Star(64).write_toml(folder)), "--", *LAMMPS]


def lammps_rows(folder: Path, repeats: int) -> list[list[str]]:
    """Run LAMMPS natively and in Kumihimo, alternating; return a row for each."""
    costs: dict[tuple[int, int], list[Cost]] = {}
    for turn in range(repeats + 1):
        for cores in (1, 2):
            for way, command in enumerate(lammps_commands(folder, cores)):
                cost = measure(command, folder / "log", LIMIT_S)
                if turn > 0:
                    costs.setdefault((way, cores), []).append(cost)
    return [
        [
            *(name, "measured"),
            *ratios(*([cost.wall_s for cost in costs[way, cores]] for cores in (1, 2))),
            *ratios(*([cost.cpu_s for cost in costs[way, cores]] for cores in (1, 2))),
            "",
        ]
        for way, name in enumerate((f"LAMMPS on {LAMMPS_RANKS} ranks, natively", "the same"))
    ]


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="ways whose program word contains this text")
    parser.add_argument(
        "--compute", choices=("counted", "measured"), default="counted", help="what computing costs"
    )
    parser.add_argument("--repeats", type=int, default=5, help="pairs of runs that count")
    options = parser.parse_args()
    adopt_orphans()
    folder = ROOT / "build" / "bench" / "cores"
    folder.mkdir(parents=True, exist_ok=True)
    binary = compile_program(folder)
    table = Table(title=f"{RANKS} ranks on one core / on two", title_justify="left")
    times = [f"{kind}{of}" for kind in ("wall", "CPU") for of in (", s", ", median", ", pairs")]
    for column in ("communication", "computing", *times, "event hash"):
        table.add_column(column, justify="left" if column == "communication" else "right")
    table.add_row(*native_row(binary, *STEPS_OF_WORK[0], options.repeats))
    for steps, work in STEPS_OF_WORK:
        for way in WAYS:
            if options.only in way.word:
                program = [str(binary), way.word, str(steps), str(work)]
                cells = row(program, folder, options.compute, options.repeats)
                print(f"{way.word}, {WORKS[work]}: {cells[0]} s, {cells[1]}", file=sys.stderr)
                table.add_row(way.name, WORKS[work], *cells)
    if options.only in "lammps" and shutil.which(LAMMPS[0]) is not None:
        for cells in lammps_rows(folder, options.repeats):
            table.add_row(*cells)
    Console(width=180).print(table)


if __name__ == "__main__":
    main()
