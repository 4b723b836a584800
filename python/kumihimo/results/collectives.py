"""Common starts, instants of steps, and collective calls, as they stand in a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kumihimo.results import display


def collectives_line(collectives: Mapping[str, Any]) -> str:
    """Return a line on how ranks started together, and whether they kept their instants.

    Of a program also on which of its calls were scheduled.
    """
    count = collectives["synchronisations"]
    line = f"Synchronisations: {display.format_count(count)}"
    if count > 0:
        mean_ps = collectives["synchronisation_ps"] // count
        line += (
            f", {display.format_time(mean_ps)} each, ranks at most "
            f"{display.format_time(collectives['largest_skew_ps'])} apart"
        )
    if collectives["waits"] > 0:
        waits, missed = (display.format_count(collectives[key]) for key in ("waits", "missed"))
        line += f"; {missed} of {waits} steps missed their instant"
        if collectives["missed"] > 0:
            line += f", by at most {display.format_time(collectives['largest_lateness_ps'])}"
    for name, row in collectives.get("functions", {}).items():
        line += f"; {_calls_text(name, row)}"
    return line


def _calls_text(name: str, row: Mapping[str, Any]) -> str:
    """Return what became of the calls of one function."""
    scheduled = row["scheduled"]["calls"]
    left = {reason: calls["calls"] for reason, calls in row["library"].items()}
    calls = scheduled + sum(left.values())
    text = f"{display.format_count(scheduled)} of {display.format_count(calls)} calls of {name}"
    text += " scheduled"
    if left:
        reasons = (f"{reason} {display.format_count(count)}" for reason, count in left.items())
        text += f" (not: {', '.join(reasons)})"
    return text
