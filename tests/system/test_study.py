"""The study of sleeping links, with few points: from programs to a page in a browser."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jobs import BIN, ROOT, run
from pages import check_clean, chromium, open_page

LIMIT_S = 400


def study(folder: Path) -> str:
    """Run the quick study in a folder, whose name it chooses by itself."""
    files = ROOT / "studies" / "prewake"
    command = [str(BIN / "kumihimo"), "study", "prewake", "--quick", "--files", str(files)]
    return run(command, cwd=folder, limit_s=LIMIT_S).stdout


def check_numbers(folder: Path) -> None:
    found = json.loads((folder / "study.json").read_text())
    modes = found["modes"]
    assert found["step_ps"] == 2500
    # Two wakes of 4 µs, one after the other, in each period of 31.2 µs.
    assert 1.25 < modes["on_off"]["time"] < 1.30
    assert modes["threshold"]["time"] <= 1.02
    assert modes["ideal"]["time"] == 1
    outcomes = [*modes.values(), found["best"], *found["automatic"].values()]
    assert modes["ideal"]["energy"] == min(outcome["energy"] for outcome in outcomes)
    assert found["window"]["lead_deviation"] < 0.01
    assert found["best"]["time"] <= 1.09
    assert found["best"]["saving"] > 0.45
    automatic = found["automatic"]
    assert set(automatic) == {"flat broadcast", "MPICH's broadcast"}
    # Of twenty rounds, the first ones teach where the wakes must go.
    assert all(outcome["time"] < 1.03 for outcome in automatic.values())
    assert all(outcome["saving"] > 0.35 for outcome in automatic.values())
    hand = {how.split(", P")[0]: woken for how, woken in found["by_hand"].items()}
    assert set(hand) == {"dummy messages from rank 0", "wake frames along the tree"}
    assert (
        hand["wake frames along the tree"]["saving"] > hand["dummy messages from rank 0"]["saving"]
    )
    assert hand["wake frames along the tree"]["time"] <= 1.09
    policies = {case["policy"] for case in found["networks"]}
    assert policies == {"threshold", "ideal", "prewake", "prewake, hop by hop"}
    assert {(case["platform"], case["ranks"]) for case in found["networks"]} == {("torus-16", 16)}
    policies = {case["policy"] for case in found["applications"]}
    assert policies == {"on_off", "threshold", "perfbound", "ideal", "prewake"}


def check_page(path: Path) -> None:
    with chromium() as browser:
        opened = open_page(browser, path)
        page = opened.page
        figures = page.query_selector_all("figure")
        names = [str(figure.get_attribute("id")) for figure in figures]
        assert names == [
            *(
                "time-by-place",
                "energy-by-place",
                "idle-times",
                "modes",
                "applications-paper",
                "networks",
            ),
        ]
        for figure in figures:
            shapes = figure.query_selector_all("svg .role-mark > *")
            assert len(shapes) >= 4
        for table, least in (("paper", 12), ("modes", 8), ("applications", 5), ("networks", 4)):
            assert len(page.query_selector_all(f"#{table} tbody tr")) >= least
        assert "nan" not in page.inner_text("body").lower().split()
        assert page.query_selector(".failed") is None
        check_clean(opened, path)


@pytest.mark.long
@pytest.mark.timeout(2 * LIMIT_S)
def test_prewake(tmp_path: Path) -> None:
    folder = tmp_path / "kumi-study-prewake"
    study(tmp_path)
    check_numbers(folder)
    check_page(folder / "study.html")
    places = pq.read_table(folder / "places.parquet").to_pylist()
    assert {row["woken_by"] for row in places} == {"messages", "frames"}
    assert len(pq.read_table(folder / "applications.parquet")) == 14
    # Called again, it keeps what it has.
    numbers = (folder / "study.json").read_bytes()
    points = {path: path.stat().st_mtime_ns for path in folder.glob("*/points/*.json")}
    study(tmp_path)
    assert (folder / "study.json").read_bytes() == numbers
    assert {path: path.stat().st_mtime_ns for path in folder.glob("*/points/*.json")} == points
