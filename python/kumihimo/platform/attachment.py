"""Files that a platform file names, such as a graph; their contents belong to the platform."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class AttachmentError(ValueError):
    """Such a file cannot be used; the message says which, where, and what was expected."""


class Attachment(Protocol):
    """What was read from a file."""

    def canonical(self) -> object:
        """Return all that can change a result, in plain values."""


class NetworkAttachment(Attachment, Protocol):
    """What was read from a file that describes a topology."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What in the file has no counterpart, with file, line and element."""

    def parameters(self, link: Mapping[str, int]) -> dict[str, Any]:
        """Return the core's parameters; `link` has what the file may leave to the platform."""


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
