"""What is varied: techniques by their short names, or any key of platform files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.platform.schema import TABLE
from kumihimo.platform.schema.values import ValueProblemError
from kumihimo.study.campaign import Value

APPROX = "approx"
# Short names of techniques, and their keys in platform files.
TECHNIQUES = {
    "link-power": "link_power.policy",
    "service": "mpi.service.kind",
    "matching": "mpi.matching.model",
    "collectives": "mpi.collectives.mode",
}


@dataclass(frozen=True)
class Axis:
    """Something that is varied.

    Attributes:
        name: As the user gave it.
        column: Where the table of a sweep has it.
        values: As that table has them, the first one being the measure.
    """

    name: str
    column: str
    values: tuple[str, ...]

    @property
    def is_technique(self) -> bool:
        """Whether its values say by themselves what they are."""
        return self.name == APPROX or self.name in TECHNIQUES

    def shown(self, value: str) -> str:
        """Return a value for people: of a file its name."""
        return Path(value).name if self.name == APPROX else value


def read_axis(text: str) -> Axis:
    """Return what `--vary NAME=VALUE,VALUE...` says.

    Raises:
        UserError: If it has no name, fewer than two values, or one of them twice.
    """
    name, equals, listed = (part.strip() for part in text.partition("="))
    values = tuple(_as_in_tables(name, value.strip()) for value in listed.split(","))
    if not equals or not name:
        raise UserError(f"--vary: expected NAME=VALUE,VALUE..., found {text!r}")
    if "" in values or len(values) < 2 or len(set(values)) < len(values):
        raise UserError(f"--vary {name}: expected at least two values, each once")
    if name not in TECHNIQUES and name != APPROX and "." not in name:
        known = ", ".join([*TECHNIQUES, APPROX])
        raise UserError(
            f'--vary: there is no {name!r}; expected {known}, or a key such as "link.latency"'
        )
    return Axis(name, TECHNIQUES.get(name, name), values)


def _as_in_tables(path: str, text: str) -> str:
    """Return a key's value as the table of a sweep has it: "1000 ns" is "1 µs" there.

    What cannot be read is returned as it is; the sweep refuses it.
    """
    for key in TABLE.variants(path):
        try:
            return key.type.format(key.type.read(_value(text)))
        except ValueProblemError:
            continue
    return text


def settings_of(axes: Sequence[Axis]) -> dict[str, list[Value]]:
    """Return the values of keys of the platform, by path, as a sweep has them."""
    return {
        axis.column: [_value(value) for value in axis.values]
        for axis in axes
        if axis.name != APPROX
    }


def policies_of(axes: Sequence[Axis]) -> tuple[str, ...]:
    """Return what allows errors in messages; empty if that is not varied."""
    return tuple(value for axis in axes if axis.name == APPROX for value in axis.values)


def _value(text: str) -> int | float | str:
    """Return a number as such: keys that count take no text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
