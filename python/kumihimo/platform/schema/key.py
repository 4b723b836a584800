"""The parts of the table of keys: keys, sections and rules between keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Literal, TypeAlias

from kumihimo.platform.attachment import Attachment
from kumihimo.platform.schema.values import Value, ValueType


class Required(Enum):
    """Marks a key that has no default."""

    REQUIRED = "required"


REQUIRED = Required.REQUIRED


@dataclass(frozen=True)
class SameAs:
    """A default that is the value of another key, which stands before in the table.

    Attributes:
        path: That key.
        otherwise: The default where that key does not apply; None if it always does.
    """

    path: str
    otherwise: int | str | Literal[Required.REQUIRED] | None = None


PlainDefault: TypeAlias = int | str | SameAs | Literal[Required.REQUIRED]


@dataclass(frozen=True)
class ByChoice:
    """A default that follows from the value of another key, which stands before in the table.

    Attributes:
        path: That key.
        defaults: The default for each of its values that has one of its own.
        otherwise: The default for all others.
    """

    path: str
    defaults: Mapping[str, PlainDefault]
    otherwise: PlainDefault

    def at(self, value: object) -> PlainDefault:
        """Return the default where the other key has that value."""
        return self.defaults.get(str(value), self.otherwise)


@dataclass(frozen=True)
class Follows:
    """A default that is computed from other keys, which stand before in the table.

    Attributes:
        paths: Those keys.
        value: What follows from their values, in base units.
        doc: The same in words, for the reference.
        otherwise: The default where one of them does not apply, or where all of them are defaults
            themselves.
    """

    paths: tuple[str, ...]
    value: Callable[..., int]
    doc: str
    otherwise: PlainDefault


Default: TypeAlias = PlainDefault | ByChoice | Follows


@dataclass(frozen=True)
class When:
    """Says that something applies only where another key, earlier in the table, has a value."""

    path: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        """Return the condition as it would stand in a file."""
        alternatives = " or ".join(f'"{value}"' for value in self.values)
        return f"{self.path} = {alternatives}"


@dataclass(frozen=True)
class Feed:
    """Where a value goes: the network's specification, the run's configuration, or the mapping."""

    target: Literal["network", "config", "mapping"]
    path: tuple[str, ...]


def network(*path: str) -> Feed:
    """Return a place in `Platform.network_spec()`."""
    return Feed("network", path)


def config(name: str) -> Feed:
    """Return a place in `Platform.config()`."""
    return Feed("config", (name,))


def config_in(*path: str) -> Feed:
    """Return a place in a table of `Platform.config()`."""
    return Feed("config", path)


@dataclass(frozen=True)
class Key:
    """One key of a platform file.

    Attributes:
        path: Section and name with points: "link.latency"; a name alone is at the top.
        type: What its value may be.
        default: As it would be written in the file, the value of another key, what follows from
            that, or `REQUIRED`.
        feeds: Where the value goes; None if it changes nothing in a simulation. Only values that
            go somewhere belong to the canonical form of a platform.
        doc: A sentence or a few for the reference.
        when: The condition under which the key applies; None for always. Keys with one path and
            different conditions may stand side by side.
        attach: For the name of a file, relative to the platform file: reads it, or raises
            `AttachmentError`. What it holds, not its name, belongs to the canonical form.
        neutral: The value with which the key goes nowhere: nothing changes by it.
        default_only: Where the value is only the default of other keys, and goes nowhere itself.
        required_with: Of a key whose default says nothing: what cannot do without it, for the
            reference; `Platform.require` complains then.
    """

    path: str
    type: ValueType
    default: Default
    feeds: Feed | None
    doc: str
    when: When | None = None
    attach: Callable[[Path], Attachment] | None = None
    required_with: str = ""
    neutral: int | str | None = None
    default_only: When | None = None

    @property
    def name(self) -> str:
        """The last part of the path, as it stands in the section."""
        return self.path.rpartition(".")[2]

    @property
    def section(self) -> str:
        """The path of the section; empty at the top of the file."""
        return self.path.rpartition(".")[0]


@dataclass(frozen=True)
class Rule:
    """Something that several keys must keep to together.

    Attributes:
        paths: The keys whose values are looked at; the rule rests while one has no valid value.
        check: Takes the values and returns what is wrong, or None. The message is reported at the
            last of the paths that stands in the file.
        doc: A sentence for the reference; empty if the keys' own say it.
    """

    paths: tuple[str, ...]
    check: Callable[..., str | None]
    doc: str

    def problem(self, values: list[Value]) -> str | None:
        """Return what is wrong with the values of `paths`, or None."""
        return self.check(*values)


@dataclass(frozen=True)
class Section:
    """A table of the file with its keys.

    Attributes:
        name: As in the file's [name], with points if it is nested; empty for the top of the file.
        doc: What the section is about, for the reference.
        keys: In the order of the reference and of `platform show`.
        when: The condition under which the whole section applies.
        rules: What keys of this section must keep to, perhaps together with earlier ones.
    """

    name: str
    doc: str
    keys: tuple[Key, ...]
    when: When | None = None
    rules: tuple[Rule, ...] = ()

    @property
    def title(self) -> str:
        """The section as it is written in a file."""
        return f"[{self.name}]" if self.name else "the top of the file"
