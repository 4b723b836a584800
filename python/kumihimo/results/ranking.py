"""Which ranks and links stand out; shared by the terminal, the report and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median_low
from typing import Any

STATE_KEYS = ("compute_ps", "communication_ps", "wait_ps")


def busiest_links(document: Mapping[str, Any], count: int) -> list[Mapping[str, Any]]:
    """Return the links that were busy longest, at most `count`; ties in the machine's order."""
    links: Sequence[Mapping[str, Any]] = document["per_link"]
    return sorted(links, key=lambda link: (-link["busy_ps"], link["link"]))[:count]


def slowest_rank(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the row of the rank that finished last, the lowest one of several."""
    ranks: Sequence[Mapping[str, Any]] = document["per_rank"]
    return max(ranks, key=lambda row: (row["finish_ps"], -row["rank"]), default=None)


def extremes(document: Mapping[str, Any], key: str) -> tuple[int, int, int]:
    """Return the least, the median and the greatest value of `key` over the ranks."""
    values = [int(row[key]) for row in document["per_rank"]]
    if not values:
        return 0, 0, 0
    return min(values), int(median_low(values)), max(values)


def messages_per_cpu_second(document: Mapping[str, Any], host: Mapping[str, Any]) -> float | None:
    """Return MPI messages per CPU second of all processes; None if the time is not known."""
    cpu_seconds = float(host.get("cpu_seconds", 0.0))
    return document["totals"]["messages"] / cpu_seconds if cpu_seconds > 0 else None
