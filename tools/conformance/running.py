"""Runs one command with a limit of time, in a folder of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# What a launcher gets to end its ranks by itself, beyond the limit, in seconds.
GRACE_S = 15


@dataclass(frozen=True)
class Finished:
    """How a command ended.

    Attributes:
        status: Exit status; negative if a signal ended it; None if it had to be killed.
        output: Its standard output.
        errors: Its standard error.
        wall_s: How long it took, in seconds.
    """

    status: int | None
    output: str
    errors: str
    wall_s: float


def run(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, limit_s: float
) -> Finished:
    """Run a command; after the limit, kill it with all processes of its session.

    Output goes to files, since a process that outlives the command would keep a pipe open.
    """
    start = time.monotonic()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            env={**os.environ, **environment},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
        status: int | None
        try:
            status = process.wait(timeout=limit_s)
        except subprocess.TimeoutExpired:
            status = None
        _end_session(process.pid)
        process.wait()
        wall_s = time.monotonic() - start
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return Finished(status, texts[0], texts[1], wall_s)


def _end_session(session: int) -> None:
    """Kill what is left of a session, whatever process groups its processes made."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            # The session follows the name, which may have blanks and brackets.
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                os.kill(int(process.name), signal.SIGKILL)


@contextlib.contextmanager
def folder_with_links(programs: Path, sources: Path) -> Iterator[Path]:
    """A temporary folder with links to the executables of one and the texts (.txt) of another.

    Programs find what they read and what they start, and what they write disturbs no others.
    """
    with tempfile.TemporaryDirectory(prefix="conformance-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        executables = (path for path in programs.iterdir() if os.access(path, os.X_OK))
        for path in (*executables, *sources.glob("*.txt")):
            if path.is_file():
                (folder / path.name).symlink_to(path.resolve())
        yield folder
