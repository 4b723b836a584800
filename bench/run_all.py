"""Runs every measurement: engine, replays, start-up, counting, and beside SimGrid."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Run one measurement after the other; the first that fails ends it."""
    build = ROOT / "build" / "release"
    configure = ["cmake", "--preset", "release", "-DKUMI_BENCHMARKS=ON"]
    subprocess.run(configure, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    targets = ["engine_bench", "replay_bench", "replay_scale_bench", "replay_windows_bench"]
    compile_all = ["cmake", "--build", str(build), "--parallel", "2", "--target", *targets]
    subprocess.run(compile_all, check=True, stdout=subprocess.DEVNULL)
    for command in (
        [str(build / "bench" / "engine_bench")],
        [str(build / "bench" / "replay_bench")],
        [sys.executable, str(ROOT / "bench" / "replay_scale.py")],
        [sys.executable, str(ROOT / "bench" / "replay_cores.py")],
        [str(build / "bench" / "replay_windows_bench")],
        [sys.executable, str(ROOT / "bench" / "start_up.py")],
        [sys.executable, str(ROOT / "bench" / "counting.py")],
        [sys.executable, str(ROOT / "bench" / "compare_s4u.py")],
        [sys.executable, str(ROOT / "bench" / "process_switch.py")],
        [sys.executable, str(ROOT / "bench" / "compare_smpi.py")],
    ):
        print(f"== {Path(command[-1]).stem}", flush=True)
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
