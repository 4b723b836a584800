"""Reads [parameters]: keys of platform files with lists of values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kumihimo.platform.locate import Path
from kumihimo.platform.schema import TABLE
from kumihimo.platform.schema.key import Key
from kumihimo.platform.schema.values import (
    Measure,
    Value,
    ValueProblemError,
    describe,
)
from kumihimo.problems import Problem
from kumihimo.renamed import new_key, value_hint
from kumihimo.units import DURATION, POWER, RATE, SHARE, SIZE, SPEED

SECTION = "parameters"
# How names of columns end that count in the base unit of a quantity.
_UNITS = {
    DURATION.base: "ps",
    RATE.base: "bps",
    SIZE.base: "bytes",
    SPEED.base: "flops",
    POWER.base: "uw",
    SHARE.base: "ppm",
}


@dataclass(frozen=True)
class Parameter:
    """A key that a sweep varies.

    Attributes:
        key: As platform files have it.
        raw: The values as they are written.
        values: The same in base units.
    """

    key: Key
    raw: tuple[Any, ...]
    values: tuple[Value, ...]

    @property
    def path(self) -> str:
        """The key with its section, such as "link.latency"."""
        return self.key.path

    @property
    def column(self) -> str | None:
        """The name of a column of numbers, with their unit; None if the values are no numbers."""
        if any(not isinstance(value, int) for value in self.values):
            return None
        if isinstance(self.key.type, Measure):
            return f"{self.path}_{_UNITS[self.key.type.quantity.base]}"
        return self.path

    def text(self, index: int) -> str:
        """Return a value for people."""
        return self.key.type.format(self.values[index])


def read_parameters(
    content: object, lines: Mapping[Path, int], problems: list[Problem]
) -> tuple[Parameter, ...]:
    """Return the parameters in the order of the file; what is wrong goes to `problems`.

    Args:
        content: The section as `tomllib` gives it.
        lines: The line of each key, as `locate_keys` gives it.
        problems: Takes what is wrong.
    """
    if not isinstance(content, dict):
        message = f"expected one section [{SECTION}], found {describe(content)}"
        problems.append(Problem(lines.get((SECTION,), 1), SECTION, message))
        return ()
    parameters: dict[str, Parameter] = {}
    for place, path, raw in _keys(content, (SECTION,)):
        line = lines.get(place, 1)
        try:
            parameter = _parameter(path, raw)
        except ValueProblemError as error:
            problems.append(Problem(line, f"{SECTION}.{path}", str(error)))
            continue
        if path in parameters:
            problems.append(Problem(line, f"{SECTION}.{path}", "stands here a second time"))
        parameters[path] = parameter
    return tuple(parameters.values())


def _keys(content: Mapping[str, Any], place: Path) -> Iterator[tuple[Path, str, object]]:
    """Yield the place, the path and the value of each key; quoted names may hold points."""
    for name, raw in content.items():
        here = (*place, name)
        if isinstance(raw, dict):
            yield from _keys(raw, here)
        else:
            yield here, ".".join(str(part) for part in here[1:]), raw


def _parameter(path: str, raw: object) -> Parameter:
    """Return the parameter; raise `ValueProblemError` if it is none."""
    variants = TABLE.variants(path)
    if not variants:
        raise ValueProblemError(_unknown(path))
    if not isinstance(raw, list) or not raw:
        found = "an empty list" if raw == [] else describe(raw)
        raise ValueProblemError(f"expected a list of values to go through, found {found}")
    for key in variants[:-1]:
        try:
            return _with_values(key, raw)
        except ValueProblemError:
            continue
    return _with_values(variants[-1], raw)


def _with_values(key: Key, raw: list[object]) -> Parameter:
    values = []
    for number, single in enumerate(raw, start=1):
        try:
            values.append(key.type.read(single))
        except ValueProblemError as error:
            hint = value_hint(key.path, single)
            raise ValueProblemError(f"value {number} of the list: {error}{hint}") from error
    if len(set(values)) < len(values):
        raise ValueProblemError("expected each value once, found one of them twice")
    return Parameter(key, tuple(raw), tuple(values))


def _unknown(path: str) -> str:
    renamed = new_key(path)
    if renamed is not None:
        return f"is no key of platform files; it is now {renamed}"
    section, _, name = path.rpartition(".")
    alike = TABLE.alike(section, name) if TABLE.section(section) else None
    guesses = [alike] if alike else TABLE.named(name)
    hint = f"did you mean {' or '.join(guesses)}?" if guesses else "see the platform reference"
    return f"is no key of platform files; {hint}"
