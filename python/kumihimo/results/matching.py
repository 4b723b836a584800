"""What matching messages with receives took, as it stands in a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo.results import display
from kumihimo.results.model import MatchingRow

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


def _sum(histograms: Sequence[Sequence[int]]) -> list[int]:
    """Return the sum of histograms, without the empty end."""
    total = [sum(bins) for bins in zip(*histograms, strict=True)]
    while total and total[-1] == 0:
        total.pop()
    return total


def matching_matters(document: Mapping[str, Any]) -> bool:
    """Return whether matching took much of a rank's time, or has a model of what it costs."""
    if "matching" not in document or not document["per_rank"]:
        return False
    # The canonical form of a platform has these keys for all models but "list".
    settings = document["configuration"]["platform"]
    has_model = any(str(path).startswith("mpi.matching.") for path in settings)
    return has_model or matching_line(document) is not None


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
