"""The study of all five techniques, with few points: from the program to a page in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pages import check_clean, chromium, open_page
from studies import LIMIT_S, study

PLATFORM = "torus-16"


def check_combinations(rows: list[dict[str, Any]]) -> None:
    assert len({row["variant"] for row in rows}) == len(rows) == 32
    for row in rows:
        techniques = row["variant"].split(" + ")
        # Errors come of links that corrupt bits, and of nothing else.
        if "policy.toml" in techniques:
            assert row["wrong_bits"] > 0
            assert 1e-12 < row["program_error"] < 1e-3
        else:
            assert row["wrong_bits"] is None
            assert row["program_error"] < 1e-12
        assert ("hint" in techniques) == (row["rank_memory_bytes"] is not None)
        assert ("scheduled" in techniques) == (row["timed_steps"] is not None)
        assert ("elan4" in techniques) == (row["matching_ps"] is not None)
        if "prewake" not in techniques:
            assert row["link_wakes"] == 0
    # Whatever is on, the same numbers are computed; with errors, other ones.
    exact = {row["program_error"] for row in rows if row["approx"] == "none"}
    assert len(exact) == 1


def check_page(path: Path) -> None:
    with chromium() as browser:
        opened = open_page(browser, path)
        page = opened.page
        for table, count in (("combinations", 32), ("effects", 5 * 3), ("pairs", 10 * 2)):
            rows = page.query_selector_all(f"#{PLATFORM}-{table} tbody tr")
            assert len(rows) >= count, table
        reasons = page.query_selector_all(f"#{PLATFORM}-pairs tbody td:last-child")
        assert all(reason.inner_text().strip() for reason in reasons)
        assert page.query_selector(f"#{PLATFORM}-variants svg") is not None
        assert page.query_selector("#paper") is None
        assert page.query_selector(".failed") is None
        check_clean(opened, path)


@pytest.mark.long
@pytest.mark.timeout(2 * LIMIT_S)
def test_braid(tmp_path: Path) -> None:
    found = study("braid", tmp_path)
    assert found["failed"] is False
    check_combinations(found["tables"][f"{PLATFORM}-combinations"])
    effects = found["tables"][f"{PLATFORM}-effects"]
    alone = {(row["technique"], row["quantity"]): row["alone"] for row in effects}
    assert alone["link-power = prewake", "link_energy_pj"] < 1
    assert alone["matching = elan4", "virtual_time_ps"] > 1
    assert found["tables"][f"{PLATFORM}-pairs"][0]["reason"]
    findings = {each["name"]: each for each in found["findings"]}
    # Five techniques, alone and with all others, and ten pairs; in time and in energy.
    assert len(findings) == len(found["findings"]) == 2 * (5 * 2 + 10)
    lone = findings[f"{PLATFORM}: link energy with link-power = prewake, alone"]
    assert lone["here"] == alone["link-power = prewake", "link_energy_pj"]
    pair = findings[f"{PLATFORM}: time with matching = elan4 and collectives = scheduled"]
    assert pair["here"] > 0
    assert pair["why"]
    check_page(tmp_path / "kumi-study-braid" / "study.html")
