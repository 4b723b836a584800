"""Writes what a sweep has found: a table, figures, and a page with both."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kumihimo.errors import UserError
from kumihimo.sweep.execute import OUTCOME_COLUMNS, Row
from kumihimo.sweep.figures import Figure, figures_of
from kumihimo.sweep.points import Point
from kumihimo.sweep.study import Study

if TYPE_CHECKING:
    import pyarrow as pa

TABLE_FILE = "sweep.parquet"
PAGE_FILE = "sweep.html"
# What a table on a page still bears.
_MOST_ROWS = 2000


def write_outcome(folder: Path, study: Study, points: list[Point], rows: dict[str, Row]) -> None:
    """Write sweep.parquet, figures as SVG and PNG, and sweep.html into the folder of a sweep.

    The table has a row for each point that has ended, in the order of the study.

    Raises:
        UserError: If a file cannot be written.
    """
    table = make_table(points, rows)
    ended = table.to_pylist()
    figures = figures_of(study, ended)
    try:
        for old in (*folder.glob("*.svg"), *folder.glob("*.png")):
            old.unlink()
        _write_table(table, folder / TABLE_FILE)
        for figure in figures:
            (folder / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
            (folder / f"{figure.name}.png").write_bytes(figure.png)
        page = _page(study, table.column_names, ended, figures)
        (folder / PAGE_FILE).write_text(page, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from error


def make_table(points: list[Point], rows: dict[str, Row]) -> pa.Table:
    """Return the rows of the points that have ended, in the order of `points`."""
    import pyarrow as pa

    names = list(dict.fromkeys(name for point in points for name in point.values))
    ended = [point for point in points if point.identity in rows]
    columns: dict[str, Any] = {}
    for name in names:
        values = [rows[point.identity].get(name) for point in ended]
        is_number = all(isinstance(value, int | None) for value in values)
        columns[name] = pa.array(values, pa.int64() if is_number else pa.string())
    types = {"wall_seconds": pa.float64(), "cpu_seconds": pa.float64()}
    types |= dict.fromkeys(("status", "error", "event_hash", "host"), pa.string())
    for name in OUTCOME_COLUMNS:
        values = [rows[point.identity].get(name) for point in ended]
        columns[name] = pa.array(values, types.get(name, pa.int64()))
    columns["point"] = pa.array([point.identity for point in ended], pa.string())
    return pa.table(columns)


def _write_table(table: pa.Table, path: Path) -> None:
    import pyarrow.parquet as pq

    stage = path.with_name(f".{path.name}.new")
    pq.write_table(table, stage, compression="zstd")
    stage.rename(path)


def _page(study: Study, names: list[str], rows: list[Row], figures: list[Figure]) -> str:
    import jinja2

    text = (files("kumihimo.sweep") / "page.html.j2").read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    # Columns that say something: not empty, and not the same as another in base units.
    shown = [name for name in names if any(row[name] is not None for row in rows)]
    return environment.from_string(text).render(
        name=study.name,
        figures=figures,
        columns=shown,
        rows=rows[:_MOST_ROWS],
        total=len(rows),
        failed=sum(row["status"] != "complete" for row in rows),
    )
