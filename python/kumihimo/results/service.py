"""By what ranks sent to each other, as it stands in a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from kumihimo.results import display

if TYPE_CHECKING:
    from kumihimo.results.summary import Service, ServiceRow

_Part = Literal["base_bytes", "connection_bytes", "eager_buffer_bytes", "pool_bytes"]
MEMORY_PARTS: tuple[_Part, ...] = (
    "base_bytes",
    "connection_bytes",
    "eager_buffer_bytes",
    "pool_bytes",
)


_BORDERS: tuple[
    tuple[
        str,
        str,
        Literal["kernel_unended", "kernel_unbegun", "repeated_unended", "repeated_unbegun"],
    ],
    ...,
] = (
    ("IN_KERNEL", "not ended", "kernel_unended"),
    ("IN_KERNEL", "not begun", "kernel_unbegun"),
    ("REPEATED", "not ended", "repeated_unended"),
    ("REPEATED", "not begun", "repeated_unbegun"),
)


def wrong_nesting(found: Service) -> list[dict[str, Any]]:
    """Return in how many ranks regions between hints were nested wrongly, for each way to do so."""
    counts = (
        (key, problem, sum(row[column] > 0 for row in found["ranks"]))
        for key, problem, column in _BORDERS
    )
    return [
        {"key": key, "problem": problem, "ranks": ranks} for key, problem, ranks in counts if ranks
    ]


def memory_bytes(row: ServiceRow) -> int:
    """Return the memory of a rank: the sum of its parts."""
    return sum(row[part] for part in MEMORY_PARTS)


def service_document(found: Service) -> dict[str, Any]:
    """Return the part "service" of `result.json`."""
    rows = found["ranks"]
    largest = max(rows, key=memory_bytes)
    return {
        "kind": found["kind"],
        "connections_asked": sum(row["asked"] for row in rows),
        "connections_accepted": sum(row["accepted"] for row in rows),
        "most_connections": max(row["most_connections"] for row in rows),
        "closed": sum(row["closed"] for row in rows),
        "closings": sum(row["closings"] for row in rows),
        "refused": sum(row["refused"] for row in rows),
        "messages_by_connection": sum(row["by_connection"] for row in rows),
        "messages_by_datagrams": sum(row["by_datagrams"] for row in rows),
        "packets": sum(row["packets"] for row in rows),
        "wrong_nesting": wrong_nesting(found),
        "largest_memory": {
            "rank": largest["rank"],
            "bytes": memory_bytes(largest),
            **{part: largest[part] for part in MEMORY_PARTS},
        },
    }


def service_line(document: Mapping[str, Any]) -> str:
    """Return a line on connections, datagrams, and the memory that they take."""
    found = document["service"]
    line = f"Service ({found['kind']}): {display.format_bytes(found['largest_memory']['bytes'])}"
    line += (
        f" of memory in a rank at most; "
        f"{display.format_count(found['connections_asked'])} connections, "
        f"{display.format_count(found['most_connections'])} in a rank at most, "
        f"{display.format_count(found['refused'])} refused; "
        f"{display.format_count(found['packets'])} datagrams"
    )
    if found["closings"]:
        line += f"; {display.format_count(found['closings'])} connections closed"
    return line
