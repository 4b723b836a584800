"""What matching messages with receives took, as it stands in a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from kumihimo.results import display

if TYPE_CHECKING:
    from kumihimo.results.summary import MatchingColumns

# A terminal line appears from this share of a rank's time on.
_LINE_FROM = 0.05


def matching_document(columns: MatchingColumns) -> dict[str, Any]:
    """Return the part "matching" of `result.json`."""
    longest_ps = max(columns["time_ps"])
    slowest = columns["time_ps"].index(longest_ps)
    return {
        "time_ps": sum(columns["time_ps"]),
        "arrivals": sum(columns["arrivals"]),
        "unexpected": sum(columns["unexpected"]),
        "receives": sum(columns["receives"]),
        "posted_searched": sum(columns["posted_searched"]),
        "unexpected_searched": sum(columns["unexpected_searched"]),
        "posted_deepest": max(columns["posted_deepest"]),
        "unexpected_deepest": max(columns["unexpected_deepest"]),
        "posted_depths": _sum(columns["posted_depths"]),
        "unexpected_depths": _sum(columns["unexpected_depths"]),
        "slowest_rank": columns["rank"][slowest],
        "slowest_rank_time_ps": longest_ps,
        "slowest_rank_posted_deepest": columns["posted_deepest"][slowest],
        "slowest_rank_unexpected_deepest": columns["unexpected_deepest"][slowest],
    }


def _sum(histograms: Sequence[Sequence[int]]) -> list[int]:
    return [sum(bins) for bins in zip_longest(*histograms, fillvalue=0)]


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
