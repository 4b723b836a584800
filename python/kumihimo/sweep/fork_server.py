"""Forks a process for each point of a sweep.

Loading the package takes longer than many points. So each worker has one such process, which has
loaded it; a point runs in a copy of that, as one command of `kumihimo`.

`python -m kumihimo.sweep.fork_server PARENT`: PARENT is the process that must live. When it dies,
however that happens, the kernel sends SIGTERM here, and then to the copy, which ends with all its
ranks. Standard input has a line of JSON for each point (`Order`). Two lines on standard output
answer it: the number of the copy's process, and in the end its exit status as `subprocess` has it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import sys
from typing import TypedDict

from kumihimo.sweep.interruption import take_signals

_PR_SET_PDEATHSIG = 1


class Order(TypedDict):
    """What a copy does.

    Attributes:
        arguments: Those of `kumihimo`.
        folder: Where it works.
        output: The file for its standard output.
        errors: The file for its standard error.
    """

    arguments: list[str]
    folder: str
    output: str
    errors: str


def main() -> None:
    """Load the package, and fork a copy for each order until there are no more."""
    _tie_to(int(sys.argv[1]))
    from kumihimo.cli.commands import COMMANDS
    from kumihimo.cli.main import app

    for name in ("run", "replay"):
        COMMANDS[name].load(name)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        order: Order = json.loads(line)
        server = os.getpid()
        copy = os.fork()
        if copy == 0:
            _become(order, server)
            app(prog_name="kumihimo")
            return
        print(copy, flush=True)
        _, status = os.waitpid(copy, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _become(order: Order, server: int) -> None:
    """Make this copy of the server the process that an order asks for."""
    # Ctrl-C is for the sweep as a whole, which then ends its workers.
    os.setsid()
    take_signals()
    _tie_to(server)
    os.chdir(order["folder"])
    for descriptor, path in ((0, os.devnull), (1, order["output"]), (2, order["errors"])):
        flags = os.O_RDONLY if descriptor == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        opened = os.open(path, flags, 0o666)
        os.dup2(opened, descriptor)
        os.close(opened)
    sys.argv[1:] = order["arguments"]


def _tie_to(parent: int) -> None:
    """Let this process get SIGTERM when `parent` dies, which started it."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() != parent:
        # It died before the kernel knew of the wish.
        sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    main()
