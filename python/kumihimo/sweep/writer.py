"""Writes what a sweep has found: a table, figures, and a page with both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kumihimo.errors import UserError
from kumihimo.results import display
from kumihimo.results.report.page_style import page_style
from kumihimo.sweep.execute import OUTCOME_COLUMNS, Row
from kumihimo.sweep.figures import Figure, figures_of
from kumihimo.sweep.points import Point
from kumihimo.sweep.sweep import Sweep

if TYPE_CHECKING:
    import pyarrow as pa

TABLE_FILE = "sweep.parquet"
PAGE_FILE = "sweep.html"
_AJ_PER_PJ = 10**6
# What a table on a page still bears.
_MOST_ROWS = 2000


def write_outcome(folder: Path, sweep: Sweep, points: list[Point], rows: dict[str, Row]) -> None:
    """Write sweep.parquet, figures as SVG and PNG, and sweep.html into the folder of a sweep.

    The table has a row for each point that has ended, in the order of the sweep.

    Raises:
        UserError: If a file cannot be written.
    """
    table = make_table(points, rows)
    ended = table.to_pylist()
    figures = figures_of(sweep, ended)
    try:
        for old in (*folder.glob("*.svg"), *folder.glob("*.png")):
            old.unlink()
        _write_table(table, folder / TABLE_FILE)
        for figure in figures:
            (folder / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
            (folder / f"{figure.name}.png").write_bytes(figure.png)
        page = _page(sweep, table.column_names, ended, figures)
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
    types = dict.fromkeys(("wall_seconds", "cpu_seconds", "program_error"), pa.float64())
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


def _page(sweep: Sweep, names: list[str], rows: list[Row], figures: list[Figure]) -> str:
    import jinja2

    text = (files("kumihimo.sweep") / "page.html.j2").read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(text).render(
        name=sweep.name,
        style=page_style(),
        figures=figures,
        columns=list(_columns(sweep, names, rows)),
        rows=rows[:_MOST_ROWS],
        total=len(rows),
        failed=sum(row["status"] != "complete" for row in rows),
    )


@dataclass(frozen=True)
class _Column:
    """A column of the page: its heading, and how its cells are written."""

    name: str
    heading: str
    write: Callable[[Any], str]
    look: str  # class of the style


_LONG = ("command", "error")
# What most readers look for stands before the parameters: a wide table is cut at its right.
_FIRST = ("status", "virtual_time_ps", "link_energy_pj")
# How columns are written that end so; what stands before it is the heading.
_WRITERS: dict[str, Callable[[Any], str]] = {
    "_ps": display.format_time,
    "_pj": lambda value: display.format_energy(value * _AJ_PER_PJ),
    "_seconds": display.format_seconds,
    "bytes": display.format_bytes,
    "program_error": "{:.4g}".format,
}


def _columns(sweep: Sweep, names: list[str], rows: list[Row]) -> Iterator[_Column]:
    """Yield the columns that say something, and each parameter once: as it is written."""
    in_base_units = {x.column for x in sweep.parameters if x.column != x.path}
    first = [name for name in _FIRST if name in names]
    for name in (*first, *(name for name in names if name not in first)):
        values = [row[name] for row in rows if row[name] is not None]
        if not values or name in in_base_units:
            continue
        is_number = not any(isinstance(value, str) for value in values)
        ending = next((x for x in _WRITERS if is_number and name.endswith(x)), None)
        if ending is not None:
            heading = name if ending == "bytes" else name.removesuffix(ending)
            yield _Column(name, heading.replace("_", " "), _WRITERS[ending], "number")
        else:
            heading = name if "." in name else name.replace("_", " ")
            look = "number" if is_number else "long" if name in _LONG else "text"
            yield _Column(name, heading, "{:,}".format if is_number else str, look)
