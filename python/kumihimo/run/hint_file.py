"""Files of `run --hints`: hints at calls of a program whose source is not changed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from kumihimo.errors import UserError
from kumihimo.hint_keys import NUMBERED
from kumihimo.platform.locate import Path, locate_keys
from kumihimo.platform.schema.values import Count, Measure, ValueProblemError, describe
from kumihimo.platform.toml import TomlError, parse_toml
from kumihimo.problems import Problem, problems_text, read_text
from kumihimo.run.call_site import EXAMPLE_OF_SITE, code_of, is_site, no_code, ranges_text
from kumihimo.units import SIZE

_KEYS = tuple(key.name for key in NUMBERED)
_REGION_KEYS = tuple(key.name for key in NUMBERED if key.is_region)
_SWITCHES: Mapping[str, tuple[str, ...]] = {
    key.name: key.switches for key in NUMBERED if key.switches
}
_CALL_KEYS = ("function", "site", "call", "every")
_REGION_FIELDS = ("key", "from", "to", "ranks")
_HINT_FIELDS = ("key", "value", "before", "after", "ranks")
_COUNT = Count(1, 2**63 - 1)
_RANK = Count(0, 2**24)
_BUDGET = Measure(SIZE, smallest="1 KiB", largest="256 GiB")
_EAGER = Measure(SIZE, smallest="0 B", largest="256 GiB", words={"0": 0})
_FUNCTION = re.compile(r"MPIX?_[A-Za-z_0-9]+", re.IGNORECASE)
_WHERE = "the hint file"


@dataclass(frozen=True)
class HintPoint:
    """A hint at a call.

    Attributes:
        line: Where the file says so.
        path: The key there, as in "region[0].from".
        is_after: Whether it acts after the call, not before it.
        key: As programs name it.
        value: Bytes, 1 or 0.
        function: The MPI function.
        site: The place that calls it, as the file has it; None for any.
        call: Which call of each rank, from 1.
        every: After how many calls it acts again; 0: once.
        ranks: Those that it concerns; empty for all.
    """

    line: int
    path: str
    is_after: bool
    key: str
    value: int
    function: str
    site: str | None
    call: int
    every: int
    ranks: tuple[int, ...]

    def canonical(self) -> dict[str, Any]:
        """Return all that can change a result."""
        return {
            "when": "after" if self.is_after else "before",
            "key": self.key,
            "value": self.value,
            "function": self.function,
            "site": self.site,
            "call": self.call,
            "every": self.every,
            "ranks": list(self.ranks),
        }


@dataclass(frozen=True)
class HintFile:
    """A file of hints.

    Attributes:
        file: As it was named.
        points: In the order of the file.
    """

    file: str
    points: tuple[HintPoint, ...]

    def canonical(self) -> list[dict[str, Any]]:
        """Return all that can change a result."""
        return [point.canonical() for point in self.points]

    def check_ranks(self, ranks: int) -> None:
        """Check that the run has the ranks that are named.

        Raises:
            UserError: If it has not.
        """
        problems = {
            Problem(point.line, point.path, f"there is no rank {rank}: the run has {ranks}")
            for point in self.points
            for rank in point.ranks
            if rank >= ranks
        }
        if problems:
            raise UserError(problems_text(self.file, sorted(problems), _WHERE))

    def core(self, program: FilePath) -> str:
        """Return the text that ranks read: see src/mpi/hints/points.hpp.

        Args:
            program: The program that is run, in whose code lines are searched.

        Raises:
            UserError: If the program has no code of a line that is named.
        """
        problems = []
        rows = []
        for point in self.points:
            module = ""
            ranges: list[tuple[int, int]] = []
            if point.site is not None:
                module, ranges = code_of(point.site, program)
                if not ranges:
                    message = no_code(program, point.site)
                    problems.append(Problem(point.line, f"{point.path}.site", message))
            fields = (
                "after" if point.is_after else "before",
                _KEYS.index(point.key),
                point.value,
                point.function.lower(),
                point.call,
                point.every,
                module,
                ranges_text(ranges),
                ",".join(str(rank) for rank in point.ranks),
            )
            rows.append("\t".join(str(field) for field in fields) + "\n")
        if problems:
            raise UserError(problems_text(self.file, problems, _WHERE))
        return "".join(rows)

    def missed(self, folder: FilePath) -> list[dict[str, Any]]:
        """Return the points that were not reached, by what ranks wrote into `folder`."""
        found: dict[int, list[int]] = {}
        for file in folder.iterdir():
            if not file.name.isdecimal():
                continue
            for row in file.read_text(encoding="utf-8").splitlines():
                number, calls = (int(field) for field in row.split("\t"))
                found.setdefault(number, []).append(calls)
        return [
            {
                "line": self.points[number].line,
                "key": self.points[number].path,
                "call": self.points[number].call,
                "most_calls": max(calls),
                "ranks": len(calls),
            }
            for number, calls in sorted(found.items())
        ]


def load_hints(path: FilePath) -> HintFile:
    """Read a file of hints.

    Raises:
        UserError: If it cannot be read or anything in it is wrong; the message lists every problem
            with file, line and key.
    """
    return parse_hints(read_text(path, _WHERE), str(path))


def parse_hints(text: str, file: str) -> HintFile:
    """Return the hints that `text` describes; `file` is its name in messages.

    Raises:
        UserError: As `load_hints`.
    """
    text = text.replace("\r\n", "\n")
    try:
        document = parse_toml(text)
    except TomlError as error:
        raise UserError(problems_text(file, [error.problem], _WHERE)) from error
    reader = _Reader(locate_keys(text))
    points = reader.read(document)
    if reader.problems:
        raise UserError(problems_text(file, sorted(reader.problems), _WHERE))
    return HintFile(file, points)


class _Reader:
    """Goes through the document and collects what is wrong."""

    def __init__(self, lines: Mapping[Path, int]) -> None:
        self._lines = lines
        self.problems: list[Problem] = []

    def read(self, document: Mapping[str, Any]) -> tuple[HintPoint, ...]:
        self._find_unknown((), document, ("region", "hint"))
        found: list[HintPoint] = []
        for name, read in (("region", self._region), ("hint", self._hint)):
            raw = document.get(name, [])
            if not isinstance(raw, list) or not all(isinstance(each, dict) for each in raw):
                self._complain((name,), f"expected [[{name}]], found {describe(raw)}")
                continue
            for number, each in enumerate(raw):
                found += read((name, number), each)
        if not found and not self.problems:
            self._complain((), "no hints; expected [[region]] or [[hint]]")
        # What acts at one call does so in the order of the file.
        return tuple(sorted(found, key=lambda point: point.line))

    def _region(self, at: Path, raw: Mapping[str, Any]) -> list[HintPoint]:
        self._find_unknown(at, raw, _REGION_FIELDS)
        key = raw.get("key", "IN_KERNEL")
        if key not in _REGION_KEYS:
            wanted = " or ".join(f'"{name}"' for name in _REGION_KEYS)
            message = f"expected {wanted}, found {describe(key)}"
            self._complain((*at, "key"), message)
        ranks = self._ranks(at, raw)
        found = []
        for name, value in (("from", 1), ("to", 0)):
            if name not in raw:
                self._complain(at, f"{name}: missing; expected a table with the key function")
                continue
            found.append(self._point((*at, name), raw[name], str(key), value, ranks))
        return found

    def _hint(self, at: Path, raw: Mapping[str, Any]) -> list[HintPoint]:
        self._find_unknown(at, raw, _HINT_FIELDS)
        key = raw.get("key")
        if key not in _KEYS:
            names = ", ".join(f'"{name}"' for name in _KEYS)
            self._complain((*at, "key"), f"expected one of {names}, found {describe(key)}")
            return []
        value = self._hint_value(at, str(key), raw.get("value"))
        ranks = self._ranks(at, raw)
        sides = [name for name in ("before", "after") if name in raw]
        if len(sides) != 1:
            self._complain(at, "expected either before or after, a table with the key function")
            return []
        return [self._point((*at, sides[0]), raw[sides[0]], str(key), value, ranks)]

    def _hint_value(self, at: Path, key: str, raw: object) -> int:
        try:
            if key in _SWITCHES:
                if raw in _SWITCHES[key]:
                    return int(str(raw))
                wanted = " or ".join(f'"{value}"' for value in _SWITCHES[key])
                raise ValueProblemError(f"expected {wanted}, found {describe(raw)}")
            value = (_EAGER if key == "EAGER" else _BUDGET).read(raw)
        except ValueProblemError as error:
            self._complain((*at, "value"), str(error))
            return 0
        assert isinstance(value, int)
        return value

    def _point(
        self, at: Path, raw: object, key: str, value: int, ranks: tuple[int, ...]
    ) -> HintPoint:
        table: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
        if not isinstance(raw, dict):
            self._complain(at, f"expected a table with the key function, found {describe(raw)}")
        self._find_unknown(at, table, _CALL_KEYS)
        function = table.get("function")
        if raw is table and not (isinstance(function, str) and _FUNCTION.fullmatch(function)):
            message = f'expected a name such as "MPI_Send", found {describe(function)}'
            self._complain((*at, "function"), message)
        site = table.get("site")
        if site is not None and not is_site(site):
            message = f"expected a place such as {EXAMPLE_OF_SITE}, found {describe(site)}"
            self._complain((*at, "site"), message)
        return HintPoint(
            line=self._lines.get(at, self._lines.get(at[:2], 1)),
            path=_joined(at),
            is_after=at[-1] in ("to", "after"),
            key=key,
            value=value,
            function=str(function),
            site=site,
            call=self._number(at, table, "call", 1),
            every=self._number(at, table, "every", 0),
            ranks=ranks,
        )

    def _number(self, at: Path, raw: Mapping[str, Any], name: str, default: int) -> int:
        if name not in raw:
            return default
        try:
            value = _COUNT.read(raw[name])
        except ValueProblemError as error:
            self._complain((*at, name), str(error))
            return default
        assert isinstance(value, int)
        return value

    def _ranks(self, at: Path, raw: Mapping[str, Any]) -> tuple[int, ...]:
        if "ranks" not in raw:
            return ()
        path = (*at, "ranks")
        if not isinstance(raw["ranks"], list) or not raw["ranks"]:
            self._complain(path, f"expected a list of ranks, found {describe(raw['ranks'])}")
            return ()
        found = set()
        for each in raw["ranks"]:
            try:
                rank = _RANK.read(each)
            except ValueProblemError as error:
                self._complain(path, str(error))
                continue
            assert isinstance(rank, int)
            found.add(rank)
        return tuple(sorted(found))

    def _find_unknown(self, at: Path, raw: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for name in raw:
            if name in known:
                continue
            alike = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
            hint = f"did you mean {alike[0]}?" if alike else f"expected {', '.join(known)}"
            self._complain((*at, name), f"unknown key; {hint}")

    def _complain(self, at: Path, message: str) -> None:
        line = next(
            (self._lines[at[:n]] for n in range(len(at), 0, -1) if at[:n] in self._lines), 1
        )
        self.problems.append(Problem(line, _joined(at), message))


def _joined(at: Path) -> str:
    key = ""
    for part in at:
        key += f"[{part}]" if isinstance(part, int) else f".{part}" if key else part
    return key
