"""Files that a platform file names, such as a graph; their contents belong to the machine."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


class AttachmentError(ValueError):
    """Such a file cannot be used; the message says which, where, and what was expected."""


class Attachment(Protocol):
    """What was read from a file."""

    def canonical(self) -> object:
        """Return all that can change a result, in plain values."""


def read_attached_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        AttachmentError: If it cannot be read or is no UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise AttachmentError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise AttachmentError(f"{path}: the file is not UTF-8 text") from error
    except ValueError as error:
        raise AttachmentError(f"cannot read {path!s:.100}: {error}") from error
