"""Finds the line of a key or an element in a JSON text, which `json` does not report.

The text must have been accepted by `json` before: nothing is checked here, only followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from kumihimo.platform.locate import Path

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\n\r]*")


def line_of(text: str, path: Path) -> int:
    """Return the line, counted from 1, of what a path leads to in a valid JSON text.

    Of a member of an object it is that of its name. Where the path leads to nothing, it is the line
    of the last thing on the way that there is. O(length of the text).
    """
    place = value = _skip_blanks(text, 0)
    for step in path:
        # Of members with one name `json` takes the last.
        found = [where for name, *where in _inside(text, value) if name == step]
        if not found:
            break
        place, value = found[-1]
    return text.count("\n", 0, place) + 1


def _inside(text: str, value: int) -> Iterator[tuple[str | int, int, int]]:
    """Yield of each part of an object or array its name or number, its place and its value's."""
    if text[value] not in "{[":
        return
    at = _skip_blanks(text, value + 1)
    number = 0
    while text[at] not in "}]":
        place, name = at, number
        if text[value] == "{":
            name, at = _DECODER.raw_decode(text, at)
            at = _skip_blanks(text, _skip_blanks(text, at) + 1)  # ":"
        yield name, place, at
        _, at = _DECODER.raw_decode(text, at)
        at = _skip_blanks(text, at)
        if text[at] == ",":
            at = _skip_blanks(text, at + 1)
        number += 1


def _skip_blanks(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    assert match is not None, "it matches nothing, too"
    return match.end()
