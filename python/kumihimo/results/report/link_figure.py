"""The busiest links over time."""

from __future__ import annotations

import numpy as np

from kumihimo import vega
from kumihimo.results import display, parquet
from kumihimo.results.busy_links import busiest_links
from kumihimo.results.report.figure import (
    EMPTY_COLOUR,
    WIDTH,
    Figure,
    rows_data,
    use_colour,
    use_step,
)
from kumihimo.results.run import Run

MOST_LINKS = 16
_MOST_BINS = 200
# Leaves room for the names of links and for the legend.
_WIDTH = WIDTH - 120
_COLUMNS = {"link": "string", "begin": "number", "end": "number", "use": "number",
            "edge": "number", "step": "number"}  # fmt: skip


def link_figure(run: Run) -> Figure:
    """Draw the use of the busiest links over virtual time as a heat map."""
    links = busiest_links(run.document, MOST_LINKS)
    names = [link["name"] for link in links]
    unit_ps, unit = display.time_unit(run.virtual_time_ps)
    rows = _use_rows(run, {int(link["link"]): link["name"] for link in links}, unit_ps)
    chart = (
        vega.Chart(rows_data(_COLUMNS, rows), width=_WIDTH, height=20 * max(1, len(names)))
        .mark("rect", strokeWidth=0)
        .encode(
            x=vega.field("begin:Q", title=f"Virtual time ({unit})", axis=vega.axis(tickCount=12),
                         scale=vega.scale(domain=[0, run.virtual_time_ps / unit_ps], nice=False)),
            x2="edge:Q",
            y=vega.field("link:N", title=None, sort=names,
                         scale=vega.scale(domain=names, paddingInner=0.12),
                         axis=vega.axis(ticks=False, domain=False)),
            color=use_colour(),
            tooltip=[
                vega.field("link:N", title="Link"),
                vega.field("use:Q", title="Use (%)", format=".1f"),
                vega.field("begin:Q", title=f"From ({unit})", format=",.4~f"),
                vega.field("end:Q", title=f"To ({unit})", format=",.4~f"),
            ],
        )
        .properties(view=vega.background(fill=EMPTY_COLOUR, stroke=None))
    )  # fmt: skip
    count = "The link that was" if len(names) == 1 else f"{len(names)} of the links that were"
    return Figure(
        "links",
        "Use of links over time",
        f"{count} busy longest, some of each kind, and the share of each stretch of time in which "
        "bits were on their way into it; grey where it was idle.",
        chart if rows else None,
        len(rows),
    )


def _use_rows(run: Run, names: dict[int, str], unit_ps: int) -> list[tuple[str, ...]]:
    """Return the use of the named links, neighbouring bins merged until there are few enough."""
    table: dict[str, list[np.ndarray]] = {"link": [], "begin_ps": [], "busy_ps": []}
    width = 0
    for chunk in parquet.read_chunks(run.table_path("link_use"), [*table, "end_ps"]):
        if chunk["link"].size:
            width = max(width, int((chunk["end_ps"] - chunk["begin_ps"]).max()))
        wanted = np.isin(chunk["link"], list(names))
        for name, parts in table.items():
            parts.append(chunk[name][wanted].astype(np.int64))
    if not width:
        return []
    link, begin, busy = (np.concatenate(parts) for parts in table.values())
    bins = -(-run.virtual_time_ps // width)
    wide = width * max(1, -(-bins // _MOST_BINS))
    keys, position = np.unique(np.stack([link, begin // wide]), axis=1, return_inverse=True)
    sums = np.bincount(position.reshape(-1), weights=busy)
    rows: list[tuple[str, ...]] = []
    for (number, index), total in zip(keys.T.tolist(), sums.tolist(), strict=True):
        start, end = index * wide, min((index + 1) * wide, run.virtual_time_ps)
        use = min(100.0, 100 * total / max(1, end - start))
        # A third of a pixel more than the bin has, since a gap would show between neighbours.
        edge = min(end + run.virtual_time_ps / (3 * _WIDTH), run.virtual_time_ps)
        times = (f"{time_ps / unit_ps:.7g}" for time_ps in (start, end, edge))
        begin_text, end_text, edge_text = times
        rows.append(
            (names[number], begin_text, end_text, f"{use:.2f}", edge_text, str(use_step(use)))
        )
    return rows
