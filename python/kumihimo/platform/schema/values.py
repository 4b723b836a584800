"""What the value of a key may be, and how it is read and printed."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, TypeAlias

from kumihimo.units import Quantity, UnitError

# A value as the rest of the program gets it: integers in base units, text, or a list of integers.
Value: TypeAlias = int | str | tuple[int, ...]


class ValueProblemError(ValueError):
    """A value that a key cannot take; the message says what was expected and what was found."""


class ValueType(Protocol):
    """Reads a TOML value into a `Value`."""

    def read(self, raw: object) -> Value:
        """Return the value, or raise `ValueProblemError`."""

    def format(self, value: Value) -> str:
        """Return the value for people to read."""

    def expected(self) -> str:
        """Return what to write, as the object of "expected"."""

    def limits(self) -> str:
        """Return the range of values for the reference; empty if there is none."""


@dataclass(frozen=True)
class Count:
    """A whole number of things, or one of a few words.

    Attributes:
        smallest: The smallest number.
        largest: The largest number.
        words: Words in place of a number, with the integers they stand for.
    """

    smallest: int
    largest: int
    words: Mapping[str, int] = field(default_factory=dict)

    def read(self, raw: object) -> Value:
        """Return the number if it is an integer within the limits."""
        if isinstance(raw, str) and raw in self.words:
            return self.words[raw]
        if not isinstance(raw, int) or isinstance(raw, bool):
            raise ValueProblemError(f"expected {self.expected()}, found {describe(raw)}")
        if not self.smallest <= raw <= self.largest:
            raise ValueProblemError(f"expected {self.expected()}, found {raw}")
        return raw

    def format(self, value: Value) -> str:
        """Return the word or the number."""
        for word, meaning in self.words.items():
            if value == meaning:
                return word
        return str(value)

    def expected(self) -> str:
        """Return the kind of number and its limits."""
        number = f"a whole number from {self.smallest} to {self.largest}"
        return " or ".join([number, *(f'"{word}"' for word in self.words)])

    def limits(self) -> str:
        """Return the range."""
        return ", ".join([f"{self.smallest} to {self.largest}", *(f'"{w}"' for w in self.words)])


@dataclass(frozen=True)
class Measure:
    """A number with a unit, within limits, or one of a few words.

    Attributes:
        quantity: The kind of number.
        smallest: The smallest value, as it would be written.
        largest: The largest value, as it would be written.
        words: Words in place of a number, with the integers they stand for.
    """

    quantity: Quantity
    smallest: str
    largest: str
    words: Mapping[str, int] = field(default_factory=dict)

    def read(self, raw: object) -> Value:
        """Return the value in base units if it is within the limits."""
        if isinstance(raw, int | float) and not isinstance(raw, bool):
            raise ValueProblemError(f"the number {raw} has no unit; expected {self.expected()}")
        if not isinstance(raw, str):
            raise ValueProblemError(f"expected {self.expected()}, found {describe(raw)}")
        if raw in self.words:
            return self.words[raw]
        try:
            value = self.quantity.parse(raw)
        except UnitError as error:
            hint = f", or {self._words()}" if self.words else ""
            raise ValueProblemError(f"{error}{hint}") from error
        if value < self.quantity.parse(self.smallest):
            raise ValueProblemError(f'must be at least {self.smallest}, found "{raw}"')
        if value > self.quantity.parse(self.largest):
            raise ValueProblemError(f'must be at most {self.largest}, found "{raw}"')
        return value

    def format(self, value: Value) -> str:
        """Return the word or the number with a unit."""
        for word, meaning in self.words.items():
            if value == meaning:
                return word
        assert isinstance(value, int)
        return self.quantity.format(value)

    def expected(self) -> str:
        """Return the kind of value with its units."""
        return self.quantity.expected() + (f", or {self._words()}" if self.words else "")

    def limits(self) -> str:
        """Return the range."""
        words = f", or {self._words()}" if self.words else ""
        return f"{self.smallest} to {self.largest}{words}"

    def _words(self) -> str:
        return ", ".join(f'"{word}"' for word in self.words)


@dataclass(frozen=True)
class Probability:
    """A plain number between two limits, or one of a few words; kept as a whole number of 10^-18.

    Attributes:
        smallest: The smallest number, as it would be written.
        largest: The largest number, as it would be written.
        words: Words in place of a number, with the integers they stand for.
    """

    smallest: str
    largest: str
    words: Mapping[str, int] = field(default_factory=dict)

    def read(self, raw: object) -> Value:
        """Return the number in units of 10^-18 if it is within the limits."""
        if isinstance(raw, str) and raw in self.words:
            return self.words[raw]
        if not isinstance(raw, int | float) or isinstance(raw, bool):
            raise ValueProblemError(f"expected {self.expected()}, found {describe(raw)}")
        if not float(self.smallest) <= raw <= float(self.largest):
            raise ValueProblemError(f"expected {self.expected()}, found {raw}")
        # The shortest text that is read back as this number is what stands in the file.
        value = Fraction(str(raw)) * _PROBABILITY_UNIT
        if value.denominator != 1:
            raise ValueProblemError(f"{raw} is not a whole number of 10^-18")
        return value.numerator

    def format(self, value: Value) -> str:
        """Return the word or the number."""
        for word, meaning in self.words.items():
            if value == meaning:
                return word
        assert isinstance(value, int)
        return f"{value / _PROBABILITY_UNIT:g}"

    def expected(self) -> str:
        """Return the kind of number and its limits."""
        number = f"a number from {self.smallest} to {self.largest}, without quotes"
        return " or ".join([number, *(f'"{word}"' for word in self.words)])

    def limits(self) -> str:
        """Return the range."""
        return ", ".join([f"{self.smallest} to {self.largest}", *(f'"{w}"' for w in self.words)])


_PROBABILITY_UNIT = 10**18


@dataclass(frozen=True)
class Choice:
    """One of a set of words; each has a sentence for the reference."""

    options: Mapping[str, str]

    def read(self, raw: object) -> Value:
        """Return the word if it is one of the options."""
        if not isinstance(raw, str):
            raise ValueProblemError(f"expected {self.expected()}, found {describe(raw)}")
        if raw not in self.options:
            raise ValueProblemError(f'expected {self.expected()}, found "{raw}"')
        return raw

    def format(self, value: Value) -> str:
        """Return the word."""
        return str(value)

    def expected(self) -> str:
        """Return all options."""
        return "one of " + self.limits()

    def limits(self) -> str:
        """Return all options."""
        return ", ".join(f'"{option}"' for option in self.options)


@dataclass(frozen=True)
class Text:
    """Any text on one line."""

    def read(self, raw: object) -> Value:
        """Return the text."""
        if not isinstance(raw, str):
            raise ValueProblemError(f"expected {self.expected()}, found {describe(raw)}")
        if not raw.isprintable():
            raise ValueProblemError(f"expected {self.expected()}, found control characters")
        return raw

    def format(self, value: Value) -> str:
        """Return the text."""
        return str(value)

    def expected(self) -> str:
        """Return what it is."""
        return "a text on one line"

    def limits(self) -> str:
        """Return nothing: any text will do."""
        return ""


@dataclass(frozen=True)
class Several:
    """A list of values of one type.

    Attributes:
        element: The type of each.
        most: How many there may be.
        or_one: Whether a single value may stand for a list of its like.
    """

    element: Count | Measure
    most: int
    or_one: bool = False

    def read(self, raw: object) -> Value:
        """Return the values as a tuple, or the single one."""
        if not isinstance(raw, list):
            if self.or_one:
                return self.element.read(raw)
            raise ValueProblemError(f"expected {self.expected()}, found {describe(raw)}")
        if not 1 <= len(raw) <= self.most:
            raise ValueProblemError(f"expected {self.expected()}, found {len(raw)} values")
        return tuple(self._element(number, value) for number, value in enumerate(raw, start=1))

    def format(self, value: Value) -> str:
        """Return the values, as in the file but for quotes."""
        if not isinstance(value, tuple):
            return self.element.format(value)
        return f"[{', '.join(self.element.format(single) for single in value)}]"

    def expected(self) -> str:
        """Return what each value is."""
        one = f"{self.element.expected()}, or " if self.or_one else ""
        return (
            f"{one}a list of 1 to {self.most} such values"
            if one
            else (f"a list of 1 to {self.most} values, each {self.element.expected()}")
        )

    def limits(self) -> str:
        """Return the range of each value."""
        one = "one value or a list" if self.or_one else "a list"
        return f"{one} of up to {self.most}: {self.element.limits()}"

    def _element(self, number: int, raw: object) -> int:
        try:
            value = self.element.read(raw)
        except ValueProblemError as error:
            raise ValueProblemError(f"value {number} of the list: {error}") from error
        assert isinstance(value, int)
        return value


def describe(raw: object) -> str:
    """Return what a TOML value is, in TOML's words, for messages."""
    if isinstance(raw, bool):
        return f"the truth value {str(raw).lower()}"
    if isinstance(raw, int | float):
        return f"the number {raw}"
    if isinstance(raw, str):
        return f'the text "{raw}"'
    if isinstance(raw, list):
        return "an array"
    if isinstance(raw, dict):
        return "a table"
    if isinstance(raw, datetime.date | datetime.time):
        return "a date or time"
    raise AssertionError(f"no TOML value: {raw!r}")
