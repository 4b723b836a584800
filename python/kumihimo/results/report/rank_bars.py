"""Bars by rank, or by groups of ranks if there are many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kumihimo import vega
from kumihimo.results import parquet
from kumihimo.results.binning import Integers, group_bounds
from kumihimo.results.report.figure import WIDTH, rows_data
from kumihimo.results.report.statistics import MOST_GROUPS
from kumihimo.results.report.timeline_figure import row_labels
from kumihimo.results.run import Run

# The largest number of ranks with which panels stand in two columns.
_MOST_IN_COLUMNS = 16
_PANEL_WIDTH = 370
_HEIGHT = 150
_WIDEST_BAR = 34
_TICKS = 5
_LEGEND_COLUMNS = 3
_COLUMNS = {"row": "string", "series": "string", "value": "number", "text": "string"}


@dataclass(frozen=True)
class RankPanel:
    """One quantity of every rank.

    Attributes:
        title: What the axis shows, with its unit.
        series: Name and values by rank of each part. Parts that are 0 everywhere are left out.
        colours: Colours of the parts, by name.
        divisor: Number by which values are divided to be in the unit of the title.
        is_stacked: Whether the parts make up a whole. Otherwise they stand next to each other.
        is_largest: Whether a group of ranks shows its largest value. Otherwise it shows the mean.
        is_count: Whether values are whole numbers.
    """

    title: str
    series: Mapping[str, Integers]
    colours: Mapping[str, str]
    divisor: int = 1
    is_stacked: bool = False
    is_largest: bool = False
    is_count: bool = True

    @property
    def parts(self) -> list[str]:
        """Names of the parts that are not 0 everywhere."""
        return [name for name, values in self.series.items() if values.any()]


def rank_columns(run: Run, table: str, names: Sequence[str]) -> dict[str, Integers]:
    """Return columns of a table that has one row for each rank, in their order."""
    chunks = list(parquet.read_chunks(run.table_path(table), names))
    return {name: np.concatenate([chunk[name] for chunk in chunks]) for name in names}


def are_grouped(ranks: int) -> bool:
    """Return whether bars stand for groups of ranks."""
    return ranks > MOST_GROUPS


def rank_bars(
    panels: Sequence[RankPanel], ranks: int, *, share_colours: bool = False
) -> tuple[vega.Chart | None, int]:
    """Draw panels next to each other, or one above the other if there are many ranks.

    Args:
        panels: What to draw. Panels without any value other than 0 are left out.
        ranks: Number of ranks.
        share_colours: Whether one legend stands for all panels, whose colours must be the same.

    Returns:
        The chart, None if there is nothing to draw, and the number of its bars.
    """
    bounds = group_bounds(ranks, MOST_GROUPS)
    labels = row_labels(bounds)
    are_narrow = ranks <= _MOST_IN_COLUMNS
    width = _PANEL_WIDTH if are_narrow else WIDTH
    drawn = [panel for panel in panels if panel.parts]
    shared = list(dict.fromkeys(name for panel in drawn for name in panel.parts))
    charts, marks = [], 0
    for panel in drawn:
        rows = _rows(panel, bounds, labels)
        charts.append(_chart(panel, rows, labels, width, shared if share_colours else panel.parts))
        marks += len(rows)
    if not charts:
        return None, 0
    if not are_narrow or len(charts) == 1:
        return _resolved(vega.vconcat(*charts, spacing=24), share_colours), marks
    half = -(-len(charts) // 2)
    columns = [
        _resolved(vega.vconcat(*part, spacing=24), share_colours)
        for part in (charts[:half], charts[half:])
    ]
    return _resolved(vega.hconcat(*columns, spacing=40), share_colours), marks


def _resolved(chart: vega.Chart, share_colours: bool) -> vega.Chart:
    colour = "shared" if share_colours else "independent"
    return chart.resolve_scale(color=colour, xOffset="independent")


def _rows(
    panel: RankPanel, bounds: Sequence[tuple[int, int]], labels: Sequence[str]
) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for name, values in panel.series.items():
        for label, (first, last) in zip(labels, bounds, strict=True):
            group = values[first : last + 1]
            value = float(group.max() if panel.is_largest else group.mean()) / panel.divisor
            if value:
                rows.append((label, name, f"{value:.9g}", f"{value:,.6g}"))
    return rows


def _chart(
    panel: RankPanel,
    rows: Sequence[tuple[object, ...]],
    labels: Sequence[str],
    width: int,
    coloured: Sequence[str],
) -> vega.Chart:
    names = panel.parts
    beside = 1 if panel.is_stacked else len(names)
    padding = max(0.12, 1 - _WIDEST_BAR * beside * len(labels) / width)
    most = max(float(str(row[2])) for row in rows)
    axis = (
        vega.axis(format=",d" if most < 10**6 else "~s", tickCount=max(1, min(_TICKS, int(most))))
        if panel.is_count
        else vega.axis(format=",.4~g", tickCount=_TICKS)
    )
    offset = (
        {}
        if panel.is_stacked or len(names) == 1
        else {"xOffset": vega.field("series:N", sort=names, scale=vega.scale(domain=names))}
    )
    return (
        vega.Chart(rows_data(_COLUMNS, rows), width=width, height=_HEIGHT)
        .mark("bar")
        .encode(
            x=vega.field("row:N", title="Rank", sort=list(labels),
                         scale=vega.scale(domain=list(labels), paddingInner=padding,
                                          paddingOuter=padding / 2),
                         axis=vega.axis(labelAngle=0, labelOverlap="greedy", labelSeparation=8,
                                        ticks=False)),
            y=vega.field("value:Q", title=panel.title, axis=axis,
                         stack="zero" if panel.is_stacked else None),
            color=vega.field(
                "series:N",
                scale=vega.scale(domain=list(coloured),
                                 range=[panel.colours[name] for name in coloured]),
                legend=vega.legend(title=None, orient="top", columns=_LEGEND_COLUMNS),
            ),
            tooltip=[
                vega.field("row:N", title="Rank"),
                vega.field("series:N", title="Part"),
                vega.field("text:N", title=panel.title),
            ],
            **offset,
        )
    )  # fmt: skip
