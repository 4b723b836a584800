"""One figure of the report, and what all of them share."""

from __future__ import annotations

import bisect
import csv
import io
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from kumihimo import vega
from kumihimo.results.report.figure_table import FigureTable

# The bins of time lines are whole pixels wide; see WHOLE_PIXEL_BINS in statistics.py.
WIDTH = 840
TEXT_COLOUR = "#1b1f24"
QUIET_COLOUR = "#57606a"
EMPTY_COLOUR = "#f3f4f6"
GRID_COLOUR = "#e5e7eb"
LINE_COLOUR = "#9aa2ab"
CARD_COLOUR = "#ffffff"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

# From the palette of Okabe and Ito, which colour-blind readers can tell apart.
STATE_COLOURS = {
    "compute": "#0072B2",
    "communication": "#E69F00",
    "wait": "#C3C9D0",
    "sleep": "#9C86C8",
}
KIND_COLOURS = {
    "eager": "#0072B2",
    "rendezvous": "#E69F00",
    "put": "#009E73",
    "get": "#CC79A7",
    "internal": "#56B4E9",
}
# From little to much, in lightness too, so that it can be read in grey; the least is not pale,
# since lines of it lie on white.
HEAT_COLOURS: Final = ["#c5ced7", "#f0d878", "#f5ba48", "#ee9138", "#df673a", "#c64348",
                       "#9e2863", "#6f1b6b", "#3b0f58"]  # fmt: skip
# Shares of capacity, in per cent, at which a link's colour changes: the same in every report, finer
# where most links of real programs are.
USE_STEPS: Final = [0.1, 1, 5, 10, 25, 50, 75, 90]
# What stands for each colour where the page is dark.
_DARK_HEAT = ["#465160", "#5d3f94", "#84358c", "#b13a7f", "#d5526b", "#ec7350", "#f69b45",
              "#f9c25f", "#fbf0a8"]  # fmt: skip
DARK_COLOURS: Final = {
    TEXT_COLOUR: "#e6edf3",
    QUIET_COLOUR: "#9aa5b1",
    EMPTY_COLOUR: "#20262e",
    STATE_COLOURS["wait"]: "#5b6571",
    STATE_COLOURS["sleep"]: "#8467bd",
    "#0072B2": "#4aa3df",
    "#56B4E9": "#a6dcff",
    GRID_COLOUR: "#2b323b",
    LINE_COLOUR: "#6e7883",
    CARD_COLOUR: "#161b22",
} | dict(zip(HEAT_COLOURS, _DARK_HEAT, strict=True))

# Above this number of marks a canvas is faster than SVG.
MOST_SVG_MARKS = 4_000


@dataclass(frozen=True)
class Figure:
    """A chart with its words.

    Attributes:
        name: Identifier in the page.
        title: Heading.
        sentence: What the figure shows, for a reader new to it.
        chart: The chart; None if there is nothing to draw.
        marks: How many marks with data it draws.
        tables: Numbers below the chart.
    """

    name: str
    title: str
    sentence: str
    chart: vega.Chart | None
    marks: int
    tables: Sequence[FigureTable] = ()

    @property
    def renderer(self) -> Literal["svg", "canvas"]:
        """What draws it fast enough."""
        return "svg" if self.marks <= MOST_SVG_MARKS else "canvas"

    def specification(self) -> str:
        """Return the Vega-Lite specification as JSON that may stand inside a script element."""
        assert self.chart is not None
        specification = self.chart.document()
        specification["config"] = chart_config()
        text = json.dumps(specification, separators=(",", ":"), ensure_ascii=False)
        return text.replace("<", "\\u003c")


def rows_data(columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> vega.Spec:
    """Return data for a chart as CSV, which takes a fraction of the space of JSON objects.

    Args:
        columns: Name and type ("number" or "string") of each column.
        rows: The rows.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return {"values": out.getvalue(), "format": {"type": "csv", "parse": dict(columns)}}


def heat_legend(title: str) -> vega.Spec:
    """Return a legend for a heat map."""
    return vega.legend(title=title, gradientLength=180, gradientThickness=12)


def use_step(use: float) -> int:
    """Return the colour of a link's use in per cent of capacity, as an index of HEAT_COLOURS."""
    return bisect.bisect_right(USE_STEPS, use)


def use_colour(*, has_legend: bool = True, of_lines: bool = False) -> vega.Spec:
    """Return the colours of links by a field "step", which `use_step` has made."""
    names = [f"{low:g} to {high:g}" for low, high in itertools.pairwise([0, *USE_STEPS, 100])]
    legend = vega.legend(
        title="Use (%)",
        labelExpr=f"{json.dumps(names)}[datum.value]",
        symbolType="stroke" if of_lines else "square",
        symbolStrokeWidth=5 if of_lines else 0,
        symbolOpacity=1,
    )
    scale = vega.scale(domain=list(range(len(HEAT_COLOURS))), range=HEAT_COLOURS)
    return vega.field("step:O", scale=scale, legend=legend if has_legend else None)


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
            "gridColor": GRID_COLOUR,
            "domainColor": LINE_COLOUR,
            "tickColor": LINE_COLOUR,
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
