"""Profiles of ranks, merged."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic_run import SyntheticRun

from kumihimo import results
from kumihimo.results.call_sites import read_call_sites


def line(
    function: str, distances_ps: list[int], targets: list[int], members: tuple[int, int] = (0, 0)
) -> str:
    """What a rank writes of calls that each take 5 ps and send 8 bytes to each target."""
    squares = sum(distance**2 for distance in distances_ps)
    bins = [0] * 64
    for distance in distances_ps:
        bins[distance.bit_length()] += 1
    calls = len(distances_ps)
    numbers = (calls, min(distances_ps), max(distances_ps), sum(distances_ps))
    halves = (squares >> 64, squares & (2**64 - 1))
    sent = calls * len(targets)
    fields = [function, "/no/app", "1f", *numbers, *halves, ",".join(map(str, bins))]
    fields += [5 * calls, sent, 8 * sent, ",".join(map(str, targets)), *members]
    return "\t".join(map(str, fields)) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "ranks"
    path.mkdir()
    (path / "2").write_text(line("MPI_Send", [2 * 10**12, 10], [3, 1], (4, 6)))
    (path / "10").write_text(line("MPI_Send", [30], [1], (3, 5)) + line("MPI_Wait", [7], []))
    (path / "11.part").write_text("MPI_Se")
    return path


def test_ranks_are_merged_exactly(folder: Path) -> None:
    sites, ranks = read_call_sites(folder)
    assert ranks == 2
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


def test_the_table_is_part_of_the_result(ring: SyntheticRun, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = results.write(out, ring.info, ring.summary, None, call_sites=folder)
    rows = results.load(out).call_sites.to_pylist()
    assert [row["function"] for row in rows] == ["MPI_Send", "MPI_Wait"]
    assert (rows[0]["targets"], rows[0]["file"], rows[0]["offset"]) == ([1, 3], None, 0x1F)
    assert (rows[0]["communicator_least"], rows[0]["communicator_most"]) == (3, 6)
    assert (rows[1]["communicator_least"], rows[1]["communicator_most"]) == (None, None)
    assert rows[1]["distance_deviation_ps"] == 0
    assert "call_sites.parquet: 2 ranks ended before they wrote" in run.host["remarks"]


def test_a_damaged_file_is_told(folder: Path) -> None:
    (folder / "0").write_text("MPI_Send\t/no/app\n")
    with pytest.raises(ValueError, match="a call site has 2 fields, expected 16"):
        read_call_sites(folder)
