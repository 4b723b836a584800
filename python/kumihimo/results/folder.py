"""A result folder comes into being whole, or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kumihimo.errors import UserError

RESULT_FILE = "result.json"
HOST_FILE = "host.json"
REPORT_FILE = "report.html"
TRACE_FILE = "trace.json.gz"
_TABLES = (
    "messages",
    "states",
    "links",
    "link_use",
    "ranks",
    "matching",
    "queue_depths",
    "link_power",
    "power_states",
    "call_sites",
    "service",
    "service_memory",
    "service_traffic",
    "approximate",
)
_OWN_NAMES = {RESULT_FILE, HOST_FILE, REPORT_FILE, TRACE_FILE} | {
    f"{table}.parquet" for table in _TABLES
}


def check_destination(directory: Path, *, overwrite: bool) -> None:
    """Check that a result may be written to `directory`, without changing an existing folder.

    Raises:
        UserError: If it may not.
    """
    _check_replaceable(directory, overwrite=overwrite)
    parent = _parent(directory)
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{directory.name}.", dir=parent):
            pass
    except OSError as error:
        raise _explain(directory, error) from error


@contextmanager
def staged_folder(directory: Path, *, overwrite: bool) -> Iterator[Path]:
    """Give a temporary sibling of `directory`, and rename it into place when the block is left.

    If the block fails, the temporary folder is removed and `directory` stays as it was.

    Raises:
        UserError: If `directory` may not be written, or there is no space.
    """
    check_destination(directory, overwrite=overwrite)
    try:
        stage = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=_parent(directory)))
    except OSError as error:
        raise _explain(directory, error) from error
    try:
        yield stage
        assert _others(stage) == [], "a later result could not take its place"
        stage.chmod(0o777 & ~_umask())
        _check_replaceable(directory, overwrite=overwrite)
        _rename_into_place(stage, directory)
    except OSError as error:
        raise _explain(directory, error) from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def replace_file(path: Path, text: str) -> None:
    """Write a file in a folder that exists: either the new contents are there, or the old ones.

    Raises:
        UserError: If the file cannot be written.
    """
    stage = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        stage.write_text(text, encoding="utf-8")
        stage.replace(path)
    except OSError as error:
        raise _explain(path, error) from error
    finally:
        stage.unlink(missing_ok=True)


def is_result_folder(directory: Path) -> bool:
    """Whether the folder looks like one that this package wrote."""
    return (directory / RESULT_FILE).is_file()


def _parent(directory: Path) -> Path:
    return directory.absolute().parent


def _check_replaceable(directory: Path, *, overwrite: bool) -> None:
    if not os.path.lexists(directory):
        return
    if not directory.is_dir():
        raise UserError(f"{directory}: is a file, not a folder that could take the result")
    if not any(directory.iterdir()):
        return
    if not is_result_folder(directory):
        raise UserError(
            f"{directory}: holds files that are not a result of Kumihimo; "
            "name another folder for the result"
        )
    if not overwrite:
        raise UserError(
            f"{directory}: holds an earlier result; name another folder, or allow it to be "
            "overwritten"
        )
    if others := _others(directory):
        raise UserError(
            f"{directory}: holds an earlier result and {others[0]}, which would be lost with it; "
            "name another folder for the result"
        )


def _others(directory: Path) -> list[str]:
    """What the folder holds that is no part of a result."""
    return sorted({path.name for path in directory.iterdir()} - _OWN_NAMES)


def _rename_into_place(stage: Path, directory: Path) -> None:
    """Put `stage` where `directory` is; what was there goes away only after that succeeded."""
    target = directory.resolve()
    if not target.exists():
        stage.rename(target)
        return
    # rename() replaces no folder that has files in it, so the old one steps aside first.
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.old.", dir=target.parent))
    target.rename(aside / "result")
    try:
        stage.rename(target)
    except OSError:
        (aside / "result").rename(target)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _explain(path: Path, error: OSError) -> UserError:
    causes = {
        errno.ENOSPC: "no space left on the disk",
        errno.EDQUOT: "the disk quota is used up",
        errno.EROFS: "the file system is read-only",
        errno.EACCES: "no permission to write there",
        errno.EPERM: "no permission to write there",
        errno.ENOTDIR: "a part of the path is a file, not a folder",
    }
    cause = causes.get(error.errno or 0, error.strerror or str(error))
    return UserError(f"{path}: the result cannot be written: {cause}; nothing was left behind", 1)
