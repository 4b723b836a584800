"""The report in a real browser, without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import synthetic_run
from playwright.sync_api import Browser
from synthetic_run import CONTROL, SyntheticRun
from typer.testing import CliRunner

from colours import TEXTS_AND_GROUNDS, contrast
from kumihimo import results
from kumihimo.cli.main import app
from pages import OpenPage, check_clean, chromium, open_report

pytestmark = pytest.mark.processes

MOST_BYTES = 5_000_000
COUNT_SVG_SHAPES = """name => document.querySelectorAll(
    `#drawing-${name} svg g.role-mark:not([class*=stretch]) > :is(path, line, text)`).length"""
# Whether a canvas shows more than its background.
COUNT_COLOURS = """name => {
    const canvas = document.querySelector(`#drawing-${name} canvas`);
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const colours = new Set();
    for (let i = 0; i < data.length; i += 4)
        colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return colours.size;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def written(run: SyntheticRun, folder: Path) -> Path:
    results.write(folder, run.info, run.summary, run.records, trace=False)
    return folder / "report.html"


def check_figures(report: OpenPage) -> dict[str, int]:
    """Check that every figure drew as many marks as the report says it has."""
    marks: dict[str, int] = {}
    page = report.page
    for drawing in page.query_selector_all(".drawing"):
        name = str(drawing.get_attribute("id")).removeprefix("drawing-")
        marks[name] = report.told_marks(name)
        assert report.count_marks(name) == marks[name], name
        if drawing.get_attribute("data-renderer") == "svg":
            assert page.evaluate(COUNT_SVG_SHAPES, name) == marks[name], name
        else:
            assert page.evaluate(COUNT_COLOURS, name) > 10, name
    return marks


def test_figures_of_a_small_run(browser: Browser, all_to_all: SyntheticRun, tmp_path: Path) -> None:
    path = written(all_to_all, tmp_path / "out")
    report = open_report(browser, path)
    marks = check_figures(report)
    names = ["timeline", "ranks", "matrix", "links", "topology", "sizes", "waits", "queueing"]
    assert list(marks) == names
    messages = all_to_all.messages[all_to_all.messages["kind"] != CONTROL]
    pairs = set(zip(messages["source"].tolist(), messages["target"].tolist(), strict=True))
    assert marks["matrix"] == len(pairs)
    assert marks["timeline"] > len(all_to_all.states)
    assert marks["ranks"] == 3 * 6
    check_clean(report, path)
    for word in ("Virtual time", "MiB", "5 Gb/s", "Communication matrix"):
        assert word.lower() in report.page.inner_text("body").lower()
    assert report.page.query_selector(".partial") is None


def test_a_tooltip_tells_the_value(browser: Browser, ring: SyntheticRun, tmp_path: Path) -> None:
    report = open_report(browser, written(ring, tmp_path / "out"))
    report.page.hover("#drawing-matrix svg g.role-mark > path >> nth=0")
    report.page.wait_for_selector("#vg-tooltip-element.visible")
    text = report.page.inner_text("#vg-tooltip-element")
    assert "From rank" in text
    assert "5 KiB" in text


def test_dragging_over_the_overview_zooms(
    browser: Browser, ring: SyntheticRun, tmp_path: Path
) -> None:
    report = open_report(browser, written(ring, tmp_path / "out"))
    page = report.page

    def domain() -> Any:  # noqa: ANN401
        return page.evaluate("window.kumihimoFigures.timeline.signal('stretch').begin || null")

    assert domain() is None
    box = page.query_selector("#drawing-timeline svg")
    assert box is not None
    place = box.bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + 200, place["y"] + 60)
    page.mouse.down()
    page.mouse.move(place["x"] + 400, place["y"] + 60, steps=5)
    page.mouse.up()
    low, high = domain()
    assert 0 < low < high
    assert (high - low) * 1_000_000 < 0.5 * ring.summary["virtual_time_ps"]
    assert report.complaints == []


def test_figures_of_many_ranks_stay_small(browser: Browser, tmp_path: Path) -> None:
    run = synthetic_run.finish(synthetic_run.ring(200, 30), tmp_path / "records")
    path = written(run, tmp_path / "out")
    assert path.stat().st_size < MOST_BYTES
    report = open_report(browser, path)
    marks = check_figures(report)
    renderer = report.page.get_attribute("#drawing-timeline", "data-renderer")
    assert renderer == "canvas"
    assert marks["timeline"] <= 64 * 420 + 3 * 280
    check_clean(report, path)


def test_a_partial_run_is_marked_loudly(browser: Browser, tmp_path: Path) -> None:
    run = synthetic_run.finish(
        synthetic_run.ring(3, 2), tmp_path / "records", status="partial",
        reason="rank 1 <b>crashed</b>\nsignal 11",
    )  # fmt: skip
    report = open_report(browser, written(run, tmp_path / "out"))
    alarm = report.page.query_selector(".partial")
    assert alarm is not None
    assert "rank 1 <b>crashed</b>" in alarm.inner_text()
    assert alarm.bounding_box() is not None
    colour = alarm.evaluate("element => getComputedStyle(element).backgroundColor")
    assert colour == "rgb(179, 38, 30)"
    check_figures(report)


def test_names_cannot_break_out_of_the_page(browser: Browser, tmp_path: Path) -> None:
    run = synthetic_run.finish(synthetic_run.ring(2, 2), tmp_path / "records")
    for link in run.summary["links"]:
        link["name"] += "</script><script>console.log('broken')</script>,\"&"
    path = written(run, tmp_path / "out")
    report = open_report(browser, path)
    check_figures(report)
    assert report.complaints == []


@pytest.mark.parametrize("with_records", [True, False])
def test_runs_without_anything_to_draw(
    browser: Browser, tmp_path: Path, *, with_records: bool
) -> None:
    model = synthetic_run.StarModel(2)
    run = synthetic_run.finish(model, tmp_path / "records", status="partial", reason="it died")
    folder = tmp_path / "out"
    if with_records:
        path = written(run, folder)
    else:
        results.write(folder, run.info, run.summary, None)
        from kumihimo.results.writer import write_report

        path = write_report(results.load(folder))
    page = browser.new_page()
    page.goto(path.as_uri())
    text = page.inner_text("body")
    assert "it died" in text
    assert ("Only totals were recorded" in text) != with_records
    assert page.query_selector(".drawing") is None


SHAPES = {
    "torus": 'kind = "torus"\nsizes = [4, 3, 2]\nhosts_per_switch = 1',
    "dragonfly": 'kind = "dragonfly"\ngroups = 4\nswitches_per_group = 3\n'
    "global_links_per_switch = 1\nhosts_per_switch = 2",
    "fat_tree": 'kind = "fat_tree"\nchildren = [4, 6]\nparents = [1, 3]\ncables = [1, 1]',
}


def replayed(shape: str, folder: Path, *, pattern: str = "alltoall", size: str = "4KiB") -> Path:
    """The report of a replay over a platform of that shape."""
    folder.mkdir()
    platform = folder / "platform.toml"
    platform.write_text(
        f'[topology]\n{SHAPES[shape]}\n[link]\nbandwidth = "8 Gb/s"\nlatency = "100 ns"\n'
        '[node]\nspeed = "1 Gflop/s"\n'
    )
    words = ["replay", "--pattern", pattern, "-n", "24", "-b", size, "-q"]
    words += ["-p", str(platform), "--out", str(folder / "out")]
    assert CliRunner().invoke(app, words).exit_code == 0
    return folder / "out" / "report.html"


@pytest.mark.parametrize("shape", SHAPES)
def test_the_load_of_a_replay_is_drawn(shape: str, browser: Browser, tmp_path: Path) -> None:
    path = replayed(shape, tmp_path / shape)
    report = open_report(browser, path)
    assert check_figures(report)["topology"] > 0
    check_clean(report, path)
    assert "Replay of alltoall/pairwise" in report.page.inner_text("h1")


# Height of the letters that a picture shows.
TEXT_SIZES = """name => {
    const found = [];
    const visit = item => {
        if (item.marktype === "text" && item.role === "mark")
            for (const mark of item.items) if (mark.opacity !== 0) found.push(mark.fontSize);
        for (const child of item.items || []) visit(child);
    };
    visit(window.kumihimoFigures[name].scenegraph().root);
    return found;
}"""


@pytest.mark.parametrize("width", [1120, 500])
def test_words_in_pictures_of_networks_are_not_tiny(
    width: int, browser: Browser, tmp_path: Path
) -> None:
    path = replayed("torus", tmp_path / "torus")
    sizes = open_report(browser, path, width=width).page.evaluate(TEXT_SIZES, "topology")
    assert sizes
    assert min(sizes) >= 8


# What the marks of a figure show: of each its datum with its colour.
MARKS_WITH_DATA = """name => {
    const found = [];
    const visit = item => {
        for (const mark of item.role === "mark" && item.marktype !== "group" ? item.items : [])
            found.push({...mark.datum, colour: mark.stroke || mark.fill});
        for (const child of item.items || []) visit(child);
    };
    visit(window.kumihimoFigures[name].scenegraph().root);
    return found;
}"""


def loads_of(browser: Browser, path: Path) -> dict[str, tuple[float, str]]:
    """Use and colour of each link that the picture of the network names."""
    found = open_report(browser, path).page.evaluate(MARKS_WITH_DATA, "topology")
    return {mark["link"]: (mark["use"], mark["colour"]) for mark in found if "link" in mark}


def test_a_quiet_network_has_other_colours_than_a_busy_one(
    browser: Browser, tmp_path: Path
) -> None:
    quiet = loads_of(browser, replayed("torus", tmp_path / "quiet", size="1B"))
    busy = loads_of(browser, replayed("torus", tmp_path / "busy", size="1MiB"))
    least, most = (max(loads.values()) for loads in (quiet, busy))
    assert least[0] < 5 < 40 < most[0]
    assert least[1] != most[1]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_link_of_a_host_and_of_a_dragonfly_is_named(
    shape: str, browser: Browser, tmp_path: Path
) -> None:
    path = replayed(shape, tmp_path / shape)
    names = set(loads_of(browser, path))
    used = {row["name"] for row in results.load(path.parent).document["per_link"]}
    assert {name for name in used if "host" in name} <= names
    if shape == "dragonfly":
        assert names == used


WIDTHS = [360, 700, 900, 1400]
# How far each figure reaches over its card, and by how much it was shrunk as a picture.
FIGURES_AND_CARDS = """() => [...document.querySelectorAll(".drawing")].map(drawing => {
    const drawn = drawing.querySelector("svg.marks, canvas");
    const [card, box] = [drawing.closest("section"), drawn].map(e => e.getBoundingClientRect());
    const natural = drawn.width.baseVal ? drawn.width.baseVal.value : drawn.width;
    return [drawing.id, box.right - card.right, drawing.scrollWidth - drawing.clientWidth,
            box.width / natural];
})"""


@pytest.mark.parametrize("width", WIDTHS)
def test_figures_stay_in_their_cards(width: int, browser: Browser, tmp_path: Path) -> None:
    path = replayed("dragonfly", tmp_path / "run")
    report = open_report(browser, path, width=width)
    found = report.page.evaluate(FIGURES_AND_CARDS)
    assert len(found) == 8
    for name, over_card, scrolls, scale in found:
        assert over_card < 0, name
        assert scrolls <= 0, name
        assert scale > 0.95, f"{name}: letters are shrunk with the figure"
    check_figures(report)
    check_clean(report, path)


def test_figures_follow_the_width_of_the_window(browser: Browser, tmp_path: Path) -> None:
    report = open_report(browser, replayed("torus", tmp_path / "run"), width=1400)
    page = report.page
    wide = page.evaluate(FIGURES_AND_CARDS)
    page.set_viewport_size({"width": 500, "height": 900})
    page.wait_for_function("document.querySelector('.drawing').dataset.room < 500")
    page.wait_for_selector("body[data-drawn=yes]", timeout=60_000)
    narrow = page.evaluate(FIGURES_AND_CARDS)
    assert [figure[0] for figure in narrow] == [figure[0] for figure in wide]
    assert all(over < 0 and scale > 0.95 for _, over, _, scale in narrow)
    assert report.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read(scheme: str, browser: Browser, tmp_path: Path) -> None:
    report = open_report(browser, replayed("fat_tree", tmp_path / "run"), scheme=scheme)
    texts = report.page.evaluate(TEXTS_AND_GROUNDS)
    assert len(texts) > 200
    for text, colour, ground in texts:
        assert contrast(colour, ground) > 4.5, (text, colour, ground)
    ground = report.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (contrast(ground, "rgb(0, 0, 0)") < 2) == (scheme == "dark")


def test_the_page_follows_a_change_to_dark(browser: Browser, tmp_path: Path) -> None:
    report = open_report(browser, replayed("torus", tmp_path / "run"))
    report.page.emulate_media(color_scheme="dark")
    report.page.wait_for_selector("#drawing-queueing[data-theme=dark]")
    report.page.wait_for_selector("body[data-drawn=yes]", timeout=60_000)
    for text, colour, ground in report.page.evaluate(TEXTS_AND_GROUNDS):
        assert contrast(colour, ground) > 4.5, (text, colour, ground)
    assert report.complaints == []
