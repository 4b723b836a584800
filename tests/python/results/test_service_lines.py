"""Memory and connections of ranks over virtual time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from kumihimo.results import parquet
from kumihimo.results.records import SERVICE_MEMORY_RECORD
from kumihimo.results.report.service_lines import service_lines, spread_over_time
from kumihimo.results.report.time_lines import PARTS
from kumihimo.results.run import Run

Change = tuple[int, int, int, int]


def run_of(folder: Path, ranks: int, changes: list[Change]) -> Run:
    """Return a result of 120 µs with these changes: instant, rank, memory, connections."""
    rows = np.zeros(len(changes), SERVICE_MEMORY_RECORD)
    for row, (at_ps, rank, memory, connections) in zip(rows, changes, strict=True):
        row["at_ps"], row["rank"] = at_ps, rank
        row["memory_bytes"], row["connections"] = memory, connections
    run = Run({"ranks": ranks, "virtual_time_ps": PARTS * 10**6}, {}, folder)
    batches = parquet.service_memory_batches(rows)
    path = run.table_path("service_memory")
    parquet.write_table(path, parquet.SERVICE_MEMORY_COLUMNS, batches, {})
    return run


# Written as ranks got so far: not by instant.
CHANGES: list[Change] = [
    (0, 0, 100, 0),
    (0, 1, 100, 0),
    (0, 2, 100, 0),
    (50_000_001, 2, 130, 3),
    (1_000_000, 0, 110, 1),
    (1_000_000, 0, 120, 2),
    (1_000_001, 1, 110, 1),
]


def test_rows_are_sorted_and_those_of_a_rank_stay_in_order(tmp_path: Path) -> None:
    rows = run_of(tmp_path, 3, CHANGES).service_memory.to_pylist()
    assert [(row["at_ps"], row["rank"], row["connections"]) for row in rows] == [
        (0, 0, 0),
        (0, 1, 0),
        (0, 2, 0),
        (1_000_000, 0, 1),
        (1_000_000, 0, 2),
        (1_000_001, 1, 1),
        (50_000_001, 2, 3),
    ]


@pytest.mark.parametrize("chunk_rows", [1, 2, 3, 4, 1000])
def test_the_spread_at_each_instant(
    chunk_rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "CHUNK_ROWS", chunk_rows)
    memory, connections = spread_over_time(run_of(tmp_path, 3, CHANGES))
    of = [[int(memory[name][part]) for name in memory] for part in (0, 1, 49, 50, PARTS - 1)]
    # A change at the end of a part counts in it.
    assert of == [[120, 100, 100], [120, 110, 100], [120, 110, 100], [130, 120, 110],
                  [130, 120, 110]]  # fmt: skip
    assert connections["largest"].tolist() == [2] * 50 + [3] * 70


def test_the_picture_has_the_same_size_for_many_changes(tmp_path: Path) -> None:
    ranks, changes = 100, 20_000
    listed = [(i * 5_000, i % ranks, 1000 + i, i // ranks) for i in range(changes)]
    chart, points = service_lines(run_of(tmp_path, ranks, listed))
    assert chart is not None
    assert points == 2 * 3 * PARTS


def test_without_changes_there_is_no_picture(tmp_path: Path) -> None:
    empty = pa.RecordBatch.from_pylist([], schema=parquet.SERVICE_MEMORY_COLUMNS)
    run = Run({"ranks": 3, "virtual_time_ps": 10}, {}, tmp_path)
    path = run.table_path("service_memory")
    parquet.write_table(path, parquet.SERVICE_MEMORY_COLUMNS, iter([empty]), {})
    assert service_lines(run) == (None, 0)
