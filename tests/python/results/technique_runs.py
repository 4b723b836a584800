"""Summaries of techniques, as a run hands them over, for tests of the report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from synthetic_run import SyntheticRun

from kumihimo.results.model import MatchingRow, Service, ServiceRow

# The platform has keys like this one where a model of matching other than "list" was chosen.
MATCHING_MODEL = {"mpi.matching.posted.width": 8}


def matching_row(rank: int, **values: object) -> MatchingRow:
    """A row with nothing in it but what is given."""
    empty: dict[str, Any] = {
        key: [0] * 24 if key.endswith("_depths") else 0 for key in MatchingRow.__annotations__
    }
    return MatchingRow(**{**empty, "rank": rank, **values})  # type: ignore[typeddict-item]


def service_row(rank: int, **values: int) -> ServiceRow:
    """A row with nothing in it but what is given."""
    empty = dict.fromkeys(ServiceRow.__annotations__, 0)
    return ServiceRow(**{**empty, "rank": rank, **values})  # type: ignore[typeddict-item]


def with_matching(run: SyntheticRun, *, time_ps: int, has_model: bool) -> SyntheticRun:
    """Add matching, in which the last rank searched longest, and half of its time for payloads."""
    ranks = run.info.ranks
    rows = [matching_row(rank, arrivals=10, posted_deepest=1) for rank in range(ranks - 1)]
    last = matching_row(
        ranks - 1, time_ps=time_ps, arrivals=2000, unexpected=1998, receives=2000,
        posted_searched=3000, posted_deepest=2, unexpected_searched=5000, unexpected_deepest=1998,
        unexpected_time_ps=time_ps // 2, payload_time_ps=time_ps - time_ps // 2,
    )  # fmt: skip
    run.summary["matching"] = [*rows, last]
    platform = {**run.info.platform, **(MATCHING_MODEL if has_model else {})}
    return replace(run, info=replace(run.info, platform=platform))


def with_service(run: SyntheticRun, *, pool_bytes: int) -> SyntheticRun:
    """Add a service, with one connection for each lower rank."""
    found: Service = {
        "kind": "hybrid",
        "ranks": [
            service_row(
                rank, asked=rank, accepted=1, refused=3 * (rank == 0), by_connection=10,
                by_datagrams=3, packets=7, base_bytes=512, connection_bytes=1024 * (rank + 1),
                eager_buffer_bytes=256 * (rank + 1), pool_bytes=pool_bytes,
            )
            for rank in range(run.info.ranks)
        ],
    }  # fmt: skip
    run.summary["service"] = found
    return run
