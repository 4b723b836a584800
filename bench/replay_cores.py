"""Measures what two replays gain from two cores: one after the other, and at once.

Printed: wall seconds of both ways and their ratio, and how much more CPU time two replays take when
they share caches and memory. On a computer that does something else meanwhile the ratio says
little.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE, STEPS = "4", "100"
REPEATS = 3


def replay(copies: int) -> tuple[float, float, set[str]]:
    """Replay halo exchanges on a torus of 4,096 hosts, `copies` times at once.

    Returns:
        Wall seconds, CPU seconds of all replays without what is around them, and event hashes.
    """
    binary = ROOT / "build" / "release" / "bench" / "replay_scale_bench"
    begin = time.monotonic()
    processes = [
        subprocess.Popen([str(binary), PLACE, STEPS], stdout=subprocess.PIPE, text=True)
        for _ in range(copies)
    ]
    rows = [process.communicate()[0].split() for process in processes]
    if any(process.returncode != 0 for process in processes):
        raise RuntimeError("a replay failed")
    return time.monotonic() - begin, sum(float(row[-5]) for row in rows), {row[-1] for row in rows}


def main() -> None:
    """Measure both ways in turns."""
    for _ in range(REPEATS):
        first, second, both = replay(1), replay(1), replay(2)
        alone_s, alone_cpu_s = first[0] + second[0], first[1] + second[1]
        hashes = first[2] | second[2] | both[2]
        print(
            f"one after the other {alone_s:.2f} s, at once {both[0]:.2f} s: "
            f"{alone_s / both[0]:.2f} times as fast with {both[1] / alone_cpu_s:.2f} times the CPU "
            f"time, {'one event hash' if len(hashes) == 1 else 'event hashes differ'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
