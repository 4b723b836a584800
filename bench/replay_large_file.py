"""Replays a schedule file with less memory than the file is large.

The schedule of halo exchanges is written to a file, as text or in binary form; a process replays it
within a memory cgroup whose limit is a share of the file's size, page cache included, without swap.
Needs root, and a file system with room for the file. Printed: file, limit, the most memory that the
cgroup had, and the time, with and without a limit; the event hash must be one.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMAND = str(ROOT / ".venv" / "bin" / "kumihimo")
SIDE = 16
_PLATFORM = f"""
[topology]
kind = "torus"
sizes = [{SIDE}, {SIDE}, {SIDE}]
hosts_per_switch = 1
[link]
bandwidth = "100 Gb/s"
latency = "100 ns"
[node]
speed = "1 Gflop/s"
"""
_V1, _V2 = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")


@contextmanager
def limited_group(limit_bytes: int) -> Iterator[Path]:
    """A memory cgroup with a limit, of either version of the interface."""
    is_old = (_V1 / "memory.limit_in_bytes").exists()
    group = (_V1 if is_old else _V2) / f"kumihimo_bench_{os.getpid()}"
    group.mkdir()
    try:
        (group / ("memory.limit_in_bytes" if is_old else "memory.max")).write_text(str(limit_bytes))
        yield group
    finally:
        group.rmdir()


def peak_bytes(group: Path) -> int:
    """The most memory that a group had."""
    names = ("memory.max_usage_in_bytes", "memory.peak")
    return next(int((group / name).read_text()) for name in names if (group / name).exists())


def replay(schedule: Path, group: Path | None) -> tuple[float, str]:
    """Replay a file, within a group if there is one; return wall seconds and the event hash."""

    def enter() -> None:
        if group is not None:
            (group / "cgroup.procs").write_text(str(os.getpid()))

    begin = time.monotonic()
    folder = schedule.parent
    command = [COMMAND, "replay", schedule.name, "-p", "torus.toml", "--out", "result", "-q"]
    subprocess.run([*command, "--detail", "summary"], cwd=folder, check=True, preexec_fn=enter)
    document = json.loads((folder / "result" / "result.json").read_text())
    return time.monotonic() - begin, document["event_hash"]


def main() -> None:
    """Write the file, and replay it without and with a limit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, default=800, help="halo exchanges, 1.3 MB each")
    parser.add_argument("--format", choices=("binary", "goal"), default="binary")
    parser.add_argument("--share", type=float, default=0.75, help="of the file, as limit")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        (folder / "torus.toml").write_text(_PLATFORM)
        pattern = ["--pattern", "halo/3d", "-n", str(SIDE**3), "-b", "8KiB", "--work", "1us"]
        generate = [COMMAND, "schedule", "generate", *pattern, "--iterations", str(arguments.steps)]
        schedule = folder / "halo"
        subprocess.run([*generate, schedule, "--format", arguments.format], check=True)
        size_bytes = schedule.stat().st_size
        limit_bytes = int(size_bytes * arguments.share)
        free_s, free_hash = replay(schedule, None)
        with limited_group(limit_bytes) as group:
            limited_s, limited_hash = replay(schedule, group)
            peak = peak_bytes(group)
    mib = 1 << 20
    print(
        f"file {size_bytes / mib:,.0f} MiB; without limit {free_s:.0f} s; limit "
        f"{limit_bytes / mib:,.0f} MiB, page cache included: peak {peak / mib:,.0f} MiB, "
        f"{limited_s:.0f} s; {'one event hash' if free_hash == limited_hash else 'hashes differ'}",
        flush=True,
    )
    sys.exit(free_hash != limited_hash)


if __name__ == "__main__":
    main()
