"""Which ranks stand out, and totals; shared by the terminal, the report and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

STATE_KEYS = ("compute_ps", "communication_ps", "wait_ps")
CLOCK_KEY = "clock_reading_ps"


def parts_of_time(row: Mapping[str, Any]) -> dict[str, int]:
    """Return what a rank, or all, spent in each state, and on reading the clock if that took time.

    Readings of the clock are not part of "compute" here.
    """
    spent = {key: int(row[key]) for key in STATE_KEYS}
    if CLOCK_KEY in row:
        reading_ps = int(row[CLOCK_KEY])
        spent["compute_ps"] -= reading_ps
        spent[CLOCK_KEY] = reading_ps
    return spent


def most_clock_readings(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the row of the rank whose readings of the clock took longest; None without any."""
    if CLOCK_KEY not in document["totals"] or document["ranks"] < 2:
        return None
    return _greatest(document, CLOCK_KEY)


def credit_wait_ps(document: Mapping[str, Any]) -> int:
    """Return how long packets waited for room in a buffer; 0 where buffers have no limit."""
    # Results of earlier versions do not have it.
    return int(sum(link.get("credit_wait_ps", 0) for link in document["per_link"]))


def last_rank(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the row of the rank that finished last, the lowest one of several."""
    return _greatest(document, "finish_ps")


def busiest_rank(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the row of the rank that computed longest, the lowest one of several.

    It need not be the one that finished last: a rank with little to compute may wait
    to the end. None if no rank computed.
    """
    row = _greatest(document, "compute_ps")
    return row if row is not None and row["compute_ps"] > 0 else None


def _greatest(document: Mapping[str, Any], key: str) -> Mapping[str, Any] | None:
    ranks: Sequence[Mapping[str, Any]] = document["per_rank"]
    return max(ranks, key=lambda row: (row[key], -row["rank"]), default=None)


def extremes(document: Mapping[str, Any], key: str) -> tuple[int, int, int]:
    """Return the least, the median and the greatest value of `key` over the ranks."""
    values = sorted(int(row[key]) for row in document["per_rank"])
    if not values:
        return 0, 0, 0
    # Of an even number the lower one of the two in the middle. (Not by the module
    # `statistics`, whose import takes milliseconds of a short command.)
    return values[0], values[(len(values) - 1) // 2], values[-1]


def messages_per_cpu_second(document: Mapping[str, Any], host: Mapping[str, Any]) -> float | None:
    """Return MPI messages per CPU second of all processes; None if the time is not known."""
    cpu_seconds = float(host.get("cpu_seconds", 0.0))
    return document["totals"]["messages"] / cpu_seconds if cpu_seconds > 0 else None
