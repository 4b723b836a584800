"""What matching messages with receives took, as it stands in a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from kumihimo.results import display
from kumihimo.results.matching_calls import name_of_call

if TYPE_CHECKING:
    from kumihimo.results.summary import AssertionRow, MatchingColumns

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
    return [sum(bins) for bins in zip_longest(*histograms, fillvalue=0)]


def matching_matters(document: Mapping[str, Any]) -> bool:
    """Return whether matching has a model, took much of a rank's time, or met assertions."""
    if "matching" not in document or not document["per_rank"]:
        return False
    # The canonical form of a platform has these keys for all models but "list".
    settings = document["configuration"]["platform"]
    has_model = any(str(path).startswith("mpi.matching.") for path in settings)
    has_assertions = "assertions" in document["matching"]
    return has_model or has_assertions or matching_is_much(document)


def matching_is_much(document: Mapping[str, Any]) -> bool:
    """Return whether matching took much of the time of the rank that spent the longest on it."""
    time_ps = document["matching"]["slowest_rank_time_ps"]
    finish_ps = document["per_rank"][document["matching"]["slowest_rank"]]["finish_ps"]
    return bool(0 < time_ps >= _LINE_FROM * finish_ps)


def matching_line(document: Mapping[str, Any]) -> str | None:
    """Return a line on the rank that spent the longest on matching; None if that is not much."""
    if not matching_is_much(document):
        return None
    found = document["matching"]
    rank, time_ps = found["slowest_rank"], found["slowest_rank_time_ps"]
    finish_ps = document["per_rank"][rank]["finish_ps"]
    count = display.format_count
    call = found.get("slowest_rank_call")
    of_call = (
        ""
        if call is None
        else f", {display.format_time(call['time_ps'])} of it for {name_of_call(call)}"
    )
    return (
        f"Matching: {display.format_time(time_ps)} of {display.format_time(finish_ps)} on rank "
        f"{rank}{of_call}, up to {count(found['slowest_rank_posted_deepest'])} posted receives and "
        f"{count(found['slowest_rank_unexpected_deepest'])} unexpected messages; "
        f"{count(found['unexpected'])} of {count(found['arrivals'])} messages of all ranks came "
        "before their receives"
    )
