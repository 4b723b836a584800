"""Lines over virtual time, of values at equal parts of the run."""

from __future__ import annotations

from collections.abc import Mapping

from kumihimo import vega
from kumihimo.results import display
from kumihimo.results.binning import Integers
from kumihimo.results.report.figure import WIDTH, rows_data
from kumihimo.results.run import Run

# Parts of the run, whatever the number of changes.
PARTS = 120
_HEIGHT = 130
_COLUMNS = {"time": "number", "of": "string", "value": "number", "text": "string"}


def part_ends(run: Run) -> list[int]:
    """Return the instants in ps at which the parts of the run end, in order."""
    return [(part + 1) * run.virtual_time_ps // PARTS for part in range(PARTS)]


def time_lines(
    run: Run,
    title: str,
    lines: Mapping[str, Integers],
    colours: Mapping[str, str],
    *,
    what: str,
    divisor: int = 1,
    from_zero: bool = True,
) -> vega.Chart:
    """Draw one line for each name.

    Args:
        run: Whose virtual time is the horizontal axis; it must not be 0.
        title: What the vertical axis shows, with its unit.
        lines: By name PARTS values, each of one part of the run.
        colours: Of the lines, by name.
        what: What the names are, as a tooltip says.
        divisor: Number by which values are divided to be in the unit of the title.
        from_zero: Whether the vertical axis begins at 0.

    Returns:
        The chart, which has PARTS points for each line.
    """
    unit_ps, unit = display.time_unit(run.virtual_time_ps)
    rows = [
        (f"{end_ps / unit_ps:.9g}", name, f"{value / divisor:.9g}", f"{value / divisor:,.6g}")
        for name, values in lines.items()
        for end_ps, value in zip(part_ends(run), values.tolist(), strict=True)
    ]
    return (
        vega.Chart(rows_data(_COLUMNS, rows))
        .mark("line", interpolate="step-before", strokeWidth=1.6)
        .encode(
            x=vega.field("time:Q", title=f"Virtual time ({unit})"),
            y=vega.field("value:Q", title=title, scale=vega.scale(zero=from_zero)),
            color=vega.field(
                "of:N",
                title=None,
                sort=None,
                legend=vega.legend(orient="top", symbolType="stroke"),
                scale=vega.scale(domain=[*colours], range=[*colours.values()]),
            ),
            tooltip=[
                vega.field("time:Q", title=f"Time ({unit})", format=",.6~g"),
                vega.field("of:N", title=what),
                vega.field("text:N", title=title),
            ],
        )
        .properties(width=WIDTH, height=_HEIGHT)
    )
