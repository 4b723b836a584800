"""Places in a program's code that call MPI, as files of the user's name them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from kumihimo.results.source_lines import code_of_line

EXAMPLE_OF_SITE = '"a.out+0x1234" or "app.c:62"'
_OFFSET = re.compile(r"(?P<module>.+)\+0x(?P<offset>[0-9a-fA-F]{1,16})")
_LINE = re.compile(r"(?P<file>.+):(?P<line>[1-9][0-9]{0,8})")


def is_site(raw: object) -> bool:
    """Whether this is a place: a program or library with a return address, or a line."""
    if not isinstance(raw, str) or any(letter in raw for letter in "\t\n\0"):
        return False
    offset = _OFFSET.fullmatch(raw)
    return int(offset["offset"], 16) > 0 if offset else _LINE.fullmatch(raw) is not None


def code_of(site: str, program: Path) -> tuple[str, list[tuple[int, int]]]:
    """Return program or library, and there the ranges of code in which call instructions are.

    Args:
        site: For which `is_site` is true.
        program: In which lines are searched.

    Returns:
        No ranges if the program has no code of the line.
    """
    if offset := _OFFSET.fullmatch(site):
        # A call returns to what comes after it.
        end = int(offset["offset"], 16)
        return offset["module"], [(end - 1, end)]
    line = _LINE.fullmatch(site)
    assert line is not None
    return program.name, code_of_line(program, line["file"], int(line["line"]))


def no_code(program: Path, site: str) -> str:
    """Say that `code_of` has found none."""
    return f"{program} has no code of {site}; was it compiled with -g?"


def ranges_text(ranges: Iterable[tuple[int, int]]) -> str:
    """Return ranges of code as ranks read them: see src/mpi/code/code_places.hpp."""
    return ",".join(f"{begin:x}-{end:x}" for begin, end in ranges)
