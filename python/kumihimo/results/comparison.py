"""Two or more results side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo.results.busy_links import busiest_link
from kumihimo.results.configuration import flatten
from kumihimo.results.ranking import busiest_rank, credit_wait_ps, extremes, last_rank
from kumihimo.results.run import Run

# What is said of every rank by its extremes.
RANK_FACTS = ("compute_ps", "communication_ps", "wait_ps", "finish_ps", "bytes_sent")


def compare_results(runs: Sequence[Run]) -> dict[str, Any]:
    """Return what the results have in common and what differs, as JSON values.

    Args:
        runs: Results that were loaded from their folders, the one to compare with first.

    Returns:
        "results": one object per result with its totals, the extremes over its ranks, the ranks
        that finish last and compute longest, its busiest link with "busiest_link_ties", how many
        others were busy for exactly as long, and "time_ratio", its virtual time over that of the
        first result (None if that is 0);
        "matching" with the time of matching, depths of queues, and the rank that it took longest;
        "link_power" with "energy_ratio" and "oracle_energy_ratio", an oracle's, likewise (None if
        links have no power model).
        "same_event_hash": whether all executed the same events. "differences": for each key of
        configuration, program, seed or version that is not the same everywhere, the list of its
        values, None where a result does not have it.
    """
    return {
        "results": [_facts(run, runs[0]) for run in runs],
        "same_event_hash": runs[0].document["event_hash"] is not None
        and len({run.document["event_hash"] for run in runs}) == 1,
        "differences": differences([_identity(run.document) for run in runs]),
    }


def differences(values: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return the keys, with dots between levels, whose values are not the same everywhere."""
    flat = [dict(flatten(value)) for value in values]
    keys = sorted({key for value in flat for key in value})
    rows = {key: [value.get(key) for value in flat] for key in keys}
    return {key: row for key, row in rows.items() if any(entry != row[0] for entry in row)}


def _identity(document: Mapping[str, Any]) -> dict[str, Any]:
    own = {key: document[key] for key in ("platform_name", "program", "ranks", "seed", "version")}
    return dict(document["configuration"]) | own


def _facts(run: Run, first: Run) -> dict[str, Any]:
    document, first_ps = run.document, first.virtual_time_ps
    busiest = busiest_link(document)
    last, computes = last_rank(document), busiest_rank(document)
    return {
        "directory": str(run.directory),
        "status": document["status"],
        "reason": document["reason"],
        "event_hash": document["event_hash"],
        "configuration_hash": document["configuration_hash"],
        "virtual_time_ps": run.virtual_time_ps,
        "time_ratio": round(run.virtual_time_ps / first_ps, 6) if first_ps > 0 else None,
        "totals": dict(document["totals"]),
        "last_rank_to_finish": last["rank"] if last else None,
        "rank_with_most_compute": computes["rank"] if computes else None,
        "per_rank": {key: _extremes(document, key) for key in RANK_FACTS},
        "busiest_link": dict(busiest[0]) if busiest else None,
        "busiest_link_ties": busiest[1] if busiest else 0,
        "queue_wait_ps": sum(int(link["queue_wait_ps"]) for link in document["per_link"]),
        "credit_wait_ps": credit_wait_ps(document),
        "matching": _matching(document),
        "link_power": _power(document, first.document),
        "wall_seconds": run.host.get("wall_seconds"),
        "cpu_seconds": run.host.get("cpu_seconds"),
    }


def _matching(document: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what matching did; None for a result that does not have it."""
    found = document.get("matching")
    if found is None:
        return None
    keys = ("time_ps", "arrivals", "unexpected", "posted_deepest", "unexpected_deepest")
    return {key: found[key] for key in (*keys, "slowest_rank", "slowest_rank_time_ps")}


def _power(document: Mapping[str, Any], first: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what links drew, and that and an oracle's over what they drew in the first result."""
    power = document.get("link_power")
    if power is None:
        return None
    energy, first_energy = power["total"]["energy_aj"], 0
    least = power["total"]["oracle_energy_aj"]
    if "link_power" in first:
        first_energy = first["link_power"]["total"]["energy_aj"]
    return {
        "policy": power["policy"],
        **power["total"],
        "wake_frames": power["wake_frames"],
        "energy_ratio": round(energy / first_energy, 6) if first_energy else None,
        "oracle_energy_ratio": round(least / first_energy, 6) if first_energy else None,
    }


def _extremes(document: Mapping[str, Any], key: str) -> dict[str, int]:
    return dict(zip(("least", "median", "most"), extremes(document, key), strict=True))
