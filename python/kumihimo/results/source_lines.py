"""Where machine code comes from: lines of the source, by the debugging information in it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# Arguments of one call of addr2line.
_BATCH = 1_000


@dataclass(frozen=True)
class SourceLine:
    """A line of a source file, counted from 1."""

    file: str
    line: int


def source_lines(module: Path, offsets: Sequence[int]) -> dict[int, SourceLine]:
    """Return the lines of the calls that return to places of a program or library.

    Args:
        module: Its file.
        offsets: The places, as addresses of the file.

    Returns:
        By offset; without those that are not known: the file has no debugging information, or
        binutils' addr2line is not installed.
    """
    tool = shutil.which("addr2line")
    if tool is None or not module.is_file():
        return {}
    found: dict[int, SourceLine] = {}
    for begin in range(0, len(offsets), _BATCH):
        batch = offsets[begin : begin + _BATCH]
        # A call returns to what comes after it, which may be of another line.
        addresses = [f"{offset - 1:#x}" for offset in batch]
        done = subprocess.run(
            [tool, "-e", str(module), *addresses],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        for offset, text in zip(batch, done.stdout.splitlines(), strict=False):
            line = _parse(text)
            if line is not None:
                found[offset] = line
    return found


def _parse(text: str) -> SourceLine | None:
    # "/src/app.c:62 (discriminator 3)", "??:0", "app.c:?"
    file, _, rest = text.rpartition(":")
    number = rest.split(" ")[0]
    if not number.isdecimal() or int(number) == 0 or file == "??":
        return None
    return SourceLine(file, int(number))
