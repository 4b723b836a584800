"""Which points of a sweep belong to one line of a figure, and which lines to one panel."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kumihimo.results import display
from kumihimo.sweep.sweep import Sweep

# More lines than that in a panel cannot be distinguished, and more panels not be compared.
MOST_LINES = 8
MOST_PANELS = 12
_LONGEST_COMMAND = 60

Row = dict[str, Any]


@dataclass(frozen=True)
class Series:
    """A row's line, and its panel; both empty if there is one only."""

    line: str
    panel: str


@dataclass(frozen=True)
class Grouping:
    """The series of all rows, in their order.

    Attributes:
        of_row: The series of each row.
        lines: The names of lines, at most MOST_LINES of them.
        panels: The names of panels, at most MOST_PANELS of them.
        left_out: How many series are not among these lines and panels.
    """

    of_row: list[Series]
    lines: list[str]
    panels: list[str]
    left_out: int


def group(sweep: Sweep, column: str, rows: Sequence[Row]) -> Grouping:
    """Return the lines and panels of a figure over a column.

    A line is what differs in that column, and in seeds, only. If there are too many lines, some of
    what distinguishes them becomes panels: as few panels as possible.

    Args:
        sweep: What was varied.
        column: What the figure is over: a parameter's name or its column of numbers.
        rows: The points.
    """
    names = [
        parameter.path
        for parameter in sweep.parameters
        if column not in (parameter.path, parameter.column)
    ]
    if sweep.lines("approx"):
        names.append("approx")
    others = [name for name in (*names, "command", "ranks") if name != column]
    counts = {name: len({row[name] for row in rows}) for name in others}
    varied = [name for name in others if counts[name] > 1]
    by_panel = _panel_names(varied, rows)
    by_line = [name for name in varied if name not in by_panel]
    of_row = [Series(_words(by_line, row), _words(by_panel, row)) for row in rows]
    lines = list(dict.fromkeys(series.line for series in of_row))[:MOST_LINES]
    panels = list(dict.fromkeys(series.panel for series in of_row))[:MOST_PANELS]
    left_out = {x for x in of_row if x.line not in lines or x.panel not in panels}
    return Grouping(of_row, lines, panels, len(left_out))


def _panel_names(varied: Sequence[str], rows: Sequence[Row]) -> tuple[str, ...]:
    """Return what becomes panels, so that lines and panels are few enough if that can be."""
    chosen: tuple[str, ...] = ()
    fewest = None
    for count in range(len(varied) + 1):
        for names in itertools.combinations(varied, count):
            panels = len({tuple(row[name] for name in names) for row in rows})
            rest = [name for name in varied if name not in names]
            lines = len({tuple(row[name] for name in rest) for row in rows})
            # First how much does not fit, then how many panels.
            worth = (max(0, lines - MOST_LINES) + max(0, panels - MOST_PANELS), panels)
            if fewest is None or worth < fewest:
                chosen, fewest = names, worth
    return chosen


def _words(names: Sequence[str], row: Row) -> str:
    return ", ".join(
        display.shorten(str(row[name]), _LONGEST_COMMAND) if name == "command"
        else f"{name} {row[name]}"
        for name in names
        if row[name] is not None
    )  # fmt: skip


def coinciding(values: dict[str, dict[Any, float]], tolerance: float) -> list[list[str]]:
    """Return the lines that lie over each other, several each time.

    Args:
        values: Of each line its values by place.
        tolerance: Up to which distance values look the same.
    """
    groups: list[list[str]] = []
    for name, mine in values.items():
        for found in groups:
            first = values[found[0]]
            if mine.keys() == first.keys() and all(
                abs(mine[place] - first[place]) <= tolerance for place in mine
            ):
                found.append(name)
                break
        else:
            groups.append([name])
    return [found for found in groups if len(found) > 1]
