"""The temporary files of a run."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from kumihimo.errors import UserError


@dataclass(frozen=True)
class Scratch:
    """Folders that live as long as the run.

    Attributes:
        private: Small files: MPI's own, the topology.
        records: Where the ranks write what happened, next to what will be made of it, so that it
            may be as large as that; None if nothing is recorded.
    """

    private: Path
    records: Path | None

    def paths(self) -> list[str]:
        """Return all folders, for the process that must remove them."""
        return [str(path) for path in (self.private, self.records) if path is not None]

    def remove(self) -> None:
        """Remove all folders with what is in them."""
        for path in self.paths():
            shutil.rmtree(path, ignore_errors=True)


def make_scratch(output: Path | None) -> Scratch:
    """Make the temporary folders of a run.

    Args:
        output: What will be made of the records; None if nothing is recorded.

    Raises:
        UserError: If a folder cannot be made.
    """
    private = _make_folder("kumihimo-", None)
    return Scratch(private, None if output is None else make_records_folder(output))


def make_records_folder(output: Path) -> Path:
    """Make a temporary folder of records next to what will be made of them.

    Raises:
        UserError: If it cannot be made.
    """
    return _make_folder(f".{output.name}.records-", output.absolute().parent)


def _make_folder(prefix: str, parent: Path | None) -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    except OSError as error:
        raise UserError(f"cannot make a temporary folder: {error}") from error
