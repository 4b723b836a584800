"""What a study has found, as its page shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kumihimo.sweep.figures import Figure


@dataclass(frozen=True)
class Line:
    """A line of the table that puts a publication beside what was found.

    Attributes:
        what: The quantity.
        paper: What was published; "-" for nothing.
        here: What was found.
        why: Why they differ, or why they agree.
    """

    what: str
    paper: str
    here: str
    why: str


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
        findings: The results in sentences, the most important first.
        lines: The publication beside what was found.
        tables: All results.
        figures: Pictures of them.
        failed: Whether points failed.
    """

    title: str
    introduction: Sequence[str]
    findings: Sequence[str]
    lines: Sequence[Line]
    tables: Sequence[StudyTable]
    figures: Sequence[Figure] = field(default=())
    failed: bool = False
