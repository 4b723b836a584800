"""Summaries of techniques, as a run hands them over, for tests of the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from synthetic_run import SyntheticRun

from kumihimo.results.summary import Approximate, Collectives, MatchingColumns, Service, ServiceRow

# The platform has keys like this one where a model of matching other than "list" was chosen.
MATCHING_MODEL = {"mpi.matching.posted.width": 8}


def matching_columns(*ranks: Mapping[str, object]) -> MatchingColumns:
    """Columns with nothing in them but what is given for each rank."""
    columns: dict[str, Any] = {
        key: [row.get(key, [] if key.endswith("_depths") else 0) for row in ranks]
        for key in MatchingColumns.__annotations__
    }
    return MatchingColumns(**{**columns, "rank": [*range(len(ranks))]})  # type: ignore[typeddict-item]


def service_row(rank: int, **values: int) -> ServiceRow:
    """A row with nothing in it but what is given."""
    empty = dict.fromkeys(ServiceRow.__annotations__, 0)
    return ServiceRow(**{**empty, "rank": rank, **values})  # type: ignore[typeddict-item]


def with_matching(run: SyntheticRun, *, time_ps: int, has_model: bool) -> SyntheticRun:
    """Add matching, in which the last rank searched longest, and half of its time for payloads."""
    ranks = run.info.ranks
    rows = [{"arrivals": 10, "posted_deepest": 1}] * (ranks - 1)
    last = {
        "time_ps": time_ps, "arrivals": 2000, "unexpected": 1998, "receives": 2000,
        "posted_searched": 3000, "posted_deepest": 2, "unexpected_searched": 5000,
        "unexpected_deepest": 1998, "unexpected_time_ps": time_ps // 2,
        "payload_time_ps": time_ps - time_ps // 2,
    }  # fmt: skip
    run.summary["matching"] = matching_columns(*rows, last)
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


def with_approximate(run: SyntheticRun, *, are_corrupted: bool = True) -> SyntheticRun:
    """Add messages of floats, whose bits were corrupted, and of doubles."""
    bits = {"float": [0] * 32, "double": [0] * 64}
    if are_corrupted:
        # The most significant is the first: the sign, one of the exponent, and the last two.
        bits["float"][0], bits["float"][1], bits["float"][30:] = 5, 2, [7, 11]
        bits["double"][63] = 13
    found: Approximate = {
        "elements": {
            "double": {"messages": 1, "bytes": 800, "wrong_bits": bits["double"], "nan": 0,
                       "inf": 3, "restored": 0},
            "float": {"messages": 2, "bytes": 80, "wrong_bits": bits["float"], "nan": 1, "inf": 0,
                      "restored": 4},
        },
        "functions": {
            "MPI_Bcast": {"messages": 1, "bytes": 80, "wrong_bits": sum(bits["float"]),
                          "by_datatype": {"float": bits["float"]}},
            "MPI_Send": {"messages": 2, "bytes": 800, "wrong_bits": sum(bits["double"]),
                         "by_datatype": {"double": bits["double"]}},
        },
        "rules": [{"messages": 3, "bytes": 880}],
        "by_source": {"messages": 0, "bytes": 0},
        "unprotectable": {"messages": 0, "bytes": 0},
        "without_noise": {"messages": 0, "bytes": 0},
        "unruled": {"messages": 5, "bytes": 5},
        "unclassified": {"messages": 6, "bytes": 60},
        "corrupted_messages": 2,
        "payload_bytes": 880,
        "link_bytes": 935,
        "saved_ps": 1_320,
    }  # fmt: skip
    run.summary["approximate"] = found
    return run


def with_collectives(run: SyntheticRun, *, is_program: bool = True) -> SyntheticRun:
    """Add common starts and steps by the clock; of a program with calls, most of them scheduled."""
    found: Collectives = {
        "rounds": 2,
        "synchronisations": 4,
        "packets": 24,
        "synchronisation_ps": 4 * 232_000,
        "largest_skew_ps": 1000,
        "waits": 32,
        "missed": 3,
        "largest_lateness_ps": 5000,
    }
    if is_program:
        found["functions"] = {
            "MPI_Alltoall": {
                "scheduled": {"calls": 8000, "time_ps": 16_000_000, "missed": 3},
                "library": {
                    "shape": {"calls": 8, "time_ps": 4_000_000},
                    "size": {"calls": 2000, "time_ps": 0},
                },
            },
            "MPI_Barrier": {"scheduled": {"calls": 6, "time_ps": 9, "missed": 0}, "library": {}},
        }
    run.summary["collectives"] = found
    return run
