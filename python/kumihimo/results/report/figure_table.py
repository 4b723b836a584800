"""The table of numbers below a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# With more ranks than this, tables list those with the largest numbers.
MOST_RANK_ROWS = 16


@dataclass(frozen=True)
class FigureTable:
    """Numbers that a picture does not show exactly.

    Attributes:
        head: Names of the columns.
        rows: Cells of each row, as the page shows them.
        note: What the rows are, and where those are that were left out; may be empty.
        bars: For each row the length of a bar in per cent; empty if the table has no bars.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    bars: Sequence[float] = ()


def left_out(ranks: int, what: str, table: str) -> str:
    """Return a note on the ranks that a table does not list; empty if it lists all.

    Args:
        ranks: Number of ranks of the run.
        what: By which property ranks were chosen, as "the longest times".
        table: Name of the Parquet table that has all ranks.
    """
    if ranks <= MOST_RANK_ROWS:
        return ""
    return (
        f"The {MOST_RANK_ROWS} ranks with {what} of {ranks:,}; the file {table}.parquet has "
        "all of them."
    )
