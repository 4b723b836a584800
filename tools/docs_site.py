"""Hooks of MkDocs: what the site needs besides the pages as they are in docs/.

Pages link to files of the repository outside of docs/, as Git hosts show them. The site has no
such files: a link becomes one to the repository if mkdocs.yml has its address (`repo_url`), and
the path as text if not.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")


def with_folders(nav: Any, pages: list[str]) -> Any:  # noqa: ANN401
    """The nav with the pages of a folder in place of its name, which ends with a slash.

    Pages that the nav names by themselves are left out of their folder.
    """
    named = set(_names(nav))

    def expanded(item: Any) -> Any:  # noqa: ANN401
        if isinstance(item, list):
            return [expanded(each) for each in item]
        if isinstance(item, dict):
            return {title: expanded(each) for title, each in item.items()}
        if item.endswith("/"):
            return sorted(page for page in pages if page.startswith(item) and page not in named)
        return item

    return expanded(nav)


def _names(nav: Any) -> list[str]:  # noqa: ANN401
    if isinstance(nav, str):
        return [nav]
    inner = nav.values() if isinstance(nav, dict) else nav
    return [name for item in inner for name in _names(item)]


def without_outside_links(text: str, page: str, repository: str | None) -> str:
    """The text of a page without links that lead out of docs/; `page` is its path from there."""

    def replaced(link: re.Match[str]) -> str:
        shown, target = link.groups()
        if "://" in target or target.startswith("#"):
            return link.group()
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
        if path.startswith("docs/"):
            return link.group()
        if repository:
            return f"[{shown}]({repository.rstrip('/')}/blob/main/{path})"
        return f"{shown} (`{path.partition('#')[0]}`)"

    parts = _FENCED.split(text)
    return "".join(part if part.startswith("```") else _LINK.sub(replaced, part) for part in parts)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put the pages of folders into the nav."""
    pages = [file.src_uri for file in files.documentation_pages()]
    config.nav = with_folders(config.nav, pages)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Replace links that the site cannot follow."""
    return without_outside_links(markdown, page.file.src_uri, config.repo_url)
