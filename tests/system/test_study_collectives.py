"""The study of scheduled collective operations, with few points: from schedules to a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from studies import LIMIT_S, check_goes_on, check_page, study

BLOCKS = (8, 4096)
PS_PER_NS = 1000
# Of platforms/torus16x16x16.toml: hops, and the time of a byte.
HOPS_NS, NS_PER_BYTE = (21, 25, 70), 1 / 16


def form_ns(side: int, block: int, *, starts: int, is_rendezvous: bool) -> float:
    """The publication's form for 16 x 16 x 16, 0.928 + 2.426 + 1.92 m µs, with other sides."""
    steps = 3 * (side // 4 + 1)
    hops_ns = (side - 2) * (2 * HOPS_NS[2] + HOPS_NS[1]) + sum(HOPS_NS)
    links_ns = 3 * side**3 * (side + 4) // 8 * block * NS_PER_BYTE
    time_ns = starts * side // 2 * sum(HOPS_NS) + hops_ns + links_ns
    # Request, answer and acknowledgement of 32 B.
    return time_ns + (3 * (hops_ns + steps * 32 * NS_PER_BYTE) if is_rendezvous else 0)


def test_the_form_is_that_of_the_publication() -> None:
    assert form_ns(16, 1000, starts=1, is_rendezvous=False) == 928 + 2426 + 1920 * 1000


def check_schemes(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 2 * 2 * len(BLOCKS) * 4
    for row in rows:
        side, scheme = row["side"], row["scheme"]
        steps = 3 * (side // 4 + 1)
        starts = {"none": 0, "start": 1, "clock": 1, "every_step": steps}[scheme]
        assert row["synchronisations"] == starts
        assert row["missed_steps"] == 0
        if starts > 0:
            assert row["synchronisation_ps"] == side // 2 * sum(HOPS_NS) * PS_PER_NS
            assert row["packets"] == 3 * (side - 1)
        is_rendezvous = row["protocol"] == "rendezvous"
        if scheme in ("every_step", "clock"):
            wanted = form_ns(side, row["block_bytes"], starts=starts, is_rendezvous=is_rendezvous)
            assert row["virtual_time_ps"] == row["expected_ps"] == wanted * PS_PER_NS, row
            assert row["deviation"] == 0
        else:
            assert row["expected_ps"] is row["deviation"] is None
        if scheme == "clock":
            assert row["saved_ps"] == (steps - 1) * side // 2 * sum(HOPS_NS) * PS_PER_NS


def check_programs(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == (2 * 2 + 1) * 2
    assert all(row["verified"] for row in rows)
    found = {tuple(row[key] for key in ("program", "mpi", "overhead_ns", "mode")): row
             for row in rows}  # fmt: skip
    for row in rows:
        if row["mode"] == "library":
            assert row["timed_steps"] is row["library_calls"] is None
            continue
        assert row["library_calls"] == 0
        # A rank that does not compute is in one of these calls.
        assert row["collectives_ps"] == pytest.approx(row["scheduled_ps"], rel=1e-9)
        assert row["timed_steps"] > 0
    for overhead_ns in (0, 250):
        row = found["FT", "mpich", overhead_ns, "scheduled"]
        # 192 blocks of 1 KiB in 6 messages; synchronisations have packets of 8 B.
        wanted = form_ns(4, 1024, starts=1, is_rendezvous=False)
        wanted += 3 * 8 * NS_PER_BYTE + 6 * 2 * overhead_ns
        assert row["expected_alltoall_ps"] == wanted * PS_PER_NS
        assert row["alltoall_ps"] == pytest.approx(wanted * PS_PER_NS, rel=1e-4)
    # The library carries out messages alone: the schedule is the same.
    times = {key: row["virtual_time_ps"] for key, row in found.items()}
    of_both = (times["IS", mpi, 250, "scheduled"] for mpi in ("mpich", "openmpi"))
    assert len(set(of_both)) == 1
    assert times["FT", "mpich", 0, "scheduled"] > times["FT", "mpich", 0, "library"]
    assert times["FT", "mpich", 250, "scheduled"] < times["FT", "mpich", 250, "library"]
    assert times["IS", "mpich", 250, "scheduled"] > times["IS", "mpich", 250, "library"]


@pytest.mark.long
@pytest.mark.timeout(2 * LIMIT_S)
def test_collectives(tmp_path: Path) -> None:
    folder = tmp_path / "kumi-study-collectives"
    tables = study("collectives", tmp_path)["tables"]
    check_schemes(tables["schemes"])
    check_programs(tables["programs"])
    assert pq.read_table(folder / "schemes.parquet").to_pylist() == tables["schemes"]
    check_page(
        folder / "study.html",
        figures={"schemes": 8, "programs": 8},
        tables={"paper": 6, "schemes": 32, "programs": 10},
        findings=3 + 4 + 2,
    )
    check_goes_on("collectives", tmp_path)
