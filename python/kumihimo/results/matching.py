"""What matching messages with receives took, as it stands in a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo.results import display
from kumihimo.results.model import AssertionRow, MatchingRow

# A terminal line appears from this share of a rank's time on.
_LINE_FROM = 0.05


def matching_document(rows: Sequence[MatchingRow]) -> dict[str, Any]:
    """Return the part "matching" of `result.json`."""
    slowest = max(rows, key=lambda row: (row["time_ps"], -row["rank"]))
    return {
        "time_ps": sum(row["time_ps"] for row in rows),
        "arrivals": sum(row["arrivals"] for row in rows),
        "unexpected": sum(row["unexpected"] for row in rows),
        "receives": sum(row["receives"] for row in rows),
        "posted_searched": sum(row["posted_searched"] for row in rows),
        "unexpected_searched": sum(row["unexpected_searched"] for row in rows),
        "posted_deepest": max(row["posted_deepest"] for row in rows),
        "unexpected_deepest": max(row["unexpected_deepest"] for row in rows),
        "posted_depths": _sum([row["posted_depths"] for row in rows]),
        "unexpected_depths": _sum([row["unexpected_depths"] for row in rows]),
        "slowest_rank": slowest["rank"],
        "slowest_rank_time_ps": slowest["time_ps"],
        "slowest_rank_posted_deepest": slowest["posted_deepest"],
        "slowest_rank_unexpected_deepest": slowest["unexpected_deepest"],
    }


def assertions_document(rows: Sequence[AssertionRow]) -> dict[str, Any]:
    """Return the part "assertions" of "matching", by assertion."""
    return {
        row["assertion"]: {
            "receives": row["receives"],
            "messages": row["messages"],
            "broken": row["broken"],
            "broken_by": sorted(row["broken_by"]),
        }
        for row in rows
    }


def assertion_remarks(rows: Sequence[AssertionRow]) -> list[str]:
    """Return a sentence for each assertion that the program broke."""
    return [
        f"the program broke {name} of its communicators {_times(found['broken'])}, in "
        f"{', '.join(found['broken_by'])}; an MPI library may rely on it"
        for name, found in assertions_document(rows).items()
        if found["broken"]
    ]


def assertions_sentence(found: Mapping[str, Any]) -> str:
    """Return in a sentence what part "matching" has of assertions; empty if there are none."""
    if "assertions" not in found:
        return ""
    parts = [
        f"{name}: {display.format_count(row['receives'])} receives and "
        f"{display.format_count(row['messages'])} messages, broken {_times(row['broken'])}"
        for name, row in found["assertions"].items()
    ]
    return f"Communicators with assertions: {'; '.join(parts)}."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{display.format_count(count)} times"


def _sum(histograms: Sequence[Sequence[int]]) -> list[int]:
    """Return the sum of histograms, without the empty end."""
    total = [sum(bins) for bins in zip(*histograms, strict=True)]
    while total and total[-1] == 0:
        total.pop()
    return total


def matching_matters(document: Mapping[str, Any]) -> bool:
    """Return whether matching has a model, took much of a rank's time, or met assertions."""
    if "matching" not in document or not document["per_rank"]:
        return False
    # The canonical form of a platform has these keys for all models but "list".
    settings = document["configuration"]["platform"]
    has_model = any(str(path).startswith("mpi.matching.") for path in settings)
    has_assertions = "assertions" in document["matching"]
    return has_model or has_assertions or matching_line(document) is not None


def matching_line(document: Mapping[str, Any]) -> str | None:
    """Return a line on the rank that spent the longest on matching; None if no rank did."""
    found = document["matching"]
    rank, time_ps = found["slowest_rank"], found["slowest_rank_time_ps"]
    finish_ps = document["per_rank"][rank]["finish_ps"]
    if time_ps == 0 or time_ps < _LINE_FROM * finish_ps:
        return None
    count = display.format_count
    return (
        f"Matching: {display.format_time(time_ps)} of {display.format_time(finish_ps)} on rank "
        f"{rank}, up to {count(found['slowest_rank_posted_deepest'])} posted receives and "
        f"{count(found['slowest_rank_unexpected_deepest'])} unexpected messages; "
        f"{count(found['unexpected'])} of {count(found['arrivals'])} messages of all ranks came "
        "before their receives"
    )
