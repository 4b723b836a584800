"""Times on platforms of SimGrid against SimGrid itself, which reads the same files."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from jobs import BUILD, BY_NAME, ROOT, command_of, compiled, run_simulated
from kumihimo.platform import load_platform
from kumihimo.platform.network import build_network
from kumihimo.simgrid.document import read_routes_file

PLATFORMS = ROOT / "tests" / "python" / "simgrid" / "simgrid"
# The plain model: no fitted factors, no interference of the two directions of a link.
PLAIN = (
    "--cfg=network/model:CM02",
    "--cfg=network/latency-factor:1",
    "--cfg=network/bandwidth-factor:1",
    "--cfg=network/crosstraffic:0",
    "--cfg=network/weight-S:0",
    "--cfg=network/TCP-gamma:0",
    "--log=root.thresh:error",
)
Message = tuple[str, str, int]


@pytest.fixture(scope="module")
def simgrid_times() -> Path:
    """Compile the program that prints SimGrid's times."""
    source = Path(__file__).parent / "simgrid_times.cpp"
    command = ["g++", "-O1", str(source), "-lsimgrid"]
    return compiled(BUILD / "simgrid_times", [source], command)


def seconds_of(
    program: Path, platform: Path, mode: str, messages: Sequence[Message]
) -> list[float]:
    """SimGrid's times of messages, alone one after another or all together."""
    lines = "".join(f"{source} {target} {size}\n" for source, target, size in messages)
    finished = subprocess.run(
        [str(program), str(platform), mode, *PLAIN],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    return [float(line) for line in finished.stdout.split()]


NAMES = sorted(path.stem for path in PLATFORMS.glob("*.xml"))
assert NAMES, f"{PLATFORMS} has no platform files"


@pytest.mark.parametrize("name", NAMES)
def test_messages_alone_take_as_long_as_in_simgrid(name: str, simgrid_times: Path) -> None:
    file = PLATFORMS / f"{name}.xml"
    network = build_network(load_platform(file))
    hosts = read_routes_file(file).hosts
    assert network.hosts == len(hosts)
    step = max(1, len(hosts) // 9)
    chosen = range(0, len(hosts), step)
    pairs = [(a, b) for a in chosen for b in chosen if a != b]
    if name == "dragonfly":
        # Within a group SimGrid forgets the chassis after a green link, so that some of its paths
        # have a black link too few or too many; here all are paths.
        pairs = [(a, b) for a, b in pairs if a // 40 != b // 40]
    cases = [(a, b, size) for a, b in pairs for size in (1, 1000, 100_000, 10_000_000)]
    theirs = seconds_of(
        simgrid_times, file, "alone", [(hosts[a], hosts[b], size) for a, b, size in cases]
    )
    ours = [network.zero_load_ps(a, b, size) / 1e12 for a, b, size in cases]
    deviations = [our / their - 1 for our, their in zip(ours, theirs, strict=True)]
    worst = max(deviations, key=abs)
    print(f"{name}: {len(cases)} messages, from {min(deviations):+.4%} to {max(deviations):+.4%}")
    assert abs(worst) < 0.01


CONTENDED = """\
[topology]
kind = "routes"
file = "{file}"

[network]
packet_size = "1 KiB"

[node]
speed = "1 Gflop/s"

[mpi]
eager_limit = "1 GiB"
"""


INCAST = [("star", 5), ("backbone", 5), ("torus_shared", 5)]
PAIRS = [("floyd", 4), ("torus", 12), ("torus_shared", 12), ("cabinets", 6), ("grid", 8)]
SIZE = 2_000_000


@pytest.mark.parametrize(
    ("pattern", "name", "ranks"),
    [("incast", *case) for case in INCAST] + [("pairs", *case) for case in PAIRS],
)
def test_the_last_of_contending_messages_arrives_as_in_simgrid(
    pattern: str, name: str, ranks: int, simgrid_times: Path, tmp_path: Path
) -> None:
    """Flows share a link evenly in SimGrid and end together; here packets stand in a queue.

    A link that is never idle has carried everything at the same time in both, so the last message
    arrives at about the same time. The others may arrive much earlier here: whose packets come
    first on a link are served first. A message of slow links may be some per cent later, because
    packets of faster ones stand before its own in a queue, and then its slow link is idle.
    """
    file = PLATFORMS / f"{name}.xml"
    hosts = read_routes_file(file).hosts
    half = ranks // 2
    ends = {
        "incast": [(rank, 0) for rank in range(1, ranks)],
        "pairs": [(rank, rank + half) for rank in range(half)],
    }[pattern]
    messages = [(hosts[source], hosts[target], SIZE) for source, target in ends]
    theirs = seconds_of(simgrid_times, file, "together", messages)
    platform = tmp_path / "platform.toml"
    platform.write_text(CONTENDED.format(file=file))
    job = run_simulated(
        BY_NAME["mpich"],
        ranks,
        command_of(BY_NAME["mpich"], "patterns", pattern, str(SIZE)),
        tmp_path / "result",
        platform=platform,
        options=("--detail", "summary"),
    )
    # Clocks of those that receive; one that receives several has only the time of the last.
    ours = [job.clocks_ps[target] / 1e12 for target in sorted({target for _, target in ends})]
    for our, their in zip(ours, theirs if pattern == "pairs" else [max(theirs)], strict=True):
        print(f"{name}: here {our:.9f} s, SimGrid {their:.9f} s, {our / their - 1:+.3%}")
    last = max(ours) / max(theirs) - 1
    print(f"{pattern} on {name}: the last message {last:+.3%}")
    assert abs(last) < 0.03
