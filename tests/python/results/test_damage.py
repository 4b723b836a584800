"""What ranks have left behind is refused if no run leaves it there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kumihimo.results.damage import DamagedError, check_records, check_summary
from kumihimo.results.records import MESSAGE_RECORD, STATE_RECORD

RANKS = 4


def messages(**fields: int) -> np.ndarray[Any, Any]:
    rows = np.zeros(3, dtype=MESSAGE_RECORD)
    rows["sent_ps"], rows["arrived_ps"] = 5, 9
    for name, value in fields.items():
        rows[name][1] = value
    return rows


def states(**fields: int) -> np.ndarray[Any, Any]:
    rows = np.zeros(3, dtype=STATE_RECORD)
    rows["end_ps"] = 7
    for name, value in fields.items():
        rows[name][2] = value
    return rows


def test_records_of_a_run_are_taken() -> None:
    check_records(messages(), states(), RANKS)
    check_records(messages()[:0], states()[:0], RANKS)
    check_records(messages(source=3, target=3, arrived_ps=5), states(rank=3, begin_ps=7), RANKS)


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"source": 4}, "a message is of no rank"),
        ({"target": 52838400}, "a message is for no rank"),
        ({"kind": 6}, "a message is of no kind"),
        ({"sent_ps": -1}, "a message left before the beginning"),
        ({"arrived_ps": 4}, "a message arrived before it left"),
        ({"size_bytes": 1 << 63}, "a message is larger than any memory"),
    ],
)
def test_other_messages_are_refused(fields: dict[str, int], what: str) -> None:
    with pytest.raises(DamagedError, match=f"the run's state is damaged: {what}"):
        check_records(messages(**fields), states(), RANKS)


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"rank": 4}, "a stretch of time is of no rank"),
        ({"state": 255}, "a rank was in no state"),
        ({"begin_ps": -2}, "a stretch of time began before the beginning"),
        ({"begin_ps": 8}, "a stretch of time ended before it began"),
    ],
)
def test_other_stretches_are_refused(fields: dict[str, int], what: str) -> None:
    with pytest.raises(DamagedError, match=what):
        check_records(messages(), states(**fields), RANKS)


def summary(**fields: Any) -> Any:  # noqa: ANN401
    """What is checked of a run of one rank that took 9 ps."""
    row = {"compute_ps": 2, "communication_ps": 3, "wait_ps": 4, "finish_ps": 9}
    return {"virtual_time_ps": 9, "ranks": [row], "links": [], **fields}


def test_times_of_a_rank_add_up_to_its_end() -> None:
    check_summary(summary(), 1, is_complete=True)
    off = summary(ranks=[{"compute_ps": 2, "communication_ps": 3, "wait_ps": 3, "finish_ps": 9}])
    # A rank that was stopped is in the midst of something.
    check_summary(off, 1, is_complete=False)
    with pytest.raises(DamagedError, match="rank 0 ends at 9 ps after 8 ps"):
        check_summary(off, 1, is_complete=True)


@pytest.mark.parametrize(("broken", "names"), [(38_400, [""]), (1, []), (0, ["MPI_Recv"])])
def test_what_broke_assertions_fits_how_often(broken: int, names: list[str]) -> None:
    row = {"assertion": "mpi_assert_no_any_tag", "broken": broken, "broken_by": names}
    with pytest.raises(DamagedError, match="mpi_assert_no_any_tag was broken"):
        check_summary(summary(assertions=[row]), 1, is_complete=True)


@pytest.mark.parametrize("damaged", ["arrivals", "receives"])
def test_every_search_of_a_queue_has_a_depth(damaged: str) -> None:
    columns = {
        "arrivals": [3, 7],
        "posted_depths": [(1, 2, 0), (7, 0, 0)],
        "receives": [1, (1 << 32) + 2],
        "unexpected_depths": [(1,), (2,)],
    }
    check_summary(summary(matching=columns), 1, is_complete=True)
    columns[damaged][1] += 1  # type: ignore[operator]
    # A rank that was stopped is in the midst of something.
    check_summary(summary(matching=columns), 1, is_complete=False)
    with pytest.raises(DamagedError, match=f"a rank has [0-9]+ {damaged}"):
        check_summary(summary(matching=columns), 1, is_complete=True)
