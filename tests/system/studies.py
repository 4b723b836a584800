"""Runs the studies that come with Kumihimo, with few points."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jobs import BIN, ROOT, run
from pages import check_clean, chromium, open_page

LIMIT_S = 400


def study(name: str, folder: Path) -> dict[str, Any]:
    """Run a quick study in a folder, where it chooses the name of its own; return its numbers."""
    command = [str(BIN / "kumihimo"), "study", name, "--quick", "--source", str(ROOT)]
    run(command, cwd=folder, limit_s=LIMIT_S)
    numbers = folder / f"kumi-study-{name}" / "study.json"
    found: dict[str, Any] = json.loads(numbers.read_text())
    return found


def check_page(
    path: Path, figures: Mapping[str, int], tables: Mapping[str, int], findings: int
) -> None:
    """Check a study's page in a browser.

    Args:
        path: The page.
        figures: How many shapes a figure has at least, by name, in the order of the page.
        tables: How many rows a table has, by name.
        findings: How many there are.
    """
    with chromium() as browser:
        opened = open_page(browser, path)
        page = opened.page
        drawn = page.query_selector_all("figure")
        assert [figure.get_attribute("id") for figure in drawn] == list(figures)
        for figure, least in zip(drawn, figures.values(), strict=True):
            assert len(figure.query_selector_all("svg .role-mark > *")) >= least
        for table, count in tables.items():
            assert len(page.query_selector_all(f"#{table} tbody tr")) == count, table
        assert len(page.query_selector_all("#findings li")) == findings
        assert page.query_selector(".failed") is None
        check_clean(opened, path)


def check_goes_on(name: str, folder: Path) -> None:
    """Check that a study that is called again keeps what it has."""
    out = folder / f"kumi-study-{name}"
    numbers = (out / "study.json").read_bytes()
    points = {path: path.stat().st_mtime_ns for path in out.glob("*/points/*.json")}
    study(name, folder)
    assert (out / "study.json").read_bytes() == numbers
    assert {path: path.stat().st_mtime_ns for path in out.glob("*/points/*.json")} == points
