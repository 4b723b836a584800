"""What a sweep has found so far, kept so that an interrupted one goes on where it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kumihimo.errors import UserError
from kumihimo.results.canonical import readable_json

_MARK = "study.json"
_FORMAT = "kumihimo-sweep/1"


class Store:
    """The folder of a sweep; one file for each point that has ended."""

    def __init__(self, folder: Path) -> None:
        """Open the folder, or make it.

        Raises:
            UserError: If it holds something else, or cannot be written.
        """
        self.folder = folder.resolve()
        self._points = self.folder / "points"
        mark = self.folder / _MARK
        if self.folder.exists() and not mark.is_file() and any(self.folder.iterdir()):
            raise UserError(f"{folder}: is not the folder of a sweep, and not empty")
        try:
            self._points.mkdir(parents=True, exist_ok=True)
            mark.write_text(readable_json({"format": _FORMAT}), encoding="utf-8")
        except OSError as error:
            raise UserError(f"cannot write to {folder}: {error.strerror}") from error
        self.clear_work()

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

    def clear_work(self) -> None:
        """Remove what workers left that were killed."""
        shutil.rmtree(self.folder / "work", ignore_errors=True)
