"""What a run may have left behind on this computer."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

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


@cache
def can_mount() -> bool:
    """Whether a process may be given file systems of its own."""
    return subprocess.run(in_private_mounts("true", "true"), check=False).returncode == 0


def in_private_mounts(mounts: str, *command: str) -> list[str]:
    """A command that sees other file systems than the rest of the computer, by `mounts` (shell)."""
    rights = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["unshare", *rights, "--mount", "sh", "-c", f'{mounts} && exec "$@"', "sh", *command]


def with_shared_memory_in(folder: Path, command: Sequence[str]) -> list[str]:
    """A command whose shared memory is in `folder`, so that other jobs do not disturb the view.

    Where that is not allowed, the command uses the computer's, and `folder` stays empty.
    """
    if not can_mount():
        return list(command)
    return in_private_mounts(f"mount --bind {shlex.quote(str(folder))} /dev/shm", *command)


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


def has_begun_to_write_result(parent: Path) -> bool:
    """Whether the folder that will be renamed to the result holds its first file.

    The launcher also makes such a folder at the start, to see whether it may write, and removes
    it at once: it may be gone between the two looks.
    """
    for folder in parent.glob(".result.*"):
        with contextlib.suppress(FileNotFoundError):
            if ".records-" not in folder.name and any(folder.iterdir()):
                return True
    return False
