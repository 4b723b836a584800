"""One process at a time works in a folder."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kumihimo.errors import UserError

LOCK_FILE = "lock"
# What file systems say that have no locks, such as Lustre without the mount option for them.
_NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK)


@contextmanager
def locked(folder: Path, what: str) -> Iterator[None]:
    """Keep a folder for this process alone, until the block is left or the process dies.

    The lock is one of the kernel on a file in the folder, which also names its owner. On a network
    file system it holds for all computers.

    Args:
        folder: Is made if it is not there.
        what: What works there, such as "sweep".

    Raises:
        UserError: If another process has it, or the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = _open_locked(folder)
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from error
    try:
        _tell_owner(descriptor, what)
        yield
    finally:
        # While it is still locked: a process that waits for this file finds out that it is gone.
        (folder / LOCK_FILE).unlink(missing_ok=True)
        os.close(descriptor)


def _open_locked(folder: Path) -> int:
    """Return the descriptor of the lock file, which is locked."""
    path = folder / LOCK_FILE
    while True:
        # Not inherited: what is started here, and may outlive it, must not keep the lock.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            _lock(descriptor, folder)
            if _is_at(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        # Another process has removed the file between opening and locking it.
        os.close(descriptor)


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        message = f"{folder}: {_owner(descriptor)} works in this folder; wait for its end, or name "
        raise UserError(f"{message}another folder", exit_code=1) from error
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        print(
            f"kumihimo: {folder} is on a file system without locks ({error.strerror}); "
            "start nothing else in it",
            file=sys.stderr,
        )


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _tell_owner(descriptor: int, what: str) -> None:
    since = time.strftime("%Y-%m-%d %H:%M:%S %z")
    owner = {"what": what, "pid": os.getpid(), "host": socket.gethostname(), "since": since}
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, (json.dumps(owner) + "\n").encode(), 0)


def _owner(descriptor: int) -> str:
    """Return the owner of the lock, in words."""
    try:
        owner = json.loads(os.pread(descriptor, 4096, 0))
        who = f"another {owner['what']} (process {owner['pid']} on {owner['host']}"
        return f"{who}, since {owner['since']})"
    except (ValueError, KeyError, TypeError):
        # It has just begun, and not written its name yet.
        return "another process"
