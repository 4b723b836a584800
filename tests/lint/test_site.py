"""The documentation builds as a site: links lead somewhere, and every page is in the nav."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs_site import with_folders, without_outside_links
from sources import ROOT

# What a page makes a browser load, unlike what a reader may follow.
LOADED = re.compile(r"<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=\"?(?:https?:)?//[^>]*>")
PARTS = ("mkdocs.yml", "docs", "tools")


def build(folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", site],
        cwd=folder,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def test_the_site_builds_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    built = build(ROOT, tmp_path)
    assert built.returncode == 0, built.stdout
    pages = {path: path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.html")}
    assert len(pages) > len(list((ROOT / "docs").rglob("*.md")))  # and that of the error 404
    assert {
        path.name: found for path, text in pages.items() if (found := LOADED.findall(text))
    } == {}


def test_what_is_loaded_is_seen() -> None:
    assert LOADED.search('<link rel="stylesheet" href="https://fonts.example.org/a.css">')
    assert LOADED.search("<script src=//example.org/a.js></script>")
    assert not LOADED.search('<a href="https://example.org">')


@pytest.mark.parametrize(
    ("page", "addition", "message"),
    [
        ("speed.md", "[gone](gone.md)", "'gone.md'"),
        ("speed.md", "[gone](matching.md#gone)", "does not contain an anchor '#gone'"),
        ("speed.md", "[gone](#gone)", "there is no such anchor"),
        ("loose.md", "# A page that the nav has not", "loose.md"),
    ],
)
def test_mistakes_end_the_build(tmp_path: Path, page: str, addition: str, message: str) -> None:
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    with (tmp_path / "docs" / page).open("a", encoding="utf-8") as file:
        file.write(f"\n{addition}\n")
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode != 0
    assert message in built.stdout


def test_folders_stand_for_their_pages() -> None:
    pages = ["a/2.md", "a/1.md", "a/named.md", "b.md"]
    nav = [{"First": ["a/named.md", "b.md"]}, {"All": "a/"}]
    assert with_folders(nav, pages) == [
        {"First": ["a/named.md", "b.md"]},
        {"All": ["a/1.md", "a/2.md"]},
    ]


@pytest.mark.parametrize(
    ("link", "repository", "wanted"),
    [
        ("[a](../b.md#c)", None, "[a](../b.md#c)"),
        ("[a](#c)", None, "[a](#c)"),
        ("[a](https://example.org)", None, "[a](https://example.org)"),
        ("[a](../../bench/b.py#c)", None, "a (`bench/b.py`)"),
        (
            "[a](../../bench/b.py#c)",
            "https://example.org/",
            "[a](https://example.org/blob/main/bench/b.py#c)",
        ),
        ("```\n[a](../../b.md)\n```", None, "```\n[a](../../b.md)\n```"),
    ],
)
def test_links_out_of_the_site(link: str, repository: str | None, wanted: str) -> None:
    assert without_outside_links(link, "adr/page.md", repository) == wanted
