"""Measures what a receive costs when many others, or many messages, wait at the same rank.

Each kind of receive is run with queues of every depth in turns, and with one exchange only at each
depth. Printed is the CPU time of both ranks for one message and its receive, in nanoseconds: the
difference between the two runs, divided by the number of receives. So neither start-up counts, nor
that the first exchange touches memory for the first time. The ratio is that of the deepest queue to
the shallowest.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from compare_smpi import BIN, ROOT, Bench
from measure import adopt_orphans, measure
from star import Star

DEPTHS = (16, 256, 4096, 65_536)
RECEIVES = 1 << 19
REPEATS = 3


@dataclass(frozen=True)
class Kind:
    """One kind of receive.

    Attributes:
        name: How it is called in the table.
        arguments: Of bench/programs/queue_depth.c, behind rounds and depth.
        counts: Whether the time of matching depends on the number of entries searched.
    """

    name: str
    arguments: tuple[str, ...]
    counts: bool = False


def _kinds() -> tuple[Kind, ...]:
    names = ("exact", "any_source", "any_tag")
    unexpected = [Kind(f"unexpected, {name}", ("unexpected", name)) for name in names]
    posted = [
        Kind(f"posted, {name}, {order}", ("posted", name, order))
        for name in names
        for order in ("waitall", "forward", "backward")
    ]
    persistent = [
        Kind(f"persistent, {name}, waitall", ("persistent", name, "waitall")) for name in names
    ]
    cancelled = [
        Kind(f"cancelled, exact, {order}", ("cancelled", "exact", order))
        for order in ("forward", "backward")
    ]
    counted = [
        Kind("unexpected, exact, counted", ("unexpected", "exact"), counts=True),
        Kind("posted, exact, waitall, counted", ("posted", "exact", "waitall"), counts=True),
    ]
    return (*unexpected, *posted, *persistent, *cancelled, *counted)


KINDS = _kinds()


class DepthBench:
    """Runs one kind of receive after the other."""

    def __init__(self, receives: int, options: Sequence[str]) -> None:
        """Take that number of receives in each run; `options` are of `kumihimo run`."""
        self.receives = receives
        self.options = options
        self.bench = Bench(ROOT / "build" / "bench", limit_s=300)
        self.binary = self.bench.compile(str(BIN / "mpicc"), "kumihimo", "queue_depth")
        self.platform = Star(2).write_toml(self.bench.folder)
        self.counting = self.bench.folder / "star2_counting.toml"
        self.counting.write_text(
            self.platform.read_text() + '[mpi]\nmatch_cost = "1 ns"\n', encoding="utf-8"
        )

    def cpu_s(self, kind: Kind, depth: int, rounds: int) -> float:
        """Run once; return the CPU seconds of all processes."""
        platform: Path = self.counting if kind.counts else self.platform
        command = [
            *(str(BIN / "kumihimo"), "run", "-n", "2", "--compute", "none", *self.options),
            *("--platform", str(platform), "--detail", "none", "--", str(self.binary)),
            *(str(rounds), str(depth), *kind.arguments),
        ]
        cost = measure(command, self.bench.folder / "queue_depth.log", self.bench.limit_s)
        if not cost.finished:
            raise RuntimeError(f"{kind.name} at depth {depth} took more than {cost.wall_s:.0f} s")
        return cost.cpu_s

    def receive_ns(self, kind: Kind, depths: Sequence[int], repeats: int) -> dict[int, float]:
        """Return the CPU nanoseconds of a receive for each depth: medians."""
        once: dict[int, list[float]] = {depth: [] for depth in depths}
        often: dict[int, list[float]] = {depth: [] for depth in depths}
        for _ in range(repeats):
            for depth in depths:
                once[depth].append(self.cpu_s(kind, depth, 1))
                often[depth].append(self.cpu_s(kind, depth, 1 + self.receives // depth))
        return {
            depth: (statistics.median(often[depth]) - statistics.median(once[depth]))
            / (self.receives // depth * depth)
            * 1e9
            for depth in depths
        }


def main() -> None:
    """Measure every kind and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="kinds whose name contains this text")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="pairs of runs at each depth")
    parser.add_argument("--receives", type=int, default=RECEIVES, help="receives of a run")
    parser.add_argument(
        "--depths", type=int, nargs="+", default=DEPTHS, help="numbers of entries in the queue"
    )
    parser.add_argument("--run-option", action="append", default=[], help="of kumihimo run")
    options = parser.parse_args()
    kinds = [kind for kind in KINDS if options.only in kind.name]
    if not kinds:
        parser.error(f"no kind has {options.only!r} in its name")
    adopt_orphans()
    bench = DepthBench(options.receives, options.run_option)
    table = Table(title="CPU nanoseconds of a receive by depth of the queue", title_justify="left")
    table.add_column("receives")
    for depth in options.depths:
        table.add_column(f"{depth:,}", justify="right")
    table.add_column("ratio", justify="right")
    for kind in kinds:
        found = bench.receive_ns(kind, options.depths, options.repeats)
        ratio = found[options.depths[-1]] / found[options.depths[0]]
        cells = (f"{found[depth]:,.0f}" for depth in options.depths)
        table.add_row(kind.name, *cells, f"{ratio:.2f}")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
