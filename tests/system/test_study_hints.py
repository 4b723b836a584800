"""The study of hints, with few points: from programs and schedules to a page in a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs import BIN, ROOT, run
from pages import check_clean, chromium, open_page

LIMIT_S = 400


def study(folder: Path) -> str:
    """Run the quick study in a folder, whose name it chooses by itself."""
    command = [str(BIN / "kumihimo"), "study", "hints", "--quick", "--source", str(ROOT)]
    return run(command, cwd=folder, limit_s=LIMIT_S).stdout


def check_benchmark(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 3 * 2 * 4
    for row in rows:
        assert row["connections"] == row["expected_connections"], row
        assert row["memory_bytes"] == row["expected_memory_bytes"], row
        assert row["shift_ps"] == row["expected_shift_ps"], row

    def memories(service: str) -> dict[tuple[str, int], int]:
        found = [row for row in rows if row["service"] == service]
        return {(row["collective"], row["ranks"]): row["memory_bytes"] for row in found}

    assert len(set(memories("hint").values())) == len(set(memories("ud").values())) == 1
    for growing in (memories("rc"), memories("hybrid")):
        for collective in {name for name, _ in growing}:
            assert growing[collective, 16] > growing[collective, 8]


def check_cap(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 3 * 2 * 4
    times = {(row["ranks"], row["distance"], row["service"]): row["shift_ps"] for row in rows}
    # The next rank is the first peer of the all-to-all, one half way round comes too late.
    assert times[256, 1, "hybrid"] == times[256, 1, "hint"]
    assert times[256, 127, "hybrid"] / times[256, 127, "hint"] == pytest.approx(1.55, rel=0.01)
    assert times[64, 31, "hybrid"] == times[64, 31, "hint"]


def check_page(path: Path) -> None:
    with chromium() as browser:
        opened = open_page(browser, path)
        page = opened.page
        figures = page.query_selector_all("figure")
        assert [figure.get_attribute("id") for figure in figures] == ["connections", "shift"]
        for figure in figures:
            assert len(figure.query_selector_all("svg .role-mark > *")) >= 8
        for table, count in (("paper", 7), ("benchmark", 24), ("cap", 24)):
            assert len(page.query_selector_all(f"#{table} tbody tr")) == count
        assert len(page.query_selector_all("#findings li")) == 3
        assert page.query_selector(".failed") is None
        check_clean(opened, path)


@pytest.mark.timeout(2 * LIMIT_S)
def test_hints(tmp_path: Path) -> None:
    folder = tmp_path / "kumi-study-hints"
    study(tmp_path)
    found = json.loads((folder / "study.json").read_text())
    check_benchmark(found["tables"]["benchmark"])
    check_cap(found["tables"]["cap"])
    assert pq.read_table(folder / "cap.parquet").to_pylist() == found["tables"]["cap"]
    check_page(folder / "study.html")
    # Called again, it keeps what it has.
    numbers = (folder / "study.json").read_bytes()
    points = {path: path.stat().st_mtime_ns for path in folder.glob("*/points/*.json")}
    study(tmp_path)
    assert (folder / "study.json").read_bytes() == numbers
    assert {path: path.stat().st_mtime_ns for path in folder.glob("*/points/*.json")} == points
