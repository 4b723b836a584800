"""Writes what a study has found: a page, figures, tables and numbers."""

from __future__ import annotations

from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from kumihimo.errors import UserError
from kumihimo.results.canonical import readable_json
from kumihimo.results.report.page_style import page_style
from kumihimo.study.contents import Contents

STEM = "study"
PAGE_FILE = f"{STEM}.html"
FORMAT = "kumihimo-study/1"


def write_study(folder: Path, name: str, contents: Contents, *, stem: str = STEM) -> None:
    """Write a page and its numbers, a Parquet file for each table, and the figures.

    Args:
        folder: Where to.
        name: Of the study, as in its command.
        contents: What was found.
        stem: Of the names of the page (STEM.html) and of its numbers (STEM.json).

    Raises:
        UserError: If a file cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        for figure in contents.figures:
            (folder / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
            (folder / f"{figure.name}.png").write_bytes(figure.png)
        for table in contents.tables:
            rows = [dict(row) for row in table.rows]
            pq.write_table(
                pa.Table.from_pylist(rows), folder / f"{table.name}.parquet", compression="zstd"
            )
        numbers = readable_json(_numbers(name, contents))
        (folder / f"{stem}.json").write_text(numbers, encoding="utf-8")
        (folder / f"{stem}.html").write_text(_page(contents), encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from error


def _numbers(name: str, contents: Contents) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "study": name,
        "summary": list(contents.summary),
        "findings": [
            asdict(finding)
            for finding in (*(line.finding() for line in contents.lines), *contents.findings)
        ],
        "tables": {table.name: [dict(row) for row in table.rows] for table in contents.tables},
        "failed": contents.failed,
    }


def _page(contents: Contents) -> str:
    import jinja2

    text = (files("kumihimo.study") / "page.html.j2").read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(text).render(style=page_style(), contents=contents)
