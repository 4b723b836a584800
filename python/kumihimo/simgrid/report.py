"""What is wrong in a file, and what of it has no counterpart here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from kumihimo.problems import Problem, error_from
from kumihimo.simgrid.xml import Element


@dataclass
class _Warning:
    line: int
    element: str
    count: int = 1


@dataclass
class Report:
    """Collects problems and warnings while a file is read.

    Attributes:
        file: Its name in messages.
    """

    file: str
    _problems: list[Problem] = field(default_factory=list)
    _warnings: dict[str, _Warning] = field(default_factory=dict)

    def complain(self, element: Element, attribute: str, message: str) -> None:
        """Note a problem; `attribute` is empty if the element as a whole is meant."""
        place = f"{element} {attribute}" if attribute else str(element)
        self._problems.append(Problem(element.line, place, message))

    def fail(self, element: Element, attribute: str, message: str) -> NoReturn:
        """Give up because of a problem.

        Raises:
            PlatformError: Always, with everything that was noted.
        """
        self.complain(element, attribute, message)
        raise error_from(self.file, self._problems)

    def finish(self) -> None:
        """Give up if there are problems.

        Raises:
            PlatformError: With all of them.
        """
        if self._problems:
            raise error_from(self.file, self._problems)

    def warn(self, element: Element, message: str) -> None:
        """Note something that has no counterpart; equal messages become one, with their count.

        Of equal messages the first element in the file is named.
        """
        known = self._warnings.get(message)
        if known is None:
            self._warnings[message] = _Warning(element.line, str(element))
        else:
            known.count += 1

    def warnings(self) -> tuple[str, ...]:
        """Return all warnings by line, as `file:line: element: message`."""
        told = sorted(self._warnings.items(), key=lambda item: item[1].line)
        return tuple(
            f"{self.file}:{first.line}: {first.element}: {message}"
            + (f" ({first.count} times, first here)" if first.count > 1 else "")
            for message, first in told
        )
