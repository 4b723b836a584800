"""Figures and the page of a sweep: every parameter, every line, and numbers that are whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from colours import check_colours
from kumihimo.sweep.figures import figures_of
from kumihimo.sweep.points import Point, points_of
from kumihimo.sweep.reader import load_sweep
from kumihimo.sweep.series import MOST_LINES, coinciding, group
from kumihimo.sweep.sweep import Sweep
from kumihimo.sweep.writer import write_outcome
from pages import check_clean, chromium, open_page

pytestmark = pytest.mark.processes

PLATFORM = """\
[topology]
kind = "dragonfly"
groups = 4
switches_per_group = 3
global_links_per_switch = 1
hosts_per_switch = 2
[link]
bandwidth = "8 Gb/s"
latency = "100 ns"
[network]
flow_control = "credits"
packet_size = "1 KiB"
buffer = "8 KiB"
[node]
speed = "1 Gflop/s"
"""
SWEEP = """\
platform = "platform.toml"
patterns = ["alltoall --bytes 64KiB", "allreduce/ring --bytes 64KiB"]
ranks = [8, 16, 24]
seeds = [0, 1]
[parameters]
network.buffer = ["4 KiB", "64 KiB", "1 MiB"]
network.routing = ["minimal", "valiant", "ugal"]
"""
ROUTINGS = ("minimal", "valiant", "ugal")
Values = dict[str, Any]


def time_of(values: Values) -> int:
    """A time that identifies every point, but for the seeds."""
    place = ROUTINGS.index(values["network.routing"])
    work = 1 + (values["command"].startswith("alltoall"))
    return (values["ranks"] * work + place) * 10**7 + values["network.buffer_bytes"] * 100


def outcome_of(
    folder: Path, time: Callable[[Values], int]
) -> tuple[Sweep, list[Point], dict[str, Values]]:
    """A sweep with made-up results."""
    (folder / "platform.toml").write_text(PLATFORM)
    (folder / "sweep.toml").write_text(SWEEP)
    sweep = load_sweep(folder / "sweep.toml")
    points = points_of(sweep)
    rows = {
        point.identity: point.values
        | {"status": "complete", "virtual_time_ps": time(point.values), "exit_status": 0,
           "bytes": 98_304, "messages": 1_234_567, "event_hash": "0123456789abcdef",
           "link_energy_pj": 123_456_789_012}
        for point in points
    }  # fmt: skip
    return sweep, points, rows


def test_there_is_a_figure_of_every_parameter(tmp_path: Path) -> None:
    sweep, _, rows = outcome_of(tmp_path, time_of)
    figures = {figure.name: figure.svg for figure in figures_of(sweep, list(rows.values()))}
    assert list(figures) == [
        "virtual_time-by-network_buffer_bytes",
        "virtual_time-by-network_routing",
        "virtual_time-by-ranks",
    ]
    for value in ("4 KiB", "64 KiB", "1 MiB"):
        assert f">{value}<" in figures["virtual_time-by-network_buffer_bytes"]
    for routing in ROUTINGS:
        assert f">{routing}<" in figures["virtual_time-by-network_routing"]
    for svg in figures.values():
        assert "virtual time (µs)" in svg or "virtual time (ms)" in svg


def test_link_energy_has_figures_where_it_differs(tmp_path: Path) -> None:
    sweep, _, by_point = outcome_of(tmp_path, time_of)
    rows = list(by_point.values())
    for place, row in enumerate(rows):
        row["link_energy_pj"] = 10**9 * (1 + place)
    figures = {figure.name: figure for figure in figures_of(sweep, rows)}
    assert len(figures) == 6
    figure = figures["link_energy-by-ranks"]
    assert figure.title == "Link energy over ranks"
    # 108 points, of which the last two are the seeds of one: 107.5 mJ.
    assert "link energy (mJ)" in figure.svg
    # Points without power of links are left out.
    for row in rows[:54]:
        row["link_energy_pj"] = None
    assert len(figures_of(sweep, rows)) == 6


def test_only_several_seeds_have_a_mean(tmp_path: Path) -> None:
    sweep, _, by_point = outcome_of(tmp_path, time_of)
    rows = list(by_point.values())
    assert all("Of several seeds the mean" in figure.note for figure in figures_of(sweep, rows))
    of_one = [row for row in rows if row["seed"] == 0]
    assert not any("seeds" in figure.note for figure in figures_of(sweep, of_one))


def test_lines_can_be_told_apart(tmp_path: Path) -> None:
    sweep, _, by_point = outcome_of(tmp_path, time_of)
    rows = list(by_point.values())
    grouping = group(sweep, "network.buffer_bytes", rows)
    assert grouping.left_out == 0
    assert len(grouping.lines) * len(grouping.panels) == 18
    assert len(grouping.lines) <= MOST_LINES
    assert {series.panel for series in grouping.of_row} == set(grouping.panels)
    # Nothing but seeds and the axis differs within a line of a panel.
    for series in set(grouping.of_row):
        mine = [row for row, found in zip(rows, grouping.of_row, strict=True) if found == series]
        assert len({(row["command"], row["ranks"], row["network.routing"]) for row in mine}) == 1


def test_lines_over_each_other_are_told(tmp_path: Path) -> None:
    sweep, _, rows = outcome_of(tmp_path, lambda values: values["network.buffer_bytes"] * 10**3)
    figure = figures_of(sweep, list(rows.values()))[0]
    assert "These lines lie over each other" in figure.note
    assert coinciding({"a": {1: 1.0}, "b": {1: 1.1}, "c": {1: 2.0}}, 0.2) == [["a", "b"]]
    assert coinciding({"a": {1: 1.0}, "b": {2: 1.0}}, 0.2) == []


# Cells of a table that do not show all they hold.
CUT_CELLS = """() => [...document.querySelectorAll("td, th")]
    .filter(cell => cell.scrollWidth > cell.clientWidth
        && getComputedStyle(cell).overflow !== "visible")
    .map(cell => cell.innerText)"""


def check_page(browser: Browser, path: Path, width: int) -> None:
    opened = open_page(browser, path, width=width)
    page = opened.page
    check_clean(opened, path)
    assert page.evaluate(CUT_CELLS) == []
    headings = [heading.lower() for heading in page.locator("th").all_inner_texts()]
    assert "virtual time" in headings
    assert "network.buffer_bytes" not in headings, "the same column stands here twice"
    cells = page.locator("tbody tr").first.inner_text().split("\t")
    assert {"4 KiB", "96 KiB", "1,234,567", "123.5 mJ"} <= set(cells)
    assert page.locator("figure").count() == 3
    if width >= 1400:
        (time,) = (x for x in page.locator("th").all() if x.inner_text().lower() == "virtual time")
        box, table = time.bounding_box(), page.locator("div.table").bounding_box()
        assert box is not None
        assert table is not None
        assert box["x"] + box["width"] <= table["x"] + table["width"], "it is cut off"


def test_the_page_shows_whole_numbers_with_units(tmp_path: Path) -> None:
    sweep, points, rows = outcome_of(tmp_path, time_of)
    for row in rows.values():
        row["error"] = "an error that says much: " + 10 * "and more of it, at great length; "
    write_outcome(tmp_path, sweep, points, rows)
    with chromium() as browser:
        for width in (360, 1400):
            check_page(browser, tmp_path / "sweep.html", width)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_of_the_page_can_be_seen_by_day_and_night(scheme: str, tmp_path: Path) -> None:
    sweep, points, rows = outcome_of(tmp_path, time_of)
    next(iter(rows.values()))["status"] = "failed"
    write_outcome(tmp_path, sweep, points, rows)
    with chromium() as browser:
        check_colours(open_page(browser, tmp_path / "sweep.html", scheme=scheme), scheme)
