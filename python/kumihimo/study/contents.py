"""What a study has found, as its page shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kumihimo.sweep.figures import Figure


@dataclass(frozen=True)
class Finding:
    """One result, for programs that read the numbers of a study.

    Attributes:
        name: The quantity.
        paper: What was published: a number if it is one, else text; None for nothing.
        here: What was found, likewise.
        unit: Of the numbers; empty if there are none.
        why: Why they differ, or why they agree.
    """

    name: str
    paper: float | str | None
    here: float | str | None
    unit: str
    why: str


@dataclass(frozen=True)
class Numbers:
    """A published result and what was found, in numbers; None where one is none."""

    paper: float | None
    here: float | None
    unit: str


@dataclass(frozen=True)
class Line:
    """A line of the table that compares a publication with what was found.

    Attributes:
        what: The quantity.
        paper: What was published; "-" for nothing.
        here: What was found.
        why: Why they differ, or why they agree.
        numbers: The same in numbers, as far as it consists of one.
    """

    what: str
    paper: str
    here: str
    why: str
    numbers: Numbers | None = None

    def finding(self) -> Finding:
        """Return the line with numbers where there are some, and else with its text."""
        numbers = self.numbers or Numbers(None, None, "")
        paper = None if self.paper == "-" else self.paper
        return Finding(
            self.what,
            paper if numbers.paper is None else numbers.paper,
            self.here if numbers.here is None else numbers.here,
            numbers.unit,
            self.why,
        )


@dataclass(frozen=True)
class StudyTable:
    """A table of results.

    Attributes:
        name: Of its Parquet file, and on the page.
        title: What it shows.
        rows: By name of column; all have the same. Numbers are in base units.
        columns: The columns on the page, by name: heading, and how a value is written.
    """

    name: str
    title: str
    rows: Sequence[Mapping[str, Any]]
    columns: Mapping[str, tuple[str, Callable[[Any], str]]]


@dataclass(frozen=True)
class Contents:
    """What a study has found.

    Attributes:
        title: Of the page.
        introduction: What was run, in paragraphs.
        summary: The results in sentences, the most important first.
        lines: The publication compared with what was found.
        findings: Further results in numbers.
        tables: All results.
        figures: Pictures of them.
        failed: Whether points failed.
    """

    title: str
    introduction: Sequence[str]
    summary: Sequence[str]
    lines: Sequence[Line]
    tables: Sequence[StudyTable]
    figures: Sequence[Figure] = field(default=())
    findings: Sequence[Finding] = field(default=())
    failed: bool = False
