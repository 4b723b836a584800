"""Profiles of ranks, merged."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic_run import SyntheticRun

from kumihimo import results
from kumihimo.results.call_sites import merged_call_sites
from kumihimo.results.damage import DamagedError, check_summary
from kumihimo.results.summary import CallSiteSums, Summary


def sums(
    rank: int,
    function: str,
    distances_ps: list[int],
    targets: list[int],
    members: tuple[int, int] = (0, 0),
) -> CallSiteSums:
    """What a rank leaves of calls that each take 5 ps and send 8 bytes to each target."""
    squares = sum(distance**2 for distance in distances_ps)
    bins = [0] * 64
    for distance in distances_ps:
        bins[distance.bit_length()] += 1
    calls = len(distances_ps)
    sent = calls * len(targets)
    return {
        "rank": rank,
        "function": function,
        "module": "/no/app",
        "offset": 0x1F,
        "calls": calls,
        "distance_least_ps": min(distances_ps),
        "distance_most_ps": max(distances_ps),
        "distance_sum_ps": sum(distances_ps),
        "distance_squares_high": squares >> 64,
        "distance_squares_low": squares & (2**64 - 1),
        "distance_bins": bins,
        "inside_ps": 5 * calls,
        "messages": sent,
        "bytes": 8 * sent,
        "targets": targets,
        "communicator_least": members[0],
        "communicator_most": members[1],
    }


@pytest.fixture
def rows() -> list[CallSiteSums]:
    return [
        sums(2, "MPI_Send", [2 * 10**12, 10], [3, 1], (4, 6)),
        sums(3, "MPI_Send", [30], [1], (3, 5)),
        sums(3, "MPI_Wait", [7], []),
    ]


@pytest.fixture
def summary(ring: SyntheticRun, rows: list[CallSiteSums]) -> Summary:
    return {**ring.summary, "call_sites": rows}


def test_ranks_are_merged_exactly(rows: list[CallSiteSums]) -> None:
    sites = merged_call_sites(rows)
    assert [key[2] for key in sites] == ["MPI_Send", "MPI_Wait"]
    sends = sites["/no/app", 0x1F, "MPI_Send"]
    assert (sends.ranks, sends.calls, sends.least_ps, sends.most_ps) == (2, 3, 10, 2 * 10**12)
    assert (sends.sum_ps, sends.squares) == (2 * 10**12 + 40, 4 * 10**24 + 1000)
    # The root of 8 / 9 x 10^24 and a little more, exact to the picosecond.
    assert sends.deviation_ps == 942_809_041_572
    assert (sum(sends.bins), sends.bins[4], sends.bins[5], len(sends.bins)) == (3, 1, 1, 42)
    assert (sends.inside_ps, sends.messages, sends.bytes) == (15, 5, 40)
    assert (sends.peers, sends.targets) == (2, {1, 3})
    assert (sends.least_members, sends.most_members) == (3, 6)


def test_the_table_is_part_of_the_result(
    ring: SyntheticRun, summary: Summary, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    results.write(out, ring.info, summary, None)
    rows = results.load(out).call_sites.to_pylist()
    assert [row["function"] for row in rows] == ["MPI_Send", "MPI_Wait"]
    assert (rows[0]["targets"], rows[0]["file"], rows[0]["offset"]) == ([1, 3], None, 0x1F)
    assert (rows[0]["communicator_least"], rows[0]["communicator_most"]) == (3, 6)
    assert (rows[1]["communicator_least"], rows[1]["communicator_most"]) == (None, None)
    assert rows[1]["distance_deviation_ps"] == 0


def test_damaged_sums_are_refused(summary: Summary, rows: list[CallSiteSums]) -> None:
    ranks = len(summary["ranks"])
    check_summary(summary, ranks, is_complete=True)
    rows[0]["calls"] = 3
    check_summary(summary, ranks, is_complete=False)
    with pytest.raises(DamagedError, match="a place has 3 calls, but distances of others"):
        check_summary(summary, ranks, is_complete=True)
    rows[0]["targets"] = [ranks]
    with pytest.raises(DamagedError, match="a place of calls has sent to no rank"):
        check_summary(summary, ranks, is_complete=False)
    rows[0]["targets"] = []
    rows[0]["inside_ps"] = -1
    with pytest.raises(DamagedError, match="inside_ps = -1"):
        check_summary(summary, ranks, is_complete=False)
