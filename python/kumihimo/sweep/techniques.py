"""The columns of a sweep that show what the techniques did at a point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_AJ_PER_PJ = 10**6

# None where a point does not have the technique.
TECHNIQUE_COLUMNS = (
    *("link_energy_pj", "link_oracle_energy_pj", "link_wakes", "link_wake_stall_ps"),
    *("matching_ps", "unexpected_messages"),
    *("rank_memory_bytes", "connections", "most_connections", "refused_connections"),
    *("closed_connections", "datagrams"),
    *("approximate_messages", "wrong_bits", "nan", "inf"),
    *("synchronisations", "timed_steps", "missed_steps"),
)


def technique_columns(document: Mapping[str, Any]) -> dict[str, int]:
    """Return the columns of a point that has ended.

    Args:
        document: Its `result.json`.
    """
    columns: dict[str, int] = {}
    if "link_power" in document:
        columns |= _link_power(document["link_power"]["total"])
    # Every run has it; where it takes no time there is nothing to compare.
    if document.get("matching", {}).get("time_ps", 0) > 0:
        found = document["matching"]
        columns |= {"matching_ps": found["time_ps"], "unexpected_messages": found["unexpected"]}
    if "service" in document:
        columns |= _service(document["service"])
    if "approximate" in document:
        found = document["approximate"]
        columns["approximate_messages"] = found["messages"]
        names = ("wrong_bits", "nan", "inf")
        # Replays do not know which numbers became infinite or NaN.
        columns |= {name: found[name] for name in names if found[name] is not None}
    if "collectives" in document:
        found = document["collectives"]
        columns["synchronisations"] = found["synchronisations"]
        columns |= {"timed_steps": found["waits"], "missed_steps": found["missed"]}
    return columns


def _link_power(total: Mapping[str, Any]) -> dict[str, int]:
    """Return what all links drew; in pJ, of which 64 bits hold nine megajoules."""
    return {
        "link_energy_pj": total["energy_aj"] // _AJ_PER_PJ,
        "link_oracle_energy_pj": total["oracle_energy_aj"] // _AJ_PER_PJ,
        "link_wakes": total["wakes"],
        "link_wake_stall_ps": total["wake_stall_ps"],
    }


def _service(found: Mapping[str, Any]) -> dict[str, int]:
    return {
        "rank_memory_bytes": found["largest_memory"]["bytes"],
        "connections": found["connections_asked"],
        "most_connections": found["most_connections"],
        "refused_connections": found["refused"],
        "closed_connections": found["closings"],
        "datagrams": found["packets"],
    }
