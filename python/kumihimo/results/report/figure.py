"""One figure of the report, and what all of them share."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import altair as alt

# The bins of time lines are whole pixels wide; see WHOLE_PIXEL_BINS in statistics.py.
WIDTH = 840
TEXT_COLOUR = "#1b1f24"
QUIET_COLOUR = "#57606a"
EMPTY_COLOUR = "#f3f4f6"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

# From the palette of Okabe and Ito, which colour-blind readers can tell apart.
STATE_COLOURS = {"compute": "#0072B2", "communication": "#E69F00", "wait": "#C3C9D0"}
KIND_COLOURS = {
    "eager": "#0072B2",
    "rendezvous": "#E69F00",
    "put": "#009E73",
    "get": "#CC79A7",
    "internal": "#56B4E9",
}
# From light to dark, readable in grey as well.
HEAT_SCHEME: Final = "yellowgreenblue"

# Above this number of marks a canvas is faster than SVG.
MOST_SVG_MARKS = 4_000


@dataclass(frozen=True)
class Figure:
    """A chart with its words.

    Attributes:
        name: Identifier in the page.
        title: Heading.
        sentence: What the figure shows, for somebody who sees it for the first time.
        chart: The chart; None if there is nothing to draw.
        marks: How many marks with data it draws.
    """

    name: str
    title: str
    sentence: str
    chart: alt.TopLevelMixin | None
    marks: int

    @property
    def renderer(self) -> Literal["svg", "canvas"]:
        """What draws it fast enough."""
        return "svg" if self.marks <= MOST_SVG_MARKS else "canvas"

    def specification(self) -> str:
        """Return the Vega-Lite specification as JSON that may stand inside a script element."""
        assert self.chart is not None
        specification = self.chart.to_dict(validate=False)
        specification["config"] = chart_config()
        text = json.dumps(specification, separators=(",", ":"), ensure_ascii=False)
        return text.replace("<", "\\u003c")


def rows_data(columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> alt.InlineData:
    """Return data for a chart as CSV, which takes a fraction of the space of JSON objects.

    Args:
        columns: Name and type ("number" or "string") of each column.
        rows: The rows.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return alt.InlineData(
        values=out.getvalue(), format=alt.CsvDataFormat(type="csv", parse=dict(columns))
    )


def heat_legend(title: str) -> alt.Legend:
    """Return a legend for a heat map."""
    return alt.Legend(title=title, gradientLength=180, gradientThickness=12)


def chart_config() -> dict[str, Any]:
    """Return the look of all charts."""
    return {
        "font": FONT,
        "background": "transparent",
        "view": {"stroke": None},
        "axis": {
            "labelColor": TEXT_COLOUR,
            "titleColor": TEXT_COLOUR,
            "labelFontSize": 11,
            "titleFontSize": 12,
            "titleFontWeight": 500,
            "titlePadding": 8,
            "gridColor": "#e5e7eb",
            "domainColor": "#9aa2ab",
            "tickColor": "#9aa2ab",
            "labelLimit": 220,
        },
        "legend": {
            "labelColor": TEXT_COLOUR,
            "titleColor": TEXT_COLOUR,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": 500,
            "symbolType": "square",
        },
        "title": {"color": TEXT_COLOUR, "fontSize": 13, "fontWeight": 600, "anchor": "start"},
    }
