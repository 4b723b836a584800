"""Where machine code comes from: lines of the source, by the debugging information in it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# Arguments of one call of addr2line.
_BATCH = 1_000
# "app.c   62   0x1139   x": where the code of a line begins; "-" in place of the line: the end.
_ROW = re.compile(r"(?P<file>\S.*?)\s+(?P<line>\d+|-)\s+(?P<address>0x[0-9a-f]+|0)\b")


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


def code_of_line(module: Path, file: str, line: int) -> list[tuple[int, int]]:
    """Return the code of a line: ranges of addresses of the module's file, their ends not included.

    Args:
        module: The file of a program or library.
        file: A source file; only its name counts.
        line: In that, from 1.

    Returns:
        The ranges in ascending order; none if there is no such code, the module has no debugging
        information, or binutils' objdump is not installed.
    """
    tool = shutil.which("objdump")
    if tool is None or not module.is_file():
        return []
    done = subprocess.run(
        [tool, "--dwarf=decodedline", "-w", str(module)],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    name = Path(file).name
    found = set()
    begin: int | None = None
    for text in done.stdout.splitlines():
        row = _ROW.match(text)
        if row is None:
            continue
        address = int(row["address"], 16)
        if begin is not None and begin < address:
            found.add((begin, address))
        is_line = Path(row["file"]).name == name and row["line"] == str(line)
        begin = address if is_line else None
    return sorted(found)


def _parse(text: str) -> SourceLine | None:
    # "/src/app.c:62 (discriminator 3)", "??:0", "app.c:?"
    file, _, rest = text.rpartition(":")
    number = rest.split(" ")[0]
    if not number.isdecimal() or int(number) == 0 or file == "??":
        return None
    return SourceLine(file, int(number))
