"""What the result of a run and that of the replay of its record have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CLOCK_KEY = "clock_reading_ps"


def without_clock_readings(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result whose readings of the clock are computing, as they are in a schedule."""
    totals = {key: value for key, value in document["totals"].items() if key != _CLOCK_KEY}
    rows = [
        {key: value for key, value in row.items() if key != _CLOCK_KEY}
        for row in document["per_rank"]
    ]
    return {**document, "totals": totals, "per_rank": rows}


def without_calls(matching: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part "matching" of a result without the program's calls, which no replay has."""
    gone = ("calls", "slowest_rank_call")
    return {key: value for key, value in matching.items() if key not in gone}
