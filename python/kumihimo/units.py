"""Numbers with units, read without loss into integers and printed back.

Virtual time and sizes are integers everywhere in Kumihimo, so "2.5 us" must become exactly
2,500,000 ps and "0.3 ps" must be refused. Nothing here goes through a binary fraction.

Prefixes are exact: kB (also KB) is 1000 bytes, KiB is 1024 bytes; b is a bit, B is a byte. Case
matters, since "Gb/s" and "GB/s" differ by eight.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

_NUMBER_AND_UNIT = re.compile(
    r"\s*(?P<number>[+-]?[0-9]+(?:_[0-9]+)*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?)"
    r"\s*(?P<unit>\S.*?)?\s*",
    re.ASCII,
)
# Longer numbers are not meant; refusing them keeps the arithmetic small.
_LONGEST_TEXT = 60


class UnitError(ValueError):
    """A text that is no value of the quantity; the message says what was expected."""


@dataclass(frozen=True)
class Quantity:
    """A kind of number with its units, such as durations.

    Attributes:
        name: With its article, for messages: "a duration".
        base: What the integers count, in the plural, for messages: "picoseconds".
        example: A value as it would be written.
        units: Each accepted unit with its size in base units.
        printed: Units to print in, largest first; the last has size 1.
        zero: How zero is printed.
        aliases: Accepted units that messages do not list.
        fractions: Whether a printed number may have decimal places ("2.5 µs"); otherwise a unit is
            used only if it divides the value ("1536 B", not "1.5 KiB").
    """

    name: str
    base: str
    example: str
    units: Mapping[str, int]
    printed: tuple[str, ...]
    zero: str
    aliases: frozenset[str] = frozenset()
    fractions: bool = True

    def expected(self) -> str:
        """Return what to write, for messages and the reference."""
        listed = ", ".join(unit for unit in self.units if unit not in self.aliases)
        return f'{self.name} such as "{self.example}" (units: {listed})'

    def parse(self, text: str) -> int:
        """Return the value of `text` in base units; it may be negative.

        Raises:
            UnitError: If there is no number, no unit or an unknown one, or if the value is not a
                whole number of base units.
        """
        if len(text) > _LONGEST_TEXT:
            raise UnitError(f"expected {self.expected()}, found {len(text)} characters")
        match = _NUMBER_AND_UNIT.fullmatch(text)
        if match is None:
            raise UnitError(f'expected {self.expected()}, found "{text}"')
        unit = match["unit"]
        if unit is None:
            raise UnitError(f'"{text}" has no unit; expected {self.expected()}')
        if unit not in self.units:
            raise UnitError(f'unknown unit "{unit}"{self._hint(unit)}; expected {self.expected()}')
        value = Fraction(match["number"]) * self.units[unit]
        if value.denominator != 1:
            raise UnitError(f'"{text}" is not a whole number of {self.base}')
        return value.numerator

    def format(self, value: int) -> str:
        """Return `value` (base units) as text that `parse` reads back to the same value."""
        if value == 0:
            return self.zero
        for unit in self.printed:
            size = self.units[unit]
            if abs(value) < size:
                continue
            whole, rest = divmod(abs(value), size)
            if rest == 0:
                return f"{_sign(value)}{whole} {unit}"
            if self.fractions:
                return f"{_sign(value)}{whole}.{_decimals(rest, size)} {unit}"
        raise AssertionError("the last printed unit has size 1 and divides every value")

    def _hint(self, unit: str) -> str:
        same_letters = [known for known in self.units if known.lower() == unit.lower()]
        alike = same_letters or difflib.get_close_matches(unit, self.units, n=2, cutoff=0.5)
        return f" (did you mean {' or '.join(alike)}?)" if alike else ""


def _sign(value: int) -> str:
    return "-" if value < 0 else ""


def _decimals(rest: int, size: int) -> str:
    """Return the digits of rest / size behind the point; `size` is a power of ten."""
    return str(rest).rjust(len(str(size)) - 1, "0").rstrip("0")


def _si(base: str, prefixes: str, scale: int = 1) -> dict[str, int]:
    """Return units with SI prefixes; "_" stands for none."""
    order = ("_", "k", "M", "G", "T", "P")
    return {
        ("" if prefix == "_" else prefix) + base: scale * 1000 ** order.index(prefix)
        for prefix in prefixes
    }


def _binary(base: str, scale: int = 1) -> dict[str, int]:
    return {f"{prefix}i{base}": scale * 1024**power for power, prefix in enumerate("KMGT", start=1)}


DURATION = Quantity(
    name="a duration",
    base="picoseconds",
    example="100 ns",
    # Both signs that print as micro: U+00B5 and the Greek letter U+03BC.
    units={
        "ps": 1,
        "ns": 10**3,
        "us": 10**6,
        "\u00b5s": 10**6,
        "\u03bcs": 10**6,
        "ms": 10**9,
        "s": 10**12,
    },
    printed=("s", "ms", "µs", "ns", "ps"),
    zero="0 ns",
    aliases=frozenset({"\u00b5s", "\u03bcs"}),
)

RATE = Quantity(
    name="a rate",
    base="bits per second",
    example="100 Gb/s",
    units={
        **_si("b/s", "_kMGT"),
        **_si("bit/s", "_kMGT"),
        **_si("B/s", "_kMGT", scale=8),
        **_binary("B/s", scale=8),
    },
    printed=("Tb/s", "Gb/s", "Mb/s", "kb/s", "b/s"),
    zero="0 b/s",
    aliases=frozenset(_si("bit/s", "_kMGT")),
)

SYMBOL_RATE = Quantity(
    name="a symbol rate",
    base="symbols per second",
    example="25 GBd",
    units={**_si("Bd", "_kMGT"), **_si("baud", "_kMGT")},
    printed=("TBd", "GBd", "MBd", "kBd", "Bd"),
    zero="0 Bd",
    aliases=frozenset(_si("baud", "_kMGT")),
)

SIZE = Quantity(
    name="a size",
    base="bytes",
    example="64 KiB",
    units={**_si("B", "_kMGT"), "KB": 1000, **_binary("B")},
    printed=("TiB", "TB", "GiB", "GB", "MiB", "MB", "KiB", "kB", "B"),
    zero="0 B",
    aliases=frozenset({"KB"}),
    fractions=False,
)

SPEED = Quantity(
    name="a computing speed",
    base="floating-point operations per second",
    example="4.8 Gflop/s",
    units=_si("flop/s", "_kMGTP"),
    printed=("Pflop/s", "Tflop/s", "Gflop/s", "Mflop/s", "kflop/s", "flop/s"),
    zero="0 flop/s",
)

DECIBEL = Quantity(
    name="a ratio",
    base="thousandths of a decibel",
    example="37.5 dB",
    units={"mdB": 1, "dB": 10**3},
    printed=("dB", "mdB"),
    zero="0 dB",
)

POWER = Quantity(
    name="a power",
    base="microwatts",
    example="1.2 W",
    units={"uW": 1, "mW": 10**3, "W": 10**6, "kW": 10**9},
    printed=("kW", "W", "mW", "uW"),
    zero="0 W",
)

SHARE = Quantity(
    name="a share",
    base="millionths",
    example="1 %",
    units={"ppm": 1, "%": 10**4},
    printed=("%", "ppm"),
    zero="0 %",
)
