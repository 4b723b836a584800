"""Compares two checkouts of Kumihimo: interleaved A/B runs of the same programs and replays.

Both checkouts must be set up (`make setup`). Each case is run first by one, then by the other, as
often as said, so that another load on this computer meets both. Libraries are written anew before
each run: in which pages of memory they lie changes times by some 5 %, for as long as they are
there. Printed for each case: the median CPU seconds (user and system, of all processes) and wall
seconds of either, the ratio before / after (above 1: the version after is faster) of the median
pair and of all, and whether both gave the same event hash. A version that knows only one core runs
programs on that one.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from rich.console import Console
from rich.table import Table

from cases import CASES, Case
from measure import Cost, adopt_orphans, measure
from star import Star

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Version:
    """A checkout and the folder in which its runs leave their files."""

    root: Path
    folder: Path
    cores: int = 1  # on which it runs programs

    def tool(self, name: str) -> str:
        """The path of a command in the checkout's virtual environment."""
        return str(self.root / ".venv" / "bin" / name)

    @cached_property
    def help_of_run(self) -> str:
        """The options of `kumihimo run`, which were others in older versions."""
        command = [self.tool("kumihimo"), "run", "--help"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    @property
    def no_tables(self) -> tuple[str, str]:
        """The words that leave out tables."""
        return ("--detail" if "--detail" in self.help_of_run else "--record", "none")

    @property
    def on_cores(self) -> tuple[str, ...]:
        """The words that choose the number of cores."""
        return ("--cores", str(self.cores)) if "--cores" in self.help_of_run else ()

    def move_libraries(self) -> None:
        """Have the system keep the libraries in other pages of memory."""
        for library in self.root.glob(".venv/lib/python*/site-packages/kumihimo/**/*.so"):
            moved = library.with_suffix(".moved")
            shutil.copy2(library, moved)
            moved.replace(library)

    def run(self, arguments: list[str], limit_s: float) -> tuple[Cost, str]:
        """Run `kumihimo` with these arguments; return its cost and the event hash."""
        self.move_libraries()
        command = [self.tool("kumihimo"), *arguments]
        cost = measure(command, self.folder / "log", limit_s)
        found = re.search(r"event hash ([0-9a-f]+)", cost.output)
        return cost, "" if found is None else found[1]


@dataclass(frozen=True)
class Comparison:
    """One case: its name, and the command line of `kumihimo` for a version."""

    name: str
    arguments: Callable[[Version], list[str]]
    uses_cores: bool = True


def program(case: Case) -> Comparison:
    """A program of the comparison with SMPI."""

    def arguments(version: Version) -> list[str]:
        binary = version.folder / case.program
        if not binary.exists():
            folders = (ROOT / "bench" / "programs", ROOT / "examples" / "apps")
            (source,) = (path for at in folders if (path := at / f"{case.program}.c").exists())
            command = [version.tool("mpicc"), "-O2", str(source), "-o", str(binary), "-lm"]
            subprocess.run(command, check=True)
        platform = Star(max(case.ranks, 64)).write_toml(version.folder)
        return [
            *("run", "-n", str(case.ranks), "--compute", "none"),
            *(*version.no_tables, *version.on_cores),
            *("--platform", str(platform), "--", str(binary), *case.arguments),
        ]

    return Comparison(case.name, arguments)


def replay(pattern: str, ranks: int, on_torus: bool) -> Comparison:
    """A pattern that is replayed over a star, or over a torus of 4,096."""

    def arguments(version: Version) -> list[str]:
        torus = version.root / "platforms" / "torus16x16x16.toml"
        platform = torus if on_torus else Star(ranks).write_toml(version.folder)
        return [
            *("replay", "--pattern", pattern, "--ranks", str(ranks), "--bytes", "8 KiB"),
            *("--platform", str(platform), *version.no_tables),
        ]

    return Comparison(f"replay of {pattern}, {ranks} ranks", arguments, uses_cores=False)


COMPARISONS = (
    Comparison("start of 64 ranks", program(Case("", "start_up", (), 64, 0, 1)).arguments),
    Comparison("start of 256 ranks", program(Case("", "start_up", (), 256, 0, 1)).arguments),
    *(program(case) for case in CASES),
    replay("alltoall/pairwise", 1024, on_torus=False),
    replay("alltoall/linear", 1024, on_torus=False),
    replay("alltoall/pairwise", 1024, on_torus=True),
    replay("halo/3d", 4096, on_torus=True),
)


def compare(
    comparison: Comparison, before: Version, after: Version, repeats: int, limit_s: float
) -> list[str]:
    """Run one case in turns; return the cells of its row."""
    costs: dict[Version, list[Cost]] = {before: [], after: []}
    hashes: dict[Version, str] = {}
    # The first run of either brings programs and libraries into memory, and does not count.
    for turn in range(repeats + 1):
        for version in (before, after):
            cost, hashes[version] = version.run(comparison.arguments(version), limit_s)
            if not cost.finished:
                return [f"unfinished after {cost.wall_s:.0f} s", *[""] * 6]
            if turn > 0:
                costs[version].append(cost)
    same = "same" if hashes[before] == hashes[after] else "differ"
    times = [
        cell
        for kind in ("cpu_s", "wall_s")
        for cell in ratios(
            *([getattr(cost, kind) for cost in costs[version]] for version in (before, after))
        )
    ]
    return [*times, same]


def ratios(before_s: list[float], after_s: list[float]) -> list[str]:
    """Return the cells of one kind of time: medians, the median ratio of pairs, and all ratios."""
    pairs = sorted(old / new for old, new in zip(before_s, after_s, strict=True))
    return [
        f"{statistics.median(before_s):.2f} / {statistics.median(after_s):.2f}",
        f"{statistics.median(pairs):.3f}",
        f"{pairs[0]:.3f} to {pairs[-1]:.3f}",
    ]


def prepare(root: Path, name: str) -> Version:
    """A checkout, and a new folder for its runs."""
    folder = ROOT / "build" / "bench" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    version = Version(root.resolve(), folder)
    if not Path(version.tool("kumihimo")).exists():
        raise SystemExit(f"{root} is not set up: run `make setup` in it")
    return version


def main() -> None:
    """Read the command line, run the cases and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path, help="a checkout that is set up")
    parser.add_argument("after", type=Path, nargs="?", default=ROOT, help="another (this one)")
    parser.add_argument("--only", default="", help="cases whose name contains this text")
    parser.add_argument("--repeats", type=int, default=5, help="pairs of runs that count")
    parser.add_argument(
        "--cores", type=int, nargs="+", default=[1], help="a row for each such number of cores (1)"
    )
    parser.add_argument("--limit", type=float, default=150, help="seconds of wall time for a run")
    options = parser.parse_args()
    chosen = [one for one in COMPARISONS if options.only in one.name]
    if not chosen:
        parser.error(f"no case has {options.only!r} in its name")
    adopt_orphans()
    before, after = prepare(options.before, "before"), prepare(options.after, "after")
    table = Table(title="Seconds before / after, and ratios of pairs", title_justify="left")
    times = [f"{kind}{of}" for kind in ("CPU", "wall") for of in (", s", ", median", ", pairs")]
    for column in ("case", "cores", *times, "event hash"):
        table.add_column(column, justify="left" if column == "case" else "right")
    for comparison in chosen:
        for cores in options.cores if comparison.uses_cores else [1]:
            old, new = (replace(version, cores=cores) for version in (before, after))
            cells = compare(comparison, old, new, options.repeats, options.limit)
            table.add_row(comparison.name, str(cores), *cells)
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
