"""XML into a tree of elements that know their lines.

The parser is the standard library's expat. It opens no other file: the document type is passed
over, and a file that declares entities is refused, so that none can be expanded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from kumihimo.problems import Problem, error_from

if TYPE_CHECKING:
    from kumihimo.problems import PlatformError

_DEEPEST = 64


@dataclass
class Element:
    """An element with everything inside it.

    Attributes:
        tag: Its name.
        attributes: As they are written.
        line: Where it begins, counted from 1.
        children: In the order of the file.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def __str__(self) -> str:
        """Return the element as messages name it: with the first attribute that identifies it."""
        for name in ("id", "src", "host", "element"):
            if name in self.attributes:
                return f'<{self.tag} {name}="{self.attributes[name]}">'
        return f"<{self.tag}>"


class _EntityError(Exception):
    """The file declares an entity."""


class _DepthError(Exception):
    """Elements are nested too deeply."""


class _Builder:
    """Takes what expat finds and puts it together."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._entity

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        if len(self._open) == _DEEPEST:
            raise _DepthError
        self._open.append(element)

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _entity(self, *_declaration: object) -> None:
        raise _EntityError


def parse_xml(data: bytes, file: str) -> Element:
    """Return the root element.

    Raises:
        PlatformError: If this is no well-formed XML, declares entities, or is nested more than 64
            elements deep.
    """
    builder = _Builder()
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as error:
        what = expat.errors.messages[error.code]
        raise _error(file, error.lineno, f"no well-formed XML: {what}") from error
    except _EntityError as error:
        message = "declares an entity; expected a file without <!ENTITY>"
        raise _error(file, builder.parser.CurrentLineNumber, message) from error
    except _DepthError as error:
        message = f"expected elements at most {_DEEPEST} deep"
        raise _error(file, builder.parser.CurrentLineNumber, message) from error
    assert builder.root is not None, "expat complains about a document without elements"
    return builder.root


def _error(file: str, line: int, message: str) -> PlatformError:
    return error_from(file, [Problem(line, "", message)])
