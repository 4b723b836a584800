"""Runs every measurement: engine, replays, start-up, queues, counting, hints, next to others.

Each prints its own tables. At the end stands what was run, for how long, and what failed: the
others are run all the same, and then the exit status is 1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
# Programs in C++ by the names of their targets, and scripts; in this order.
PARTS = (
    "engine_bench",
    "replay_bench",
    "replay_scale.py",
    "replay_cores.py",
    "replay_windows_bench",
    "start_up.py",
    "queue_depth.py",
    "matching.py",
    "counting.py",
    "hint_cost.py",
    "compare_s4u.py",
    "process_switch.py",
    "instructions.py",
    "threads.py",
    "cores.py",
    "compare_smpi.py",
)


def build() -> None:
    """Compile the programs in C++."""
    folder = ROOT / "build" / "release"
    configure = ["cmake", "--preset", "release", "-DKUMI_BENCHMARKS=ON"]
    subprocess.run(configure, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    # A script runs the last one.
    targets = [*(part for part in PARTS if not part.endswith(".py")), "matching_bench"]
    compile_all = ["cmake", "--build", str(folder), "--parallel", "2", "--target", *targets]
    subprocess.run(compile_all, check=True, stdout=subprocess.DEVNULL)


def command_of(part: str) -> list[str]:
    """The command line of a part."""
    if part.endswith(".py"):
        return [sys.executable, str(ROOT / "bench" / part)]
    return [str(ROOT / "build" / "release" / "bench" / part)]


def main() -> int:
    """Run one part after the other; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="parts whose name contains this text")
    only: str = parser.parse_args().only
    parts = [part for part in PARTS if only in part]
    if not parts:
        parser.error(f"no part has {only!r} in its name; there are {', '.join(PARTS)}")
    build()
    summary = Table(title="all measurements", title_justify="left")
    for column in ("part", "minutes", "ended"):
        summary.add_column(column)
    failed = 0
    for part in parts:
        print(f"\n== {Path(part).stem}", flush=True)
        begin = time.monotonic()
        status = subprocess.run(command_of(part), check=False).returncode
        failed += status != 0
        minutes = (time.monotonic() - begin) / 60
        ended = "well" if status == 0 else f"with status {status}"
        summary.add_row(Path(part).stem, f"{minutes:.1f}", ended)
    print(flush=True)
    Console().print(summary)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
