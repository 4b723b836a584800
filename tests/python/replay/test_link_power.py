"""What a replay over links that save power leaves: result, table, trace, report, comparison."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from charts import tables_of
from kumihimo import results
from kumihimo.results.report import power_figures
from pages import check_clean, chromium, open_report

pytestmark = pytest.mark.processes

PLATFORM = Path(__file__).resolve().parents[3] / "platforms" / "star4-onoff.toml"
POLICIES = ("always_on", "on_off", "ideal")


def kumihimo(*arguments: object) -> str:
    """Run a command that must succeed; return what it printed."""
    command = [sys.executable, "-m", "kumihimo", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def replay(policy: str, folder: Path) -> str:
    """Replay ten broadcasts with some computing in between; return what was printed."""
    pattern = ("--pattern", "broadcast/binomial", "-n", 4, "--bytes", "1200 B", "--work", "25 us")
    options = ("--iterations", 10, "--platform", PLATFORM, "--link-power", policy, "--out", folder)
    return kumihimo("replay", *pattern, *options)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("replays")
    for policy in POLICIES:
        replay(policy, home / policy)
    return {policy: home / policy for policy in POLICIES}


def test_the_table_says_what_links_drew(tmp_path: Path) -> None:
    lines = replay("on_off", tmp_path / "out").splitlines()
    line = next(line for line in lines if line.startswith("Link energy (on_off): "))
    assert "less than links always on for as long; an oracle's, " in line
    power = results.load(tmp_path / "out").document["link_power"]
    assert power["total"]["wakes"] > 0


def test_always_on_and_ideal_take_equally_long(folders: dict[str, Path]) -> None:
    documents = {policy: results.load(folder).document for policy, folder in folders.items()}
    assert documents["always_on"]["event_hash"] == documents["ideal"]["event_hash"]
    assert documents["on_off"]["virtual_time_ps"] > documents["ideal"]["virtual_time_ps"]
    always = documents["always_on"]["link_power"]["total"]
    assert always["energy_aj"] == always["always_on_energy_aj"]
    assert always["oracle_energy_aj"] == documents["ideal"]["link_power"]["total"]["energy_aj"]


def test_the_trace_has_a_track_for_each_link(folders: dict[str, Path]) -> None:
    run = results.load(folders["on_off"])
    with gzip.open(folders["on_off"] / "trace.json.gz", "rt", encoding="utf-8") as file:
        events = json.load(file, parse_float=Decimal)["traceEvents"]
    slices = [event for event in events if event["ph"] == "X" and event["pid"] == 3]
    for row in run.document["link_power"]["per_link"]:
        own = [event for event in slices if event["tid"] == row["link"]]
        asleep = sum(int(event["dur"] * 10**6) for event in own if event["name"] == "low_power")
        assert asleep == row["times_ps"]["low_power"]
    names = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert {link["name"] for link in run.document["per_link"]} <= names


def test_power_states_of_a_long_run_are_drawn_to_its_end(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power_figures, "MOST_STRETCHES", 100)
    run = results.load(folders["on_off"])
    figure = power_figures.power_timeline_figure(run)
    assert 20 < figure.marks <= 100
    (rows,) = tables_of(figure.chart)
    end_us = run.virtual_time_ps / 10**6
    for link in {row["link"] for row in rows}:
        assert max(float(row["end"]) for row in rows if row["link"] == link) > 0.99 * end_us
    assert "are merged with their neighbours" in figure.sentence


def test_reports_in_a_browser(folders: dict[str, Path], tmp_path: Path) -> None:
    comparison = tmp_path / "comparison.html"
    kumihimo("compare", *folders.values(), "--report", comparison)
    with chromium() as browser:
        report = open_report(browser, folders["on_off"] / "report.html")
        for name in ("power-timeline", "energy", "idle"):
            assert report.told_marks(name) > 0
            assert report.count_marks(name) == report.told_marks(name)
        check_clean(report, folders["on_off"] / "report.html")
        assert (
            "less link energy than always on for as long (on_off)"
            in report.page.inner_text("body").lower()
        )
        beside = open_report(browser, comparison)
        check_clean(beside, comparison)
        assert beside.count_marks("trade") == len(POLICIES)
        assert "on_off" in beside.page.inner_text("#results")
