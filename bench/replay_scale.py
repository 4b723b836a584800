"""Measures how replays grow with the network, up to a million hosts.

Halo exchanges of a rank on every host of a torus, and of a dragonfly of a million hosts. Each
network has a process of its own, so that its memory can be measured. Printed: CPU seconds for
schedule, network and replay, messages per CPU second, the time of a message on one link, and the
most memory.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# At least 10 steps; small networks take more, or there would be nothing to measure.
MOST_STEPS, STEPS_OF_ALL_HOSTS = 2000, 200_000


def main() -> None:
    """Run every network, or those whose names contain a text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="networks whose name contains this text")
    only: str = parser.parse_args().only
    binary = str(ROOT / "build" / "release" / "bench" / "replay_scale_bench")
    names = subprocess.run([binary], capture_output=True, text=True, check=True).stdout.splitlines()
    columns = ("hosts", "messages", "make s", "build s", "replay s", "k msg/s", "ns a hop", "GiB")
    widths = (8, 10, 8, 8, 9, 9, 9, 7)
    head = " ".join(f"{name:>{width}}" for name, width in zip(columns, widths, strict=True))
    print(f"{'':22} {head}  event hash", flush=True)
    for place, line in enumerate(names):
        name, hosts = line.rsplit(" ", 1)
        if only not in name:
            continue
        steps = min(MOST_STEPS, max(10, STEPS_OF_ALL_HOSTS // int(hosts)))
        subprocess.run([binary, str(place), str(steps)], check=True)


if __name__ == "__main__":
    main()
