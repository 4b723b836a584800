"""Compares real nanoseconds of a receive: our queues, a linked list, UCX's and MPI libraries.

Ours, the list and the queues of UCX are measured by bench/matching_bench.cpp: one match and one
insertion, nothing else. UCX's are in headers that are not installed. These commands bring them in:

    apt-get source ucx && apt-get install libucx-dev autoconf automake libtool
    cd ucx-* && ./autogen.sh && ./contrib/configure-release --without-go --without-java
    cmake --preset release -DKUMI_UCX_SOURCE=$PWD

Without them UCX is measured as MPI libraries are: natively, on two processes with shared memory
(bench/programs/matching.c). A receive of theirs does more than matching, so what counts is the
additional time over an empty queue. Their columns are the time at a depth, minus the smallest of
the same kind at any depth, plus that of the list at depth 0 in place of what cannot be measured.
The time at a depth is the mean of the quicker half of all, without the quickest: that leaves out
when other programs had the processor, and tells times apart that differ by less than the clock's
step, which may be 10 ns.

All is measured in several rounds, of which each column has its quickest for each cell: what else a
computer does can make everything take twice as long for minutes.

The ratio is ours to the fastest other column. Random entries of MPI_ANY_TAG cannot be measured with
two processes, whose messages come in one order.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from compare_smpi import BIN, ROOT

# Side, names, position, state.
Kind = tuple[str, str, str, str]
Times = dict[tuple[Kind, int], float]

WARM_AIM_NS = 60.0
BEHIND_AIM_NS = 10.0


@dataclass(frozen=True)
class Peer:
    """An MPI library.

    Attributes:
        name: Heading of its column.
        compiler: What compiles a program for it.
        launch: What starts two processes natively.
        environment: Variables of the environment for it.
    """

    name: str
    compiler: str
    launch: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Effort:
    """How much is measured.

    Attributes:
        deepest: The most entries that wait, for MPI libraries.
        seconds: Time for each cell of an MPI library.
        flush_bytes: Size of the buffer that is walked for cold caches.
        is_small: Whether the program in C++ measures little too.
        limit_s: Time after which an MPI library is given up.
    """

    deepest: int
    seconds: float
    flush_bytes: int
    is_small: bool
    limit_s: float


SMALL = Effort(deepest=16, seconds=0.0, flush_bytes=1 << 16, is_small=True, limit_s=60)
FULL = Effort(deepest=65_536, seconds=0.05, flush_bytes=64 << 20, is_small=False, limit_s=900)


def peers(open_mpi: Path | None) -> tuple[Peer, ...]:
    """The MPI libraries; Open MPI is Debian's, or has its programs in the folder `open_mpi`."""
    of_open_mpi = ("mpicc.openmpi", "mpirun.openmpi")
    if open_mpi is not None:
        of_open_mpi = (str(open_mpi / "mpicc"), str(open_mpi / "mpirun"))
    compiler, run = of_open_mpi
    start = (run, "--allow-run-as-root", "--bind-to", "none", "-n", "2", "--mca", "pml")
    # Shared memory is called vader in Open MPI 4, and sm in 5, which knows both names.
    ob1 = (*start, "ob1", "--mca", "btl", "self,vader")
    ucx = (*start, "ucx", "--mca", "pml_ucx_tls", "any", "--mca", "pml_ucx_devices", "any")
    return (
        Peer("MPICH", str(BIN / "mpicc"), (str(BIN / "mpiexec"), "-n", "2"), {}),
        Peer("ob1", compiler, ob1, {}),
        Peer("UCX", compiler, ucx, {"UCX_TLS": "self,sm"}),
    )


def parsed(output: str, column: int) -> Times:
    """Read the lines of a program: a kind, a depth, and times from column 5 on."""
    times: Times = {}
    for line in output.splitlines():
        words = line.split()
        if len(words) > column and words[0] in ("posted", "unexpected"):
            times[(words[0], words[1], words[2], words[3]), int(words[4])] = float(words[column])
    return times


def measure_peer(peer: Peer, effort: Effort, folder: Path) -> tuple[Times, str]:
    """Return what an MPI library takes, and why some or all of it is missing."""
    if shutil.which(peer.compiler) is None:
        return {}, f"there is no {peer.compiler}"
    binary = folder / f"matching_{peer.name.lower()}"
    source = ROOT / "bench" / "programs" / "matching.c"
    subprocess.run([peer.compiler, "-O2", str(source), "-o", str(binary)], check=True)
    arguments = (str(effort.deepest), str(effort.seconds), str(effort.flush_bytes))
    log = folder / f"{binary.name}.log"
    with log.open("w", encoding="utf-8") as out:
        try:
            status = subprocess.run(
                [*peer.launch, str(binary), *arguments],
                stdout=out,
                stderr=subprocess.STDOUT,
                timeout=effort.limit_s,
                env={**os.environ, **peer.environment},
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            status = None
    printed = log.read_text(encoding="utf-8", errors="replace")
    if status is None:
        return parsed(printed, 5), f"deeper queues take more than {effort.limit_s:.0f} s"
    if status != 0:
        said = [line for line in printed.splitlines() if "selected" in line or "rror" in line]
        return {}, said[0] if said else f"it ended with status {status}"
    return parsed(printed, 5), ""


def additional(times: Times, lists: Times) -> Times:
    """The times of an MPI library over its smallest of that kind, plus the list's at depth 0."""
    base: dict[Kind, float] = {}
    for (kind, _), ns in times.items():
        base[kind] = min(ns, base.get(kind, ns))
    return {(kind, depth): ns - base[kind] + lists[kind, 0] for (kind, depth), ns in times.items()}


def quickest(rounds: Sequence[Times]) -> Times:
    """The least of each cell, of which a round may lack some."""
    least: dict[tuple[Kind, int], float] = {}
    for times in rounds:
        for key, ns in times.items():
            least[key] = min(ns, least.get(key, ns))
    return least


def measure_alone(program: Sequence[str]) -> dict[str, Times]:
    """What the queues and the list of a program take that does nothing else, by column."""
    printed = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    columns = {"ours": 5, "list": 6, "UCX's queue": 7}
    return {name: parsed(printed, column) for name, column in columns.items()}


def measure_all(
    program: Sequence[str], libraries: Sequence[Peer], effort: Effort, rounds: int, folder: Path
) -> tuple[dict[str, Times], dict[str, str]]:
    """Return the quickest times by column, and of each MPI library why some or all are missing."""
    found: dict[str, list[Times]] = {}
    missing: dict[str, str] = {}
    for _ in range(rounds):
        for name, times in measure_alone(program).items():
            found.setdefault(name, []).append(times)
        for library in libraries:
            # The one in the program is measured better.
            if library.name == "UCX" and found["UCX's queue"][0]:
                continue
            # What was given up once would take as long again.
            if missing.get(library.name):
                continue
            times, missing[library.name] = measure_peer(library, effort, folder)
            found.setdefault(library.name, []).append(times)
    return {name: quickest(each) for name, each in found.items()}, missing


def cell(times: Times, kind: Kind, depth: int) -> str:
    """A time as the table shows it."""
    ns = times.get((kind, depth))
    return "-" if ns is None else f"{ns:,.0f}"


def summary(ours: Times, others: Mapping[str, Times]) -> list[str]:
    """How many cells miss what is aimed at, and by how much they are behind each column."""
    warm = [key for key in ours if key[0][3] != "cold"]
    slow = sum(ours[key] > WARM_AIM_NS for key in warm)
    lines = [f"{slow} of {len(warm)} warm cells take more than {WARM_AIM_NS:.0f} ns"]
    for name, times in others.items():
        for state, keys in (("warm", warm), ("cold", sorted(set(ours).difference(warm)))):
            gaps = [ours[key] - times[key] for key in keys if key in times]
            behind = sum(gap > BEHIND_AIM_NS for gap in gaps)
            lines.append(
                f"{name}: {behind} of {len(gaps)} {state} cells are more than "
                f"{BEHIND_AIM_NS:.0f} ns behind it, at most {max(gaps, default=0.0):.1f} ns"
            )
    return lines


def main() -> int:
    """Measure everything and print one table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--small", action="store_true", help="few entries and measurements")
    parser.add_argument(
        "--open-mpi", type=Path, help="folder with mpicc and mpirun of an Open MPI, not Debian's"
    )
    parser.add_argument(
        "--program",
        type=Path,
        default=ROOT / "build" / "release" / "bench" / "matching_bench",
        help="what measures our queues and the list",
    )
    parser.add_argument("--deepest", type=int, help="most entries in a queue of an MPI library")
    parser.add_argument("--limit", type=float, help="most seconds for an MPI library")
    parser.add_argument(
        "--rounds", type=int, default=3, help="how often all is measured; the quickest counts"
    )
    parser.add_argument("--only", default="", help="rows that contain this text")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: expected 1 or more")
    effort = SMALL if options.small else FULL
    if options.deepest is not None:
        effort = replace(effort, deepest=options.deepest)
    if options.limit is not None:
        effort = replace(effort, limit_s=options.limit)
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    program = [str(options.program)]
    if effort.is_small:
        program.append("--small")
    rounds = 1 if effort.is_small else options.rounds
    columns, missing = measure_all(program, peers(options.open_mpi), effort, rounds, folder)
    ours, lists = columns["ours"], columns["list"]
    table = Table(title="nanoseconds of a receive", title_justify="left")
    alone = {name: columns[name] for name in columns if name not in missing}
    for heading in ("kind", "depth", *(name for name, times in alone.items() if times)):
        table.add_column(heading, justify="left" if heading == "kind" else "right")
    others = {name: times for name, times in alone.items() if times and name != "ours"}
    notes = []
    for name, reason in missing.items():
        times = columns[name]
        others[name] = additional(times, lists)
        table.add_column(name if times else f"{name}: not available", justify="right")
        bases = sorted(ns for (_, depth), ns in times.items() if depth == 0)
        if bases:
            notes.append(f"{name}: {bases[0]:.0f} to {bases[-1]:.0f} ns at depth 0")
        if reason:
            notes.append(f"{name}: {reason}")
    table.add_column("ratio", justify="right")
    for kind, depth in sorted(ours, key=lambda key: (key[0], key[1])):
        name = ", ".join(kind)
        if options.only not in name:
            continue
        fastest = min(times[kind, depth] for times in others.values() if (kind, depth) in times)
        ratio = f"{ours[kind, depth] / fastest:.2f}" if fastest > 0 else "-"
        cells = [cell(times, kind, depth) for times in (ours, *others.values())]
        table.add_row(name, f"{depth:,}", *cells, ratio)
    Console(width=120).print(table)
    for note in (*summary(ours, others), *notes):
        print(note)
    # MPICH is installed with Kumihimo.
    return 0 if others["MPICH"] else 1


if __name__ == "__main__":
    sys.exit(main())
