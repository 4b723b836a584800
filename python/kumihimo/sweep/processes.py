"""The processes in which a worker runs its points."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
from contextlib import suppress

from kumihimo.sweep.fork_server import Order

_END_WITHIN_S = 10


class PointProcess:
    """A process that runs a point, forked from one that has loaded the package.

    Attributes:
        pid: Its number; 0 if the server has ended.
    """

    def __init__(self, order: Order) -> None:
        """Start it.

        Raises:
            OSError: If no process can be started.
        """
        self._server = _running_server()
        assert self._server.stdin is not None
        with suppress(BrokenPipeError):
            self._server.stdin.write(json.dumps(order) + "\n")
            self._server.stdin.flush()
        self.pid = int(self._answer() or 0)

    def wait(self) -> int:
        """Wait until it has ended; return its exit status, negative if a signal ended it.

        If the server was killed, its status is returned, once the process has ended as well.
        """
        answer = self._answer() if self.pid else ""
        if answer:
            return int(answer)
        if self.pid:
            await_end(self.pid)
        return self._server.wait()

    def _answer(self) -> str:
        assert self._server.stdout is not None
        return self._server.stdout.readline()


def await_end(pid: int) -> None:
    """Wait until the process has ended, which is about to."""
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return
    try:
        select.select([descriptor], [], [], _END_WITHIN_S)
    finally:
        os.close(descriptor)


_here = threading.local()


def _running_server() -> subprocess.Popen[str]:
    """Return this thread's server, which is started if there is none: it dies with its thread."""
    server: subprocess.Popen[str] | None = getattr(_here, "server", None)
    if server is not None and server.poll() is not None:
        for pipe in (server.stdin, server.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()
        server = None
    if server is None:
        server = subprocess.Popen(
            [sys.executable, "-m", "kumihimo.sweep.fork_server", str(os.getpid())],
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        _here.server = server
    return server
