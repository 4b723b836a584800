"""Runs one command of `kumihimo` that does not outlive its parent.

`python -m kumihimo.sweep.child PARENT ARGUMENTS...`: PARENT is the process that must live. When it
dies, however that happens, the kernel sends SIGTERM here, and the command ends with all its ranks.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

from kumihimo.sweep.interruption import take_signals

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Tie this process to its parent and run the command."""
    take_signals()
    parent, *arguments = sys.argv[1:]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() != int(parent):
        # It died before the kernel knew of the wish.
        sys.exit(128 + signal.SIGTERM)
    from kumihimo.cli.main import app

    sys.argv[1:] = arguments
    app(prog_name="kumihimo")


if __name__ == "__main__":
    main()
