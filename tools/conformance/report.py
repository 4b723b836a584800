"""The tables of docs/conformance-tables.md, from what was run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from conformance.records import Record, Records
from conformance.sides import NATIVE, NEEDS_MULTIPLE, NEEDS_PROCESSES

SUITES = ("mpich", "mpi4py")
_MULTIPLE = "Needs MPI_THREAD_MULTIPLE, which becomes MPI_THREAD_SERIALIZED"
# What is in the reasons of entries that need it, and what their list is called.
_NEEDS = (
    (NEEDS_PROCESSES, "Starts processes, or connects to others"),
    (NEEDS_MULTIPLE, _MULTIPLE),
    ("MPI_THREAD_SERIALIZED at most", _MULTIPLE),
)
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


def lists(pairs: Sequence[tuple[Record, Record]]) -> str:
    """Return Markdown: the entries that do not pass on both sides, by what it is that they need.

    Those of which both sides say the same share a line.
    """
    by_cause: dict[str, dict[str, list[str]]] = {}
    for native, simulated in pairs:
        if not (native.is_good and simulated.is_good):
            by_told = by_cause.setdefault(_cause(native, simulated), {})
            by_told.setdefault(_told(native, simulated), []).append(f"`{native.entry}`")
    parts = [
        f"{cause}:\n\n"
        + "\n".join(f"- {', '.join(names)} ({told})" for told, names in by_cause[cause].items())
        for cause in sorted(by_cause)
    ]
    return "\n\n".join(parts or ["Every entry passes on both sides."]) + "\n"


def _cause(native: Record, simulated: Record) -> str:
    if simulated.is_good:
        return "Passes over Kumihimo only"
    if not native.is_good:
        return "Passes on neither side"
    for text, cause in _NEEDS:
        if text in simulated.reason:
            return cause
    return "Passes natively only, for another reason"


def _told(native: Record, simulated: Record) -> str:
    """What either side says, unless it passes; the programs' errors may have any signs."""
    told = [
        f"{side}: {record.reason or record.verdict}".replace("`", "'")
        for side, record in (("natively", native), ("over Kumihimo", simulated))
        if not record.is_good
    ]
    return "; ".join(told)


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
        parts = ["\n", table(pairs), "\n", lists(pairs), "\n"]
        try:
            text = replaced(text, suite, "".join(parts))
        except ValueError as error:
            print(f"conformance: error: {page}: {error}", file=sys.stderr)
            return 1
    page.write_text(text)
    return 0
