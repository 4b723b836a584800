"""Results side by side as a page: time against the energy of links."""

from __future__ import annotations

from typing import Any

from kumihimo import vega
from kumihimo.results import display
from kumihimo.results.comparison_table import comparison_rows, difference_rows, labels_of
from kumihimo.results.report.figure import WIDTH, Figure, rows_data
from kumihimo.results.report.render import render


def comparison_page(comparison: dict[str, Any]) -> str:
    """Return what `compare_results` returned as one HTML document that needs no network."""
    results = comparison["results"]
    labels = labels_of(results)
    figures = [_trade(comparison, labels)] if all(r["link_power"] for r in results) else []
    return render(
        "comparison.html.j2",
        figures,
        title=f"{len(results)} results compared",
        labels=labels,
        rows=comparison_rows(results),
        differences=difference_rows(comparison["differences"]),
        hashes=[facts["event_hash"] for facts in results],
        same_event_hash=comparison["same_event_hash"],
    )


def _trade(comparison: dict[str, Any], labels: list[str]) -> Figure:
    """Draw each result as a point: its time and its links' energy, over the first result's."""
    rows = [
        (
            label,
            facts["time_ratio"],
            facts["link_power"]["energy_ratio"],
            display.format_time(facts["virtual_time_ps"]),
            display.format_energy(facts["link_power"]["energy_aj"]),
        )
        for label, facts in zip(labels, comparison["results"], strict=True)
    ]
    columns = {"result": "string", "time": "number", "energy": "number", "virtual": "string",
               "drawn": "string"}  # fmt: skip
    base = vega.Chart(rows_data(columns, rows), width=WIDTH - 120, height=340).encode(
        x=vega.field("time:Q", title=f"Virtual time over that of {labels[0]}",
                     scale=vega.scale(zero=False, nice=True)),
        y=vega.field("energy:Q", title=f"Link energy over that of {labels[0]}"),
        tooltip=[
            vega.field("result:N", title="Result"),
            vega.field("virtual:N", title="Virtual time"),
            vega.field("drawn:N", title="Link energy"),
            vega.field("time:Q", title="Time ratio"),
            vega.field("energy:Q", title="Energy ratio"),
        ],
    )  # fmt: skip
    points = base.mark("point", size=90, filled=True, opacity=1).encode(
        color=vega.field("result:N", sort=labels, legend=vega.legend(title=None, orient="top"))
    )
    return Figure(
        "trade",
        "Time and energy",
        "Each result is a point. The lower, the less its links drew; the further left, the sooner "
        "the program was done.",
        points,
        len(rows),
    )
