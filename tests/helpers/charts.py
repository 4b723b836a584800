"""What charts draw."""

from __future__ import annotations

import csv

from kumihimo import vega


def tables_of(chart: vega.Chart | None) -> list[list[dict[str, str]]]:
    """The tables of a chart whose data are CSV, in the order of its parts."""
    assert chart is not None
    found: list[list[dict[str, str]]] = []

    def look(part: object) -> None:
        if isinstance(part, dict):
            if "data" in part:
                found.append(list(csv.DictReader(part["data"]["values"].splitlines())))
            for name, below in part.items():
                if name != "data":
                    look(below)
        elif isinstance(part, list):
            for below in part:
                look(below)

    look(chart.document())
    return found
