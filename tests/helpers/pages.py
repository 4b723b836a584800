"""Pages that Kumihimo writes, in a real browser and without a network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

CHROMIUM = "/usr/bin/chromium"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip
# Counts the marks that a figure drew, wherever it drew them: in its scene graph.
COUNT_MARKS = """name => {
    let count = 0;
    const visit = item => {
        if (item.marktype && item.role === "mark" && item.marktype !== "group"
            && !/brush|stretch/.test(item.name || "")) count += item.items.length;
        for (const child of item.items || []) visit(child);
    };
    visit(window.kumihimoFigures[name].scenegraph().root);
    return count;
}"""


@dataclass
class OpenPage:
    """A page in a tab, with all it complained about or asked for."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def count_marks(self, figure: str) -> int:
        """How many marks a figure drew."""
        return int(self.page.evaluate(COUNT_MARKS, figure))

    def told_marks(self, figure: str) -> int:
        """How many marks the page says that a figure has."""
        return int(str(self.page.get_attribute(f"#drawing-{figure}", "data-marks")))


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's browser, without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


def open_page(
    browser: Browser, path: Path, *, width: int = 1120, scheme: str = "light"
) -> OpenPage:
    """Open a page in a tab of its own, in the light or dark scheme."""
    size = ViewportSize(width=width, height=900)
    wanted: Literal["dark", "light"] = "dark" if scheme == "dark" else "light"
    opened = OpenPage(browser.new_page(viewport=size, color_scheme=wanted))
    page = opened.page
    page.on("console", lambda message: opened.complaints.append(message.text))
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    page.on("request", lambda request: opened.requests.append(request.url))
    page.goto(path.as_uri())
    return opened


def open_report(
    browser: Browser, path: Path, *, width: int = 1120, scheme: str = "light"
) -> OpenPage:
    """Open a page whose figures are drawn by scripts, and wait until they are."""
    report = open_page(browser, path, width=width, scheme=scheme)
    report.page.wait_for_selector("body[data-drawn=yes]", timeout=60_000)
    return report


def check_clean(opened: OpenPage, path: Path) -> None:
    """Check that a page is whole by itself, and no wider than the window."""
    assert opened.complaints == []
    assert opened.requests == [path.as_uri()], "the page asked for something from outside"
    wide = opened.page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert not wide, "the page is wider than the window"
