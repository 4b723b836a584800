"""Runs commands and counts what all their processes cost together."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Cost:
    """What a command cost, and what it printed.

    Attributes:
        cpu_s: User and system time of all its processes, in seconds.
        wall_s: Time from start to end, in seconds.
        output: What it printed on standard output and standard error.
        finished: False if it was ended because it took too long.
    """

    cpu_s: float
    wall_s: float
    output: str
    finished: bool


def adopt_orphans() -> None:
    """Make this process the one that buries grandchildren whose parents are gone.

    Without it, the time of a process whose parent did not wait for it would be lost.
    """
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def measure(command: Sequence[str], log: Path, limit_s: float) -> Cost:
    """Run a command and return what it cost.

    Args:
        command: The command line.
        log: A file for what it prints.
        limit_s: Wall time after which the whole process group is killed, in seconds.

    Raises:
        RuntimeError: If the command fails.
    """
    start = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
    cpu_s, status = _wait_for_all(process.pid, start + limit_s)
    process.returncode = 0 if status is None else os.waitstatus_to_exitcode(status)
    wall_s = time.monotonic() - start
    output = log.read_text(errors="replace")
    if status is not None and process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\nstatus {process.returncode}\n{output[-2000:]}")
    return Cost(cpu_s, wall_s, output, finished=status is not None)


def _wait_for_all(leader: int, deadline: float) -> tuple[float, int | None]:
    """Wait for the leader and every orphan; return their time and the leader's status.

    The status is None if the deadline passed.
    """
    cpu_s = 0.0
    status: int | None = None
    killed = False
    while True:
        try:
            pid, ended, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return cpu_s, None if killed else status
        if pid == 0:
            if time.monotonic() > deadline and not killed:
                killed = True
                os.killpg(leader, signal.SIGKILL)
            time.sleep(0.01)
            continue
        cpu_s += usage.ru_utime + usage.ru_stime
        if pid == leader:
            status = ended
