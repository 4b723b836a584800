"""Counts a rank's instructions for a message: no other program of a computer changes them.

Two ranks send one another messages (bench/programs/ping_pong.c). One of them executes one
instruction after the other, of which each is noted (bench/programs/single_step.c): for each round,
in which it sends and receives once, the table has the instructions of each library, and the lines
of 64 bytes of code in which they lie. What the kernel does is not counted. After each switch to
another process most of these lines come from the second cache, so fewer of them count, too.

With --functions it prints the functions of Kumihimo's libraries with most instructions; with
--before another checkout that is set up (`make setup`) is measured, too.
"""

from __future__ import annotations

import argparse
import array
import bisect
import os
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from compare_versions import Version
from star import Star

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "bench" / "programs"
LINE_BYTES = 64
# More than it can send in time, so that it does not end before.
ROUNDS = 100_000_000
# By then a rank has begun to send: CPU seconds.
START_S = 1.0
LIMIT_S = 60.0
SHIM = "libkumi-mpi.so"
OURS = ("libkumi-fi.so", SHIM)


@dataclass(frozen=True)
class Mapped:
    """Code of a file in a process's memory.

    Attributes:
        begin, end: Addresses.
        path: Of the file.
        shift: To be added to an address of memory for one of the file's symbols.
    """

    begin: int
    end: int
    path: str
    shift: int


@dataclass
class Counted:
    """What one rank executes in each round.

    Attributes:
        instructions: By library.
        lines: Lines of code by library.
        functions: Instructions by function of Kumihimo's libraries.
    """

    instructions: dict[str, float] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    functions: dict[str, float] = field(default_factory=dict)


def first_code(path: str) -> tuple[int, int]:
    """Return where executable code of a file begins: in the file, and as an address of it."""
    headers = subprocess.run(["readelf", "-lW", path], check=True, capture_output=True, text=True)
    for line in headers.stdout.splitlines():
        words = line.split()
        if words[:1] == ["LOAD"] and "E" in words[6:8]:
            return int(words[1], 16), int(words[2], 16)
    raise RuntimeError(f"{path}: no code")


def code_of(process: int) -> list[Mapped]:
    """Return the code of all files in a process's memory.

    Kumihimo copies some code to large pages, which lie in front of the file's next part.
    """
    found = []
    after = ("", 0)
    for line in reversed(Path(f"/proc/{process}/maps").read_text().splitlines()):
        words = line.split()
        begin, end = (int(word, 16) for word in words[0].split("-"))
        if len(words) > 5:
            path, offset = words[5], int(words[2], 16)
        else:
            path, offset = after[0], after[1] - (end - begin)
        after = (path, offset)
        if "x" in words[1] and path.startswith("/"):
            in_file, address = first_code(path)
            found.append(Mapped(begin, end, path, offset - begin - in_file + address))
    return found


def functions_of(path: str) -> list[tuple[int, str]]:
    """Return the functions of a library in the order of their addresses."""
    listed = subprocess.run(["nm", "-C", path], check=True, capture_output=True, text=True).stdout
    words = (line.split(" ", 2) for line in listed.splitlines())
    return sorted((int(at, 16), name) for at, kind, name in words if at and kind in "tTwW")


def cpu_seconds(process: int) -> float:
    """Return the user and system time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rank_that_sends(binary: Path) -> int:
    """Wait until a process of the program has begun to send; return its number."""
    end_s = time.monotonic() + LIMIT_S
    while time.monotonic() < end_s:
        for folder in Path("/proc").iterdir():
            if not folder.name.isdecimal():
                continue
            try:
                is_rank = (folder / "exe").readlink() == binary
                if is_rank and cpu_seconds(int(folder.name)) > START_S:
                    return int(folder.name)
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
        time.sleep(0.05)
    raise RuntimeError(f"{binary} has not begun to send after {LIMIT_S:.0f} s")


def count(addresses: Sequence[int], code: Sequence[Mapped]) -> Counted:
    """Return what was executed in each whole round, from one MPI_Send to the next."""
    (shim,) = (mapped for mapped in code if Path(mapped.path).name == SHIM)
    (send,) = (at - shim.shift for at, name in functions_of(shim.path) if name == "MPI_Send")
    begins = [place for place, address in enumerate(addresses) if address == send]
    rounds = len(begins) - 1
    if rounds < 1:
        raise RuntimeError("no round was complete: give more instructions")
    executed = Counter(addresses[begins[0] : begins[-1]])
    by_file: dict[Mapped, dict[int, int]] = defaultdict(dict)
    for address, number in executed.items():
        for mapped in code:
            if mapped.begin <= address < mapped.end:
                by_file[mapped][address] = number
    counted = Counted()
    for mapped, times in by_file.items():
        name = Path(mapped.path).name
        counted.instructions[name] = sum(times.values()) / rounds
        often = {at // LINE_BYTES for at, number in times.items() if number > rounds / 2}
        counted.lines[name] = len(often)
        if name in OURS:
            add_functions(counted.functions, mapped, times, rounds)
    return counted


def add_functions(
    sums: dict[str, float], mapped: Mapped, times: Mapping[int, int], rounds: int
) -> None:
    """Add the instructions of each function of a library."""
    functions = functions_of(mapped.path)
    begins = [at for at, _ in functions]
    for address, number in times.items():
        place = bisect.bisect(begins, address + mapped.shift) - 1
        name = functions[place][1] if place >= 0 else "?"
        sums[name] = sums.get(name, 0.0) + number / rounds


def measure(version: Version, stepper: Path, instructions: int) -> Counted:
    """Run the program and let one of its ranks execute that many instructions one by one."""
    version.folder.mkdir(parents=True, exist_ok=True)
    binary = version.folder / "ping_pong"
    source = PROGRAMS / "ping_pong.c"
    compile_it = [version.tool("mpicc"), "-O2", str(source), "-o", str(binary), "-lm"]
    subprocess.run(compile_it, check=True)
    command = [
        *(version.tool("kumihimo"), "run", "-n", "2", "--compute", "none", "--quiet"),
        *(*version.no_tables, *version.on_cores),
        *("--platform", str(Star(64).write_toml(version.folder)), "--", str(binary)),
        *(str(ROUNDS), "8"),
    ]
    noted = version.folder / "addresses"
    with (version.folder / "log").open("wb") as log:
        run = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        rank = rank_that_sends(binary.resolve())
        code = code_of(rank)
        subprocess.run([str(stepper), str(rank), str(instructions), str(noted)], check=True)
    finally:
        run.send_signal(signal.SIGTERM)
        run.wait()
    addresses = array.array("Q")
    addresses.frombytes(noted.read_bytes())
    noted.unlink()
    return count(addresses, code)


def print_libraries(versions: Mapping[str, Counted]) -> None:
    """Print the instructions and lines of code of each library."""
    table = Table(title="One round of a rank: it sends and receives once", title_justify="left")
    table.add_column("library")
    for name in versions:
        table.add_column(f"instructions, {name}", justify="right")
        table.add_column("lines of code", justify="right")
    names = sorted(
        {name for counted in versions.values() for name in counted.instructions},
        key=lambda name: -max(each.instructions.get(name, 0.0) for each in versions.values()),
    )
    for name in names:
        cells = []
        for counted in versions.values():
            cells.append(f"{counted.instructions.get(name, 0.0):,.0f}")
            cells.append(f"{counted.lines.get(name, 0):,}")
        table.add_row(name, *cells)
    sums = []
    for counted in versions.values():
        sums.append(f"{sum(counted.instructions.values()):,.0f}")
        sums.append(f"{sum(counted.lines.values()):,}")
    table.add_row("all", *sums)
    Console(width=120).print(table)


def print_functions(counted: Counted, most: int) -> None:
    """Print the functions with most instructions."""
    for name, number in sorted(counted.functions.items(), key=lambda entry: -entry[1])[:most]:
        print(f"{number:8.1f}  {name}")


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--before", type=Path, help="root of another checkout")
    parser.add_argument(
        "--instructions", type=int, default=1_000_000, help="how many are executed one by one"
    )
    parser.add_argument("--functions", type=int, default=0, help="how many functions are printed")
    options = parser.parse_args()
    if options.instructions < 1:
        parser.error("--instructions: expected 1 or more")
    folder = ROOT / "build" / "bench" / "instructions"
    folder.mkdir(parents=True, exist_ok=True)
    stepper = folder / "single_step"
    compile_it = ["cc", "-O2", str(PROGRAMS / "single_step.c"), "-o", str(stepper)]
    subprocess.run(compile_it, check=True)
    roots = {"before": options.before} if options.before is not None else {}
    roots["now"] = ROOT
    versions = {
        name: measure(Version(root.resolve(), folder / name), stepper, options.instructions)
        for name, root in roots.items()
    }
    print_libraries(versions)
    print_functions(versions["now"], options.functions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
