"""The study of matching, with few points: from programs to a page in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from studies import LIMIT_S, check_goes_on, check_page, study

MODELS = ("elan4", "alpu", "dimmnet2", "lhs", "hashed", "connectx")
PLACES = ("host", "interface")


def check_depths(rows: list[dict[str, Any]]) -> None:
    # Six models and Slingshot in both places; list, and the two parts of the paper's ratio.
    assert len(rows) == (7 * 2 + 3) * 2 * 3
    for row in rows:
        assert row["more_ps"] == row["replayed_more_ps"] == row["expected_more_ps"], row
    each = {
        (row["model"], row["by"], row["queue"], row["depth"]): row["each_ps"]
        for row in rows
        if row["depth"]
    }
    for by in PLACES:
        assert each["dimmnet2", by, "unexpected", 128] == 634_000
        assert each["dimmnet2", by, "unexpected", 1024] == 634_000
        assert each["lhs", by, "unexpected", 128] == 14_800
        for queue in ("unexpected", "posted"):
            assert each["elan4", by, queue, 1024] == 100_000
            assert each["alpu", by, queue, 128] == 0
            # 1,025 entries, of which 256 have a cell.
            assert each["alpu", by, queue, 1024] == pytest.approx(769 / 1024 * 100_000)
            assert each["slingshot", by, queue, 1024] == 5_000
        # 1,025 heads, of which 512 are in the buffer; the first of them counts in both.
        beyond = 511 * 14_800 + 513 * 634_000
        assert each["lhs", by, "unexpected", 1024] == pytest.approx(beyond / 1024)
    assert each["heads, each a miss", "host", "unexpected", 128] == 107_800
    assert each["heads in order", "host", "unexpected", 128] == 14_800


def check_programs(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 2 * (len(MODELS) * 2 + 1)
    by_case = {(row["program"], row["model"], row["by"]): row for row in rows}
    for program in ("IS", "FT"):
        assert by_case[program, "list", "host"]["matching_ps"] == 0
        messages = {row["arrivals"] for row in rows if row["program"] == program}
        assert len(messages) == 1
        for model in MODELS:
            host, interface = (by_case[program, model, by] for by in PLACES)
            assert 0 < interface["slower"] <= host["slower"]
        for by in PLACES:
            heads, without = by_case[program, "lhs", by], by_case[program, "dimmnet2", by]
            assert heads["matching_ps"] < without["matching_ps"]


def check_findings(findings: list[dict[str, Any]]) -> None:
    found = {each["name"]: each for each in findings}
    assert found["ratio of these"]["paper"] == 43
    for name, here in (
        ("ratio of these", 42.84),
        ("QsNET-II, and its ratio to head separation", 6.757),
        ("of the ratio, by the slow memory", 5.881),
        ("of the ratio, by cache and prefetching", 7.284),
    ):
        assert found[name]["here"] == pytest.approx(here, rel=1e-3)
        assert found[name]["unit"] == "ratio"
        assert found[name]["why"]


@pytest.mark.long
@pytest.mark.timeout(2 * LIMIT_S)
def test_matching(tmp_path: Path) -> None:
    folder = tmp_path / "kumi-study-matching"
    numbers = study("matching", tmp_path)
    tables = numbers["tables"]
    check_depths(tables["depths"])
    check_programs(tables["programs"])
    check_findings(numbers["findings"])
    assert pq.read_table(folder / "depths.parquet").to_pylist() == tables["depths"]
    check_page(
        folder / "study.html",
        figures={"depths": 20, "programs": 24},
        tables={"paper": 7, "depths": 102, "programs": 26},
        findings=5,
    )
    check_goes_on("matching", tmp_path)
