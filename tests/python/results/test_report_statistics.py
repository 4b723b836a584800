"""What the figures show adds up to what the run recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import synthetic_run
from synthetic_run import CONTROL, WAIT, SyntheticRun

from kumihimo import results
from kumihimo.results.records import RANK_STATES
from kumihimo.results.report.statistics import message_statistics, state_statistics


def written(run: SyntheticRun, folder: Path) -> results.Run:
    return results.write(folder, run.info, run.summary, run.records, report=False, trace=False)


def test_matrix_and_histograms_hold_every_message(all_to_all: SyntheticRun, tmp_path: Path) -> None:
    statistics = message_statistics(written(all_to_all, tmp_path / "out"))
    messages = all_to_all.messages[all_to_all.messages["kind"] != CONTROL]
    expected = np.zeros((6, 6))
    np.add.at(expected, (messages["source"], messages["target"]), messages["size_bytes"])
    assert statistics.bytes_matrix.tolist() == expected.tolist()
    assert statistics.count_matrix.sum() == len(messages)
    assert sum(each.total for each in statistics.sizes.values()) == len(messages)
    assert statistics.sizes["rendezvous"].total > 0
    delays = messages["arrived_ps"] - messages["sent_ps"] - messages["zero_load_ps"]
    assert statistics.queueing.sums.sum() == delays.sum()


@pytest.mark.parametrize(("ranks", "rounds"), [(3, 4), (100, 3)])
def test_cells_hold_all_time(ranks: int, rounds: int, tmp_path: Path) -> None:
    run = synthetic_run.finish(synthetic_run.ring(ranks, rounds), tmp_path / "records")
    statistics = state_statistics(written(run, tmp_path / "out"))
    rows: Any = run.summary["ranks"]
    for state, name in enumerate(RANK_STATES):
        # No rank of these sleeps; the totals have no column for it.
        total = 0 if name == "sleep" else sum(rank[f"{name}_ps"] for rank in rows)
        assert statistics.cells[:, state].sum() == total
        assert statistics.overview[state].sum() == total
    assert statistics.waits.total == (run.states["state"] == WAIT).sum()
    assert (statistics.stretches is None) == (ranks > 64)
    assert len(statistics.bounds) == min(ranks, 64)


def test_few_stretches_are_kept_as_they_are(ring: SyntheticRun, tmp_path: Path) -> None:
    statistics = state_statistics(written(ring, tmp_path / "out"))
    assert statistics.stretches is not None
    names = ("rank", "state", "begin_ps", "end_ps")
    for name, column in zip(names, statistics.stretches, strict=True):
        assert column.tolist() == ring.states[name].tolist()
