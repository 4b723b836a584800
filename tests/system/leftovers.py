"""What a run may have left behind on this machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")
_PATIENCE_S = 10.0


def processes_of(launcher_pid: int) -> list[int]:
    """Living processes of the run that this launcher started, wherever they have gone."""
    mark = f"KUMI_SEGMENT=/proc/{launcher_pid}/fd/".encode()
    return [pid for pid in _processes() if mark in _read(Path(f"/proc/{pid}/environ"))]


def rank_process(launcher_pid: int, rank: int, variable: str = "PMI_RANK") -> int:
    """The process id of a rank, waited for until it is there."""
    mark = f"\0{variable}={rank}\0".encode()
    deadline_s = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline_s:
        for pid in processes_of(launcher_pid):
            if mark in b"\0" + _read(Path(f"/proc/{pid}/environ")):
                return pid
        time.sleep(0.02)
    raise AssertionError(f"rank {rank} did not start")


def shared_memory_files() -> set[str]:
    """Names of MPI's files in shared memory that no living process uses."""
    names = {path.name for path in SHARED_MEMORY.glob("mpich_*")}
    names |= {path.name for path in SHARED_MEMORY.glob("vader_*")}
    used = b"".join(_read(Path(f"/proc/{pid}/maps")) for pid in _processes()) if names else b""
    return {name for name in names if name.encode() not in used}


def wait_until_gone(launcher_pid: int) -> None:
    """Wait until no process of the run is left; fail if some stays."""
    deadline_s = time.monotonic() + _PATIENCE_S
    while left := processes_of(launcher_pid):
        assert time.monotonic() < deadline_s, f"processes {left} are left"
        time.sleep(0.02)


def _processes() -> Iterator[int]:
    return (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
