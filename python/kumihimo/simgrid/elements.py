"""Elements and their attributes, checked by the table of tags."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from kumihimo.simgrid.quantities import SPEED, Quantity, QuantityError
from kumihimo.simgrid.tags import ALIASES, TAGS, WITHOUT_COUNTERPART

if TYPE_CHECKING:
    from kumihimo.simgrid.report import Report
    from kumihimo.simgrid.xml import Element

_POLICIES = ("SHARED", "SPLITDUPLEX", "FATPIPE")
_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", re.ASCII)
_MOST_RADICALS = 1 << 21


class Reading:
    """Takes elements apart; what is wrong goes to the report, and a harmless value comes back."""

    def __init__(self, report: Report) -> None:
        """Add problems and warnings to `report`."""
        self.report = report

    def kind(self, element: Element) -> str:
        """Return the name of the element as it is spelt today."""
        return ALIASES.get(element.tag, element.tag)

    def children(self, element: Element) -> list[Element]:
        """Return the elements inside that are read."""
        expected = TAGS[self.kind(element)].children
        found = []
        for child in element.children:
            kind = self.kind(child)
            if kind in expected:
                found.append(child)
            elif kind in WITHOUT_COUNTERPART:
                name = child.attributes.get("id", "") if kind == "prop" else ""
                what = f'<{child.tag} id="{name}">' if name else f"<{child.tag}>"
                reason = WITHOUT_COUNTERPART[kind]
                self.report.warn(element, f"{what} inside it has no counterpart: {reason}")
            else:
                inside = ", ".join(f"<{name}>" for name in expected) or "no elements"
                message = f"is not known in <{element.tag}>; expected {inside}"
                self.report.complain(child, "", message)
        return found

    def attributes(self, element: Element) -> dict[str, str]:
        """Return all attributes, those that are not given by what holds without them."""
        tag = TAGS[self.kind(element)]
        known = (*tag.required, *tag.optional, *tag.ignored)
        for name, text in element.attributes.items():
            if name not in known:
                alike = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {alike[0]}?" if alike else f"expected {', '.join(known)}"
                self.report.complain(element, name, f"unknown attribute; {hint}")
            elif name in tag.ignored and text:
                message = f"{name} has no counterpart: {tag.ignored[name]}"
                self.report.warn(element, message)
        for name in tag.required:
            if name not in element.attributes:
                self.report.complain(element, name, "is missing")
        if not tag.children:
            self.children(element)
        empty = dict.fromkeys(tag.required, "")
        return {**empty, **tag.optional, **element.attributes}

    def value(self, element: Element, attribute: str, text: str, quantity: Quantity) -> int:
        """Return a number with a unit, in base units."""
        if attribute not in element.attributes and not text:
            return quantity.smallest
        try:
            return quantity.parse(text)
        except QuantityError as error:
            self.report.complain(element, attribute, str(error))
            return quantity.smallest

    def speed(self, element: Element, text: str, pstate: str = "0") -> int:
        """Return a speed in flop/s; of several, which are separated by commas, that of `pstate`."""
        speeds = text.split(",")
        if len(speeds) > 1:
            self.report.warn(
                element, "several speeds have no counterpart: only that of pstate counts"
            )
        number = float(pstate) if re.fullmatch(r"[0-9]{1,3}(\.0*)?", pstate, re.ASCII) else -1
        if not 0 <= number < len(speeds):
            message = f'expected a number from 0 to {len(speeds) - 1}, found "{pstate}"'
            self.report.complain(element, "pstate", message)
            number = 0
        return self.value(element, "speed", speeds[int(number)], SPEED)

    def count(self, element: Element, attribute: str, text: str, most: int) -> int:
        """Return a whole number from 1 to `most`."""
        if re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) and 1 <= int(text) <= most:
            return int(text)
        message = f'expected a whole number from 1 to {most}, found "{text}"'
        self.report.complain(element, attribute, message)
        return 1

    def policy(self, element: Element, attribute: str, text: str) -> str:
        """Return a sharing policy as it is spelt today."""
        policy = "SPLITDUPLEX" if text == "FULLDUPLEX" else text
        if policy in _POLICIES:
            return policy
        message = f'expected one of {", ".join(_POLICIES)}; found "{text}"'
        self.report.complain(element, attribute, message)
        return "SHARED"


def radicals_of(element: Element, text: str, reading: Reading) -> list[int]:
    """Return the numbers that "0-3,5" lists."""
    numbers: list[int] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        first = int(match[1]) if match else 0
        last = int(match[2] or first) if match else -1
        if last < first or len(numbers) + last - first >= _MOST_RADICALS:
            message = f'expected numbers and ranges such as "0-3,5", found "{text:.60}"'
            reading.report.complain(element, "radical", message)
            return []
        numbers += range(first, last + 1)
    return numbers
