"""Finds the line of every key in a TOML text, which `tomllib` does not report.

The text must have been accepted by `tomllib` before: nothing is checked here, only followed.
"""

from __future__ import annotations

import tomllib
from typing import TypeAlias

# Keys, and indices of arrays; ("channel", 0, "rate") is `rate` under the first [[channel]].
Path: TypeAlias = tuple[str | int, ...]

# What ends a number, truth value or date; a blank does not, since a date may hold one.
_BARE_END = frozenset("\n,]}#")


def locate_keys(text: str) -> dict[Path, int]:
    """Return the line, counted from 1, on which each key or table of a valid TOML text stands.

    A table made by a header has the header's line, every other table the line where it first
    occurs. Elements of arrays are listed by their index.
    """
    return _Locator(text).document()


class _Locator:
    """One pass over the text; `_at` is the position."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        # Positions only grow, so lines are counted on the way instead of from the start each time.
        self._counted_to = 0
        self._counted_line = 1
        self._lines: dict[Path, int] = {}
        # How many elements each array of tables has so far.
        self._elements: dict[Path, int] = {}

    def document(self) -> dict[Path, int]:
        table: Path = ()
        while self._skip_space_and_comments():
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._key_and_value(table)
        return self._lines

    def _header(self) -> Path:
        line = self._line()
        is_array = self._text.startswith("[[", self._at)
        self._at += 2 if is_array else 1
        keys = self._dotted_key()
        self._at += 2 if is_array else 1
        path = self._enter((), keys[:-1], line)
        path = (*path, keys[-1])
        if is_array:
            self._lines.setdefault(path, line)
            index = self._elements.get(path, 0)
            self._elements[path] = index + 1
            path = (*path, index)
        # A header says more than an earlier mention such as [a.b] before [a].
        self._lines[path] = line
        return path

    def _key_and_value(self, table: Path) -> None:
        line = self._line()
        keys = self._dotted_key()
        path = (*self._enter(table, keys[:-1], line), keys[-1])
        self._lines.setdefault(path, line)
        self._at += 1  # "="
        self._value(path)

    def _enter(self, table: Path, keys: list[str], line: int) -> Path:
        """Return the path of `keys` under `table`, in the latest element of arrays of tables."""
        path = table
        for key in keys:
            path = (*path, key)
            self._lines.setdefault(path, line)
            if path in self._elements:
                path = (*path, self._elements[path] - 1)
        return path

    def _dotted_key(self) -> list[str]:
        keys = []
        while True:
            self._skip_blanks()
            start = self._at
            if self._text[start] in "\"'":
                self._string()
                keys.append(str(tomllib.loads(f"k = {self._text[start : self._at]}")["k"]))
            else:
                while self._text[self._at] not in " \t.=]":
                    self._at += 1
                keys.append(self._text[start : self._at])
            self._skip_blanks()
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    def _value(self, path: Path) -> None:
        self._skip_blanks()
        first = self._text[self._at]
        if first in "\"'":
            self._string()
        elif first == "[":
            self._array(path)
        elif first == "{":
            self._inline_table(path)
        else:
            while self._at < len(self._text) and self._text[self._at] not in _BARE_END:
                self._at += 1

    def _array(self, path: Path) -> None:
        self._at += 1
        index = 0
        while self._skip_space_and_comments() and self._text[self._at] != "]":
            if self._text[self._at] == ",":
                self._at += 1
                continue
            self._lines[(*path, index)] = self._line()
            self._value((*path, index))
            index += 1
        self._at += 1

    def _inline_table(self, path: Path) -> None:
        self._at += 1
        while self._skip_space_and_comments() and self._text[self._at] != "}":
            if self._text[self._at] == ",":
                self._at += 1
                continue
            self._key_and_value(path)
        self._at += 1

    def _string(self) -> None:
        quote = self._text[self._at]
        delimiter = quote * 3 if self._text.startswith(quote * 3, self._at) else quote
        self._at += len(delimiter)
        while not self._text.startswith(delimiter, self._at):
            self._at += 2 if quote == '"' and self._text[self._at] == "\\" else 1
        self._at += len(delimiter)
        # A multi-line string may end with up to two quotes of its own before the delimiter.
        while len(delimiter) == 3 and self._text.startswith(quote, self._at):
            self._at += 1

    def _skip_blanks(self) -> None:
        while self._at < len(self._text) and self._text[self._at] in " \t":
            self._at += 1

    def _skip_space_and_comments(self) -> bool:
        """Move to the next character that means something; return False at the end."""
        while self._at < len(self._text):
            character = self._text[self._at]
            if character == "#":
                end = self._text.find("\n", self._at)
                self._at = len(self._text) if end < 0 else end
            elif character in " \t\r\n":
                self._at += 1
            else:
                return True
        return False

    def _line(self) -> int:
        self._counted_line += self._text.count("\n", self._counted_to, self._at)
        self._counted_to = self._at
        return self._counted_line
