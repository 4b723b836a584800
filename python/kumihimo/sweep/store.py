"""What a sweep has found so far, kept so that an interrupted one goes on where it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kumihimo.errors import UserError
from kumihimo.results.canonical import readable_json
from kumihimo.sweep.lock import LOCK_FILE, locked

_MARK = "sweep.json"
_FORMAT = "kumihimo-sweep/1"
_WORK = "work"


@contextmanager
def opened_store(folder: Path) -> Iterator[Store]:
    """Open the folder of a sweep, or make it, and keep it for this process until the block ends.

    Raises:
        UserError: If it holds something else, another sweep works in it, or it cannot be written.
    """
    resolved = folder.resolve()
    if resolved.exists() and not _is_of_sweep(resolved):
        raise UserError(f"{folder}: is not the folder of a sweep, and not empty")
    with locked(folder, "sweep"):
        try:
            yield Store(resolved)
        finally:
            shutil.rmtree(resolved / _WORK, ignore_errors=True)


def _is_of_sweep(folder: Path) -> bool:
    if not folder.is_dir():
        return False
    return (folder / _MARK).is_file() or all(path.name == LOCK_FILE for path in folder.iterdir())


class Store:
    """The folder of a sweep; one file for each point that has ended.

    Attributes:
        folder: Its path.
        work: The folder in it for what workers and Dask write meanwhile.
    """

    def __init__(self, folder: Path) -> None:
        """Prepare the folder, which no other sweep uses.

        Raises:
            UserError: If it cannot be written.
        """
        self.folder = folder
        self.work = folder / _WORK
        self._points = folder / "points"
        # What workers left that were killed.
        shutil.rmtree(self.work, ignore_errors=True)
        try:
            self._points.mkdir(exist_ok=True)
            (folder / _MARK).write_text(readable_json({"format": _FORMAT}), encoding="utf-8")
        except OSError as error:
            raise UserError(f"cannot write to {folder}: {error.strerror}") from error

    def completed(self, identity: str) -> dict[str, Any] | None:
        """Return the row of a point that is complete; None if it has to be run."""
        try:
            row = json.loads((self._points / f"{identity}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        is_complete = isinstance(row, dict) and row.get("status") == "complete"
        return row if is_complete else None

    def keep(self, identity: str, row: Mapping[str, Any]) -> None:
        """Write a row, whole or not at all.

        Raises:
            UserError: If that is not possible.
        """
        stage = self._points / f".{identity}.new"
        try:
            stage.write_text(readable_json(row), encoding="utf-8")
            stage.rename(self._points / f"{identity}.json")
        except OSError as error:
            raise UserError(f"cannot write to {self._points}: {error.strerror}") from error
