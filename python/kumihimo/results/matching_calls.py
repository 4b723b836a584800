"""At which calls of a program matching took time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kumihimo.results.source_lines import SourceLine, source_lines

if TYPE_CHECKING:
    from kumihimo.results.summary import MatchingSite

# The most calls that a document names.
_MOST = 10


def calls_document(sites: Sequence[MatchingSite], slowest_rank: int) -> dict[str, Any]:
    """Return what the part "matching" of `result.json` says of calls.

    Args:
        sites: Time by rank and place; that of no place is left out.
        slowest_rank: The rank of which the longest call is named, too.

    Returns:
        `calls`, those of all ranks with the longest times, and `slowest_rank_call`. A call has the
        function, the source's `file` and `line` (None if they are not known), and `time_ps`.
    """
    of_all: dict[tuple[str, str, int], int] = defaultdict(int)
    of_slowest: dict[tuple[str, str, int], int] = {}
    for rank, function, module, offset, time_ps in sites:
        if not function:
            continue
        of_all[function, module, offset] += time_ps
        if rank == slowest_rank:
            of_slowest[function, module, offset] = time_ps
    if not of_slowest:
        return {}
    longest = sorted(of_all, key=lambda place: (-of_all[place], place))[:_MOST]
    slowest = min(of_slowest, key=lambda place: (-of_slowest[place], place))
    lines = _lines({*longest, slowest})
    return {
        "calls": [_call(place, lines, of_all[place]) for place in longest],
        "slowest_rank_call": _call(slowest, lines, of_slowest[slowest]),
    }


def name_of_call(call: Mapping[str, Any]) -> str:
    """Return a call's function, and its place if that is known."""
    if call["file"] is None:
        return str(call["function"])
    return f"{call['function']} at {Path(call['file']).name}:{call['line']}"


def _lines(places: set[tuple[str, str, int]]) -> dict[tuple[str, int], SourceLine]:
    offsets: dict[str, set[int]] = defaultdict(set)
    for _, module, offset in places:
        if module:
            offsets[module].add(offset)
    return {
        (module, offset): line
        for module, found in offsets.items()
        for offset, line in source_lines(Path(module), sorted(found)).items()
    }


def _call(
    place: tuple[str, str, int], lines: Mapping[tuple[str, int], SourceLine], time_ps: int
) -> dict[str, Any]:
    function, module, offset = place
    line = lines.get((module, offset))
    return {
        "function": function,
        "file": None if line is None else line.file,
        "line": None if line is None else line.line,
        "time_ps": time_ps,
    }
