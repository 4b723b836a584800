"""Depths of queues over virtual time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kumihimo.results import parquet
from kumihimo.results.records import QUEUE_DEPTH_RECORD
from kumihimo.results.report.matching_figure import QUEUE_COLOURS
from kumihimo.results.report.queue_lines import deepest_over_time, queue_lines
from kumihimo.results.report.time_lines import PARTS
from kumihimo.results.run import Run

COLOURS = {name: QUEUE_COLOURS[name] for name in ("posted receives", "unexpected messages")}
Stretch = tuple[int, int, int, int, int]


def run_of(folder: Path, stretches: list[Stretch], virtual_time_ps: int = PARTS * 10**6) -> Run:
    """Return a result with these stretches: begin and end, rank, posted, unexpected."""
    rows = np.zeros(len(stretches), QUEUE_DEPTH_RECORD)
    for row, stretch in zip(rows, stretches, strict=True):
        for name, value in zip(QUEUE_DEPTH_RECORD.names or (), stretch, strict=False):
            row[name] = value
    run = Run({"ranks": 3, "virtual_time_ps": virtual_time_ps}, {}, folder)
    batches = parquet.queue_depth_batches(rows.tobytes())
    parquet.write_table(run.table_path("queue_depths"), parquet.QUEUE_DEPTH_COLUMNS, batches, {})
    return run


STRETCHES: list[Stretch] = [
    (0, 2_000_000, 0, 5, 0),
    (2_000_000, 2_500_000, 0, 4, 1),
    (1_000_000, 2_000_001, 1, 7, 3),
    (119_500_000, 120_000_000, 2, 0, 9),
]


@pytest.mark.parametrize("chunk_rows", [1, 2, 1000])
def test_the_deepest_of_any_rank_in_each_part(
    chunk_rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "CHUNK_ROWS", chunk_rows)
    posted, unexpected = deepest_over_time(run_of(tmp_path, STRETCHES))
    assert posted.tolist() == [5, 7, 7, *[0] * (PARTS - 3)]
    assert unexpected.tolist() == [0, 3, 3, *[0] * (PARTS - 4), 9]


def test_a_stretch_of_all_time_is_in_every_part(tmp_path: Path) -> None:
    end_ps = (1 << 61) + 1
    posted, _ = deepest_over_time(run_of(tmp_path, [(0, end_ps, 0, 2, 0)], end_ps))
    assert posted.tolist() == [2] * PARTS


def test_a_line_for_each_queue(tmp_path: Path) -> None:
    chart, points = queue_lines(run_of(tmp_path, STRETCHES), COLOURS)
    assert points == 2 * PARTS
    assert chart is not None
    assert "Deepest queue of any rank" in str(chart.spec)


def test_a_queue_that_is_always_empty_is_left_out(tmp_path: Path) -> None:
    chart, points = queue_lines(run_of(tmp_path, [(0, 10**6, 0, 3, 0)]), COLOURS)
    assert points == PARTS
    assert chart is not None
    assert "unexpected messages" not in str(chart.spec)


@pytest.mark.parametrize("virtual_time_ps", [0, 10**6])
def test_nothing_is_drawn_without_entries(virtual_time_ps: int, tmp_path: Path) -> None:
    assert queue_lines(run_of(tmp_path, [], virtual_time_ps), COLOURS) == (None, 0)
    assert queue_lines(Run({"virtual_time_ps": 5}, {}, tmp_path / "none"), COLOURS) == (None, 0)
