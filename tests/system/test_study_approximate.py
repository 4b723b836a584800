"""The study of links that corrupt bits, with few points: from programs to a page in a browser."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from studies import LIMIT_S, check_goes_on, check_page, study

BITS = {"CG S": 64, "CG S, agreeing": 64, "FT S": 64, "k-means": 32}
RANKS = 32


def check_bits(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 4 * 4
    for row in rows:
        word, protected = BITS[row["program"]], row["protected_bits"]
        assert row["bytes"] == row["expected_bytes"], row
        # Whole bytes of each message are sent.
        share = 4 * word / (4 * word + protected)
        assert row["bandwidth_share"] == pytest.approx(share, rel=3e-3)
        assert row["expected_bandwidth_share"] == share
        assert row["wrong_protected_bits"] == row["nan"] == row["inf"] == 0
        expected = row["expected_wrong_bits"]
        if protected == word:
            assert row["wrong_bits"] == expected == 0
            continue
        deviation = row["wrong_bits"] / expected - 1
        print(f"{row['program']}, {protected} bits: {100 * deviation:+.2f} % from the closed form")
        # Five standard deviations of as many independent bits; neighbours in a symbol are alike.
        assert abs(deviation) < 5 / math.sqrt(expected) + 0.01, row


def check_errors(rows: list[dict[str, Any]]) -> None:
    errors: dict[str, list[float]] = {}
    for row in rows:
        errors.setdefault(row["program"], []).append(row["error"])
    for name, least in (("FT S", 1e-9), ("k-means", 1e-3)):
        assert errors[name] == sorted(errors[name], reverse=True)
        assert errors[name][0] > 3 * errors[name][1]
        assert errors[name][-1] < least
    # Ranks whose copies differ do not get on, whatever is protected; those that agree do.
    assert min(errors["CG S"][:-1]) > 0.01
    assert max(errors["CG S, agreeing"]) < 1e-3
    assert errors["CG S"][-1] == errors["CG S, agreeing"][-1] < 1e-10


def check_networks(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 4 * 3
    times = {(row["program"], row["network"]): row["seconds"] for row in rows}
    for name in BITS:
        assert times[name, "approximate"] < times[name, "corrected"]
    for name in ("CG S", "CG S, agreeing", "FT S"):
        assert times[name, "approximate"] < times[name, "conventional"]
    # Long messages gain from bandwidth, whatever correction takes; short ones do not.
    assert times["FT S", "corrected"] < times["FT S", "conventional"]
    assert times["CG S", "corrected"] > times["CG S", "conventional"]
    by_key = {(row["program"], row["network"]): row for row in rows}
    # By closed forms: three exchanges of each rank and product; one from each rank to each other.
    assert by_key["CG S", "approximate"]["approximate_messages"] == RANKS * 15 * 25 * 3
    assert by_key["FT S", "approximate"]["approximate_messages"] == 7 * RANKS * (RANKS - 1)
    found = by_key["k-means", "approximate"]
    assert found["approximate_messages"] == RANKS * 5 * found["iterations"]
    assert found["iterations"] >= by_key["k-means", "conventional"]["iterations"]


@pytest.mark.long
@pytest.mark.timeout(2 * LIMIT_S)
def test_approximate(tmp_path: Path) -> None:
    folder = tmp_path / "kumi-study-approximate"
    tables = study("approximate", tmp_path)["tables"]
    check_bits(tables["bits"])
    check_errors(tables["bits"])
    check_networks(tables["networks"])
    assert pq.read_table(folder / "bits.parquet").to_pylist() == tables["bits"]
    check_page(
        folder / "study.html",
        figures={"networks": 12, "errors": 12},
        tables={"paper": 12, "networks": 12, "bits": 16},
        findings=4,
    )
    check_goes_on("approximate", tmp_path)
