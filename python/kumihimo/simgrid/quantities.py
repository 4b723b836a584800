"""Numbers with units as SimGrid writes them, into the integers that are used here.

SimGrid computes with floating-point numbers, so any value is rounded to the nearest whole number of
base units here, without a warning, for a picosecond or a bit per second is less than
what its own arithmetic loses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

_NUMBER_AND_UNIT = re.compile(
    r"\s*(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?)\s*(?P<unit>[A-Za-z]*)\s*",
    re.ASCII,
)
_LONGEST_TEXT = 60
_PREFIXES = ("", "k", "M", "G", "T", "P", "E", "Z", "Y")


class QuantityError(ValueError):
    """A text that is no value of the quantity; the message says what was expected."""


@dataclass(frozen=True)
class Quantity:
    """A kind of number with units.

    Attributes:
        expected: What to write, for messages.
        units: Each unit with its size in base units.
        default: The unit of a bare number.
        smallest: In base units.
        largest: In base units.
    """

    expected: str
    units: Mapping[str, Fraction | int]
    default: str
    smallest: int
    largest: int

    def parse(self, text: str) -> int:
        """Return the value of `text` in base units.

        Raises:
            QuantityError: If it is no number with a unit, or out of range.
        """
        match = None if len(text) > _LONGEST_TEXT else _NUMBER_AND_UNIT.fullmatch(text)
        unit = "" if match is None else match["unit"] or self.default
        if match is None or unit not in self.units:
            raise QuantityError(f'expected {self.expected}, found "{text:.60}"')
        value = round(Fraction(match["number"]) * self.units[unit])
        if not self.smallest <= value <= self.largest:
            raise QuantityError(f'"{text}" is out of range; expected {self.expected}')
        return value


def _decimal(unit: str, scale: int = 1) -> dict[str, int]:
    return {f"{prefix}{unit}": scale * 1000**power for power, prefix in enumerate(_PREFIXES)}


def _binary(unit: str, scale: int) -> dict[str, int]:
    return {
        f"{prefix.upper()}i{unit}": scale * 1024**power
        for power, prefix in enumerate(_PREFIXES)
        if prefix
    }


_LONG_PREFIXES = ("", "kilo", "mega", "giga", "tera", "peta", "exa", "zetta", "yotta")

BANDWIDTH = Quantity(
    'a bandwidth such as "125MBps" or "10Gbps", from 1bps to 1Pbps',
    {
        **_decimal("Bps", 8),
        **_decimal("bps"),
        **_binary("Bps", 8),
        **_binary("bps", 1),
        "KBps": 8000,
        "Kbps": 1000,
    },
    "Bps",
    1,
    10**15,
)
LATENCY = Quantity(
    'a latency such as "50us", from 0 to a day',
    {
        "ps": 1,
        "ns": 10**3,
        "us": 10**6,
        "ms": 10**9,
        "s": 10**12,
        "m": 60 * 10**12,
        "h": 3600 * 10**12,
        "d": 86400 * 10**12,
        "w": 7 * 86400 * 10**12,
    },
    "s",
    0,
    86400 * 10**12,
)
SPEED = Quantity(
    'a speed such as "1Gf", from 1f to 1000Pf',
    {
        **_decimal("f"),
        **_decimal("flops"),
        **{f"{prefix}flops": 1000**power for power, prefix in enumerate(_LONG_PREFIXES)},
    },
    "f",
    1,
    10**18,
)
