"""Cards of techniques in a real browser: light and dark, on narrow windows and wide ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from synthetic_run import SyntheticRun
from technique_runs import with_approximate, with_collectives, with_matching, with_service
from test_report_browser import FIGURES_AND_CARDS, check_figures, written

from colours import TEXTS_AND_GROUNDS, contrast
from pages import check_clean, chromium, open_report

pytestmark = pytest.mark.processes

CARDS = ("matching", "service", "approximate", "collectives")
# Tables of a card that are wider than it, which then scroll.
WIDE_TABLES = """name => [...document.querySelectorAll(`#${name} .scroll`)]
    .filter(box => box.scrollWidth > box.clientWidth).length"""
BACKGROUND_LAYERS = """name => getComputedStyle(
    document.querySelector(`#${name} .scroll`)).backgroundAttachment"""

# How far the last bar of a figure ends before the right edge of its card.
SPACE_BESIDE = """name => {
    const bars = [...document.querySelectorAll(`#drawing-${name} svg g.role-mark > path`)];
    const right = Math.max(...bars.map(bar => bar.getBoundingClientRect().right));
    return document.getElementById(name).getBoundingClientRect().right - right;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def report(ring: SyntheticRun, tmp_path: Path) -> Path:
    """The report of a run with all techniques."""
    run = with_matching(ring, time_ps=1_500_000, has_model=True)
    run = with_collectives(with_approximate(with_service(run, pool_bytes=16 << 20)))
    return written(run, tmp_path / "out")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [700, 1400])
def test_cards_can_be_read(width: int, scheme: str, browser: Browser, report: Path) -> None:
    opened = open_report(browser, report, width=width, scheme=scheme)
    marks = check_figures(opened)
    for card in CARDS:
        assert marks[card] > 0
        assert opened.page.evaluate(WIDE_TABLES, card) == 0, card
    for name, over_card, scrolls, scale in opened.page.evaluate(FIGURES_AND_CARDS):
        assert over_card < 0, name
        assert scrolls <= 0, name
        assert scale > 0.95, f"{name}: letters are shrunk with the figure"
    for text, colour, ground in opened.page.evaluate(TEXTS_AND_GROUNDS):
        assert contrast(colour, ground) > 4.5, (text, colour, ground)
    check_clean(opened, report)


def test_a_table_wider_than_its_card_has_a_shadow(browser: Browser, report: Path) -> None:
    opened = open_report(browser, report, width=360)
    assert opened.page.evaluate(WIDE_TABLES, "matching") == 1
    # Two layers hide the shadows of the two edges as long as the table ends there.
    layers = opened.page.evaluate(BACKGROUND_LAYERS, "matching")
    assert layers == "local, local, scroll, scroll"
    check_clean(opened, report)


def test_panels_of_a_narrow_page_are_as_wide_as_it(browser: Browser, report: Path) -> None:
    """A legend of several columns is wider than such a page, and would shrink the panels."""
    opened = open_report(browser, report, width=360)
    for card in ("matching", "service"):
        assert opened.page.evaluate(SPACE_BESIDE, card) < 70, card
