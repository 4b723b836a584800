"""`result.json` and `host.json`: what a run was and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kumihimo.results.approximate import approximate_document
from kumihimo.results.link_power import power_document
from kumihimo.results.matching import assertions_document, matching_document, matching_is_much
from kumihimo.results.matching_calls import calls_document
from kumihimo.results.model import RunInfo
from kumihimo.results.phases import phases_document
from kumihimo.results.ranking import CLOCK_KEY
from kumihimo.results.service import service_document

if TYPE_CHECKING:
    from kumihimo.results.summary import Summary

# Raised by one when a reader of the earlier form would misread the new one.
FORMAT = "kumihimo-result/4"


def result_document(info: RunInfo, summary: Summary) -> dict[str, Any]:
    """Return the contents of `result.json`: the same for every repeat of a deterministic run."""
    # Here, because it brings OpenSSL, whose loading takes milliseconds.
    from kumihimo.results.canonical import configuration_hash

    document = unhashed_document(info, summary)
    document["configuration_hash"] = configuration_hash(document["configuration"])
    return document


def unhashed_document(info: RunInfo, summary: Summary) -> dict[str, Any]:
    """Return what a result is without a folder: `result.json` but for `configuration_hash`."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": info.version,
        "status": info.status,
        "reason": info.reason,
        "configuration": {"platform": info.platform, "options": info.options},
        "seed": info.seed,
        "platform_name": info.platform_name,
        "program": list(info.program),
        "ranks": info.ranks,
        "events": int(summary["events"]),
        # Without one event it would be that of every such run.
        "event_hash": str(summary["event_hash"]) if summary["events"] else None,
        "virtual_time_ps": int(summary["virtual_time_ps"]),
        "totals": _totals(summary),
        "per_rank": list(summary["ranks"]),
        "links": int(summary.get("link_count", len(summary["links"]))),
        # Idle links are only counted: a fully connected network of n hosts has n * n of them.
        "per_link": [link for link in summary["links"] if link["packets"] > 0],
    }
    if "real_clocks" in summary:
        document["real_clocks"] = [*summary["real_clocks"]]
    if summary.get("unknown_hints"):
        document["unknown_hints"] = sorted(summary["unknown_hints"])
    if summary.get("missed_hints"):
        document["missed_hints"] = [dict(missed) for missed in summary["missed_hints"]]
    if "collectives" in summary:
        document["collectives"] = _in_file_order(summary["collectives"])
    if "link_power" in summary:
        used = [row["link"] for row in document["per_link"]]
        document["link_power"] = power_document(summary["link_power"], document["links"], used)
    if "matching" in summary:
        matching = document["matching"] = matching_document(summary["matching"])
        if "matching_sites" in summary and matching_is_much(document):
            matching |= calls_document(summary["matching_sites"], matching["slowest_rank"])
        if summary.get("assertions"):
            document["matching"]["assertions"] = assertions_document(summary["assertions"])
    if "approximate" in summary:
        document["approximate"] = _in_file_order(approximate_document(summary["approximate"]))
    if "service" in summary:
        document["service"] = service_document(summary["service"])
    return document


def host_document(info: RunInfo, summary: Summary) -> dict[str, Any]:
    """Return the contents of `host.json`: what depends on the computer that ran the run."""
    host = info.host
    document: dict[str, Any] = {
        "wall_seconds": round(float(host.wall_seconds), 6),
        "cpu_seconds": round(float(host.cpu_seconds), 6),
        "date": host.date,
        "host": host.host,
        "handovers": list(summary.get("handovers", ())),
        "notes": dict(host.notes),
        "remarks": [*host.remarks, *_left_out(summary)],
    }
    if host.phases:
        document["phases"] = phases_document(host.phases)
    if host.program_cpu_seconds is not None:
        document["program_cpu_seconds"] = round(host.program_cpu_seconds, 6)
    return document


def _in_file_order(part: Any) -> Any:  # noqa: ANN401
    """Return a part as the file will have it, so that what is drawn of either has one order."""
    if isinstance(part, Mapping):
        return {name: _in_file_order(part[name]) for name in sorted(part)}
    return [_in_file_order(entry) for entry in part] if isinstance(part, list) else part


def _left_out(summary: Summary) -> list[str]:
    count, rows = summary.get("link_count", 0), len(summary["links"])
    return [f"only the {rows:,} busiest of {count:,} links are listed"] if rows < count else []


def _totals(summary: Summary) -> dict[str, int]:
    totals = {
        key: int(summary[key]) for key in ("messages", "bytes", "control_messages", "control_bytes")
    }
    for key in ("compute_ps", "communication_ps", "wait_ps"):
        totals[key] = sum(int(rank[key]) for rank in summary["ranks"])
    if any("clock_reading_ps" in rank for rank in summary["ranks"]):
        totals[CLOCK_KEY] = sum(rank.get("clock_reading_ps", 0) for rank in summary["ranks"])
    return totals
