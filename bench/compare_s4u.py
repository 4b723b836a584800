"""Compares the replay with SimGrid's S4U: the same messages on the same torus, in one run.

4,096 ranks on a torus of 16 x 16 x 16, each sending 30 times to the rank four hops further: as a
schedule that Kumihimo replays, and as a program of S4U in C++. The two sides take turns. Counted
are the CPU seconds of the whole process, with those for the platform. S4U's barrier costs no time
and no messages; the schedule keeps step by waiting for instants, which costs neither.
"""

from __future__ import annotations

import re
import statistics
import subprocess
from pathlib import Path

from measure import adopt_orphans, measure

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "bench"
SIDE, STEPS, DISTANCE, SIZE_BYTES = 16, 30, 4, 8192
MESSAGES = SIDE**3 * STEPS
REPEATS = 11
AIM = 20
_PLATFORM = f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="torus" prefix="host" suffix="" radical="0-{SIDE**3 - 1}" speed="10Gf"
           bw="12.5GBps" lat="100ns" sharing_policy="SPLITDUPLEX"
           topology="TORUS" topo_parameters="{SIDE},{SIDE},{SIDE}"/>
</platform>
"""


def s4u_command(binary: Path, platform: Path, *, in_step: bool) -> list[str]:
    """The command line of the S4U program."""
    numbers = [SIDE, STEPS, DISTANCE, SIZE_BYTES, int(in_step)]
    return [str(binary), str(platform), *map(str, numbers), "--log=root.thresh:error"]


def compare(binary: Path, platform: Path, *, in_step: bool) -> None:
    """Run both sides in turns and print what each cost, and the ratio."""
    replay = [str(ROOT / "build" / "release" / "bench" / "replay_bench")]
    replay.append("shifts, in step" if in_step else "not in step")
    theirs_s, ours_s = [], []
    for _ in range(REPEATS):
        theirs = measure(s4u_command(binary, platform, in_step=in_step), FOLDER / "s4u.log", 300)
        ours = measure(replay, FOLDER / "replay.log", 300)
        if re.search(rf"\b{MESSAGES}\b", ours.output) is None:
            raise RuntimeError(f"the replay sent something else:\n{ours.output}")
        theirs_s.append(theirs.cpu_s)
        ours_s.append(ours.cpu_s)
    print(f"torus {SIDE}^3, {MESSAGES:,} messages, {'' if in_step else 'not '}in step")
    for name, times in (("Kumihimo", ours_s), ("SimGrid S4U", theirs_s)):
        median = statistics.median(times)
        print(
            f"  {name:12} {median:6.2f} CPU s ({min(times):.2f} - {max(times):.2f}), "
            f"{MESSAGES / median / 1e3:7.0f} k messages per CPU s"
        )
    ratio = statistics.median(theirs_s) / statistics.median(ours_s)
    pairs = ", ".join(f"{a / b:.1f}" for a, b in zip(theirs_s, ours_s, strict=True))
    print(f"  ratio {ratio:.1f} (each pair: {pairs}); the aim is {AIM}\n", flush=True)


def main() -> None:
    """Compile the S4U program and compare, without and with synchronisation."""
    adopt_orphans()
    FOLDER.mkdir(parents=True, exist_ok=True)
    binary, platform = FOLDER / "torus_shift_s4u", FOLDER / "torus16.xml"
    source = ROOT / "bench" / "programs" / "torus_shift_s4u.cpp"
    subprocess.run(["g++", "-O2", str(source), "-o", str(binary), "-lsimgrid"], check=True)
    platform.write_text(_PLATFORM)
    for in_step in (False, True):
        compare(binary, platform, in_step=in_step)


if __name__ == "__main__":
    main()
