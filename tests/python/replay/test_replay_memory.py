"""Schedules that take several times the memory that a replay may have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

PLATFORM = Path(__file__).resolve().parents[3] / "platforms" / "star64.toml"
RANKS = 64
STEPS = 6_000
# 24 bytes an operation and 4 a dependence of the schedule, 16 an operation of the replay.
NEEDED_BYTES = RANKS * STEPS * (3 * (24 + 16) + 4 * 4)
ALLOWED_BYTES = NEEDED_BYTES // 4
# What the network takes at least: address space of which only what is used is memory.
RESERVED_BYTES = 1 << 28
# Runs the command with so much memory beyond what the interpreter has with all modules loaded. The
# limit is the kernel's: on memory of the process's own, not on files that are mapped.
LIMITED = """
import re, resource, sys
from pathlib import Path
import rich.console, rich.table
import kumihimo.replay.session, kumihimo.results, kumihimo.schedule.files
from kumihimo.cli.main import app
allowed_bytes = int(sys.argv.pop(1))
status = Path("/proc/self/status").read_text()
present_bytes = 1024 * int(re.search(r"VmData:\\s+(\\d+)", status).group(1))
limit_bytes = present_bytes + allowed_bytes
resource.setrlimit(resource.RLIMIT_DATA, (limit_bytes, limit_bytes))
app(prog_name="kumihimo")
"""


def ring_lines() -> Iterator[str]:
    """Yield GOAL text: in each step, every rank sends to the next one, receives and computes."""
    yield f"num_ranks {RANKS}\n"
    for rank in range(RANKS):
        yield f"rank {rank} {{\n"
        after, before = (rank + 1) % RANKS, (rank - 1) % RANKS
        for step in range(STEPS):
            yield (
                f"s{step}: send 100b to {after}\nr{step}: recv 100b from {before}\n"
                f"c{step}: calc 50\nc{step} requires s{step}\nc{step} requires r{step}\n"
            )
            if step > 0:
                yield f"s{step} requires c{step - 1}\nr{step} requires c{step - 1}\n"
        yield "}\n"


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("schedules") / "ring.goal"
    with path.open("w") as output:
        output.writelines(ring_lines())
    return path


def kumihimo(
    *arguments: object, folder: Path, allowed_bytes: int, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command that may take `allowed_bytes` of memory."""
    command = [sys.executable, "-c", LIMITED, str(allowed_bytes), *map(str, arguments)]
    environment = {**os.environ, "TMPDIR": str(folder), **variables}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def replay(
    schedule: Path, folder: Path, allowed_bytes: int, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Replay a file, with the result in `result`."""
    options = ("--platform", PLATFORM, "--detail", "summary", "--out", "result", "--quiet")
    allowed_bytes += RESERVED_BYTES
    return kumihimo(
        "replay", schedule, *options, folder=folder, allowed_bytes=allowed_bytes, **variables
    )


def event_hash(folder: Path) -> object:
    return json.loads((folder / "result" / "result.json").read_text())["event_hash"]


def test_text_larger_than_memory_replays_to_the_same_events(ring: Path, tmp_path: Path) -> None:
    done = replay(ring, tmp_path, NEEDED_BYTES * 4)
    assert done.returncode == 0, done.stderr
    wanted = event_hash(tmp_path)

    # So little is not enough for a schedule that is held in memory.
    assert replay(ring, tmp_path, ALLOWED_BYTES).returncode != 0

    done = replay(ring, tmp_path, ALLOWED_BYTES, KUMI_MEMORY="4 MiB")
    assert done.returncode == 0, done.stderr
    assert event_hash(tmp_path) == wanted
    assert {path.name for path in tmp_path.iterdir()} == {"result"}


def test_text_larger_than_memory_is_converted(ring: Path, tmp_path: Path) -> None:
    def convert(name: str, allowed_bytes: int, **variables: str) -> int:
        arguments = ("schedule", "convert", ring, name)
        done = kumihimo(*arguments, folder=tmp_path, allowed_bytes=allowed_bytes, **variables)
        return done.returncode

    assert convert("plain.bin", NEEDED_BYTES * 4) == 0
    assert convert("never.bin", ALLOWED_BYTES) != 0
    assert convert("out.bin", ALLOWED_BYTES, KUMI_MEMORY="4 MiB") == 0
    assert (tmp_path / "out.bin").read_bytes() == (tmp_path / "plain.bin").read_bytes()


def test_a_missing_temporary_folder_is_named(ring: Path, tmp_path: Path) -> None:
    done = replay(ring, tmp_path, NEEDED_BYTES * 4, KUMI_MEMORY="4 MiB", TMPDIR="/no/such/folder")
    assert done.returncode == 2
    assert "a temporary file in /no/such/folder" in done.stderr
    assert "No such file or directory" in done.stderr
    assert not (tmp_path / "result").exists()


def test_a_budget_that_is_no_size_is_refused(ring: Path, tmp_path: Path) -> None:
    done = replay(ring, tmp_path, NEEDED_BYTES * 4, KUMI_MEMORY="plenty")
    assert done.returncode == 2
    assert "KUMI_MEMORY: expected a size such as 512 MiB or 4 GiB, not 'plenty'" in done.stderr
