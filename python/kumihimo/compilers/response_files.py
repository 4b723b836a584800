"""Arguments of compilers that stand in files."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

# Files that name each other in a circle are the compiler's to complain about.
_MOST_LEVELS = 10


def expand_response_files(arguments: Sequence[str], levels: int = _MOST_LEVELS) -> list[str]:
    """Return arguments with what stands in the file in place of each `@FILE`, as clang does.

    What names no file that can be read stays as it is, for the compiler to judge.
    """
    expanded: list[str] = []
    for argument in arguments:
        found = _arguments_in(argument[1:]) if argument.startswith("@") and levels > 0 else None
        if found is None:
            expanded.append(argument)
        else:
            expanded += expand_response_files(found, levels - 1)
    return expanded


def _arguments_in(path: str) -> list[str] | None:
    try:
        return shlex.split(Path(path).read_text())
    except (OSError, ValueError):
        return None
