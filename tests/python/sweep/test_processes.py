"""The processes of points: copies of one that has loaded the package."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kumihimo.sweep.processes import PointProcess, await_end

pytestmark = pytest.mark.processes

# Takes seconds.
LONG = ["replay", "--pattern", "alltoall/pairwise", "-n", "2048", "-b", "1KiB", "-p", "star4096"]
PLATFORM = (
    '[topology]\nkind = "star"\nhosts = 2048\n[link]\nbandwidth = "1 Gb/s"\nlatency = "1 us"\n'
)


def started(folder: Path, *arguments: str) -> PointProcess:
    return PointProcess(
        {
            "arguments": list(arguments),
            "folder": str(folder),
            "output": str(folder / "output"),
            "errors": str(folder / "errors"),
        }
    )


def started_long(folder: Path) -> PointProcess:
    (folder / "star4096.toml").write_text(PLATFORM)
    (folder / "errors").unlink(missing_ok=True)
    process = started(folder, *LONG[:-1], "star4096.toml", "--out", str(folder / "out"))
    # It has taken its place.
    while not (folder / "errors").exists():
        time.sleep(0.001)
    return process


def status_of(pid: int) -> list[str]:
    """State, parent and so on, as proc(5) lists them."""
    text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    return text.rpartition(")")[2].split()


def parent_of(pid: int) -> int:
    return int(status_of(pid)[1])


def has_ended(pid: int) -> bool:
    await_end(pid)
    return not Path(f"/proc/{pid}").exists() or status_of(pid)[0] == "Z"


def test_points_are_copies_of_one_process(tmp_path: Path) -> None:
    servers = set()
    for _ in range(2):
        process = started_long(tmp_path)
        server = parent_of(process.pid)
        servers.add(server)
        assert len(list(Path(f"/proc/{server}/task").iterdir())) == 1, "a fork would lose threads"
        assert os.getsid(process.pid) == process.pid
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert len(servers) == 1


def test_a_point_has_its_own_output_folder_and_status(tmp_path: Path) -> None:
    process = started(tmp_path, "platform", "show", "absent.toml")
    assert process.wait() == 2
    assert "absent.toml" in (tmp_path / "errors").read_text()
    process = started(tmp_path, "platform", "list")
    assert process.wait() == 0
    assert "star4" in (tmp_path / "output").read_text()
    assert (tmp_path / "errors").read_text() == ""
    assert not (tmp_path / "out").exists()


def test_the_end_of_the_server_ends_the_point_and_another_one_starts(tmp_path: Path) -> None:
    process = started_long(tmp_path)
    os.kill(parent_of(process.pid), signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert has_ended(process.pid)
    assert started(tmp_path, "platform", "list").wait() == 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_outlives_the_worker(number: signal.Signals, tmp_path: Path) -> None:
    worker = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "import sys, test_processes as t; from pathlib import Path\n"
            "p = t.started_long(Path(sys.argv[1])); print(p.pid, flush=True); p.wait()",
            str(tmp_path),
        ],
        cwd=Path(__file__).parent,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert worker.stdout is not None
    pid = int(worker.stdout.readline())
    server = parent_of(pid)
    worker.send_signal(number)
    worker.wait()
    worker.stdout.close()
    assert has_ended(server)
    assert has_ended(pid)
