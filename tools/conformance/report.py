"""The tables of docs/conformance.md, from what was run."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from conformance.judging import Verdict
from conformance.records import Record, Records
from conformance.sides import NATIVE

SUITES = ("mpich", "mpi4py")
_SIDES = (NATIVE.name, "kumihimo")


def table(pairs: Sequence[tuple[Record, Record]]) -> str:
    """Return Markdown: a row for each category, and one for all.

    Args:
        pairs: For each entry what came out natively and over Kumihimo.
    """
    lines = [
        "| category | entries | pass natively | of these over Kumihimo | only over Kumihimo |",
        "|---|---|---|---|---|",
    ]
    categories = list(dict.fromkeys(native.category for native, _ in pairs))
    for category in categories:
        chosen = [pair for pair in pairs if pair[0].category == category]
        lines.append(_row(category, chosen))
    if len(categories) > 1:
        lines.append(_row("**all**", pairs))
    return "\n".join(lines) + "\n"


def _row(name: str, pairs: Sequence[tuple[Record, Record]]) -> str:
    native = sum(left.is_good for left, _ in pairs)
    both = sum(left.is_good and right.is_good for left, right in pairs)
    only = sum(right.is_good and not left.is_good for left, right in pairs)
    return f"| {name} | {len(pairs)} | {native} | {both} | {only} |"


def differences(pairs: Iterable[tuple[Record, Record]]) -> str:
    """Return Markdown: each entry whose sides do not agree, and why."""
    lines = [
        f"- `{native.entry}`: natively {_told(native)}, over Kumihimo {_told(simulated)}"
        for native, simulated in pairs
        if native.is_good != simulated.is_good
    ]
    return "\n".join(lines or ["None."]) + "\n"


def failures(pairs: Iterable[tuple[Record, Record]]) -> str:
    """Return Markdown: each entry that fails on both sides, and why."""
    lines = [
        f"- `{native.entry}`: natively {_told(native)}, over Kumihimo {_told(simulated)}"
        for native, simulated in pairs
        if not native.is_good and not simulated.is_good
    ]
    return "\n".join(lines or ["None."]) + "\n"


def _told(record: Record) -> str:
    if record.verdict == Verdict.FAILED:
        return record.reason.replace("|", "\\|")
    return record.verdict


def replaced(page: str, suite: str, text: str) -> str:
    """Return a page with other text between the marks of a suite.

    Raises:
        ValueError: If the page has no such marks.
    """
    begin, end = f"<!-- {suite}: begin -->\n", f"<!-- {suite}: end -->\n"
    head, found, rest = page.partition(begin)
    _, found_end, tail = rest.partition(end)
    if not found or not found_end:
        raise ValueError(f"expected the lines {begin.strip()} and {end.strip()}")
    return head + begin + text + end + tail


def write_tables(work: Path, page: Path) -> int:
    """Write the tables of all suites that were run into a page; return the status to exit with."""
    text = page.read_text()
    for suite in SUITES:
        pairs = list(Records(work / f"{suite}.jsonl").pairs(_SIDES))
        if not pairs:
            continue
        parts = ["\n", table(pairs), "\nDifferences:\n\n", differences(pairs)]
        parts += ["\nFail on both sides:\n\n", failures(pairs), "\n"]
        try:
            text = replaced(text, suite, "".join(parts))
        except ValueError as error:
            print(f"conformance: error: {page}: {error}", file=sys.stderr)
            return 1
    page.write_text(text)
    return 0
