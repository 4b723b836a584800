"""What ranks have left behind is checked before it is used.

Ranks are programs of users, and may have written anything into the memory that they share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kumihimo.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kumihimo.results.summary import CallSiteSums, Summary

_END = 1 << 63
_CHECKED_ROWS = 1 << 20
# Counters of depths begin again at this number.
_DEPTH_COUNTS = 1 << 32


class DamagedError(UserError):
    """The run's memory or records hold what no run leaves there."""

    def __init__(self, what: str) -> None:
        """Say what was found."""
        super().__init__(f"the run's state is damaged: {what}", 1)


def check_summary(summary: Summary, ranks: int, *, is_complete: bool) -> None:
    """Check what was read from the run's memory: numbers that are counts or times, and names.

    Args:
        summary: Of a run.
        ranks: Number of ranks.
        is_complete: Whether all ranks have ended; then their times add up.

    Raises:
        DamagedError: If something is not what it must be.
    """
    if len(summary["ranks"]) != ranks:
        raise DamagedError(f"it has {len(summary['ranks'])} ranks, not {ranks}")
    totals = {name: value for name, value in summary.items() if isinstance(value, int)}
    _check_row("the run", totals)
    for rank, row in enumerate(summary["ranks"]):
        _check_row(f"rank {rank}", row)
        if row["finish_ps"] > summary["virtual_time_ps"]:
            raise DamagedError(f"rank {rank} ends after the run")
        spent_ps = row["compute_ps"] + row["communication_ps"] + row["wait_ps"]
        if is_complete and spent_ps != row["finish_ps"]:
            raise DamagedError(f"rank {rank} ends at {row['finish_ps']} ps after {spent_ps} ps")
    _check_matching(summary.get("matching", {}), is_complete=is_complete)
    _check_rows("a link", summary["links"])
    names = [*summary.get("refused_calls", ()), *summary.get("unknown_hints", ())]
    for rank, function, module, offset, time_ps in summary.get("matching_sites", ()):
        _check_row(f"rank {rank}", {"place of a call": offset, "time of matching": time_ps})
        names += [text for text in (function, module) if text]
    for site in summary.get("call_sites", ()):
        _check_call_site(site, ranks, is_complete=is_complete)
        names.append(site["function"])
    for asserted in summary.get("assertions", ()):
        _check_row(asserted["assertion"], asserted)
        if (asserted["broken"] > 0) != any(asserted["broken_by"]):
            calls = f"{asserted['broken']} times, by {len(asserted['broken_by'])} functions"
            raise DamagedError(f"{asserted['assertion']} was broken {calls}")
        names += asserted["broken_by"]
    for name in names:
        if not name.isprintable() or "\ufffd" in name:
            raise DamagedError("a name has letters that are none")


def check_records(messages: npt.NDArray[np.void], states: npt.NDArray[np.void], ranks: int) -> None:
    """Check the records of a run or replay. O(records).

    Args:
        messages: Of MESSAGE_RECORD.
        states: Of STATE_RECORD.
        ranks: Number of ranks.

    Raises:
        DamagedError: If one of them is of no rank, or of no time.
    """
    from kumihimo.results.records import MESSAGE_KINDS, RANK_STATES

    for rows in _parts(messages):
        _check(rows["source"] < ranks, "a message is of no rank")
        _check(rows["target"] < ranks, "a message is for no rank")
        _check(rows["kind"] < len(MESSAGE_KINDS), "a message is of no kind")
        _check(rows["sent_ps"] >= 0, "a message left before the beginning")
        _check(rows["sent_ps"] <= rows["arrived_ps"], "a message arrived before it left")
        _check(rows["size_bytes"] < _END, "a message is larger than any memory")
    for rows in _parts(states):
        _check(rows["rank"] < ranks, "a stretch of time is of no rank")
        _check(rows["state"] < len(RANK_STATES), "a rank was in no state")
        _check(rows["begin_ps"] >= 0, "a stretch of time began before the beginning")
        _check(rows["begin_ps"] <= rows["end_ps"], "a stretch of time ended before it began")


def _parts(rows: npt.NDArray[np.void]) -> Iterable[npt.NDArray[np.void]]:
    return (rows[begin : begin + _CHECKED_ROWS] for begin in range(0, len(rows), _CHECKED_ROWS))


def _check(are_right: npt.NDArray[np.bool_], what: str) -> None:
    if not are_right.all():
        raise DamagedError(what)


def _check_matching(columns: Mapping[str, Any], *, is_complete: bool) -> None:
    for key, values in columns.items():
        if key.endswith("_depths"):
            continue  # Each of them is an unsigned number of 32 bits.
        for value in values:
            _check_number("matching of a rank", key, value)
    if not columns or not is_complete:
        return
    for depths, searches in (("posted_depths", "arrivals"), ("unexpected_depths", "receives")):
        for counted, number in zip(columns[depths], columns[searches], strict=True):
            if sum(counted) % _DEPTH_COUNTS != number % _DEPTH_COUNTS:
                raise DamagedError(f"a rank has {number} {searches}, but {depths} of others")


def _check_call_site(site: CallSiteSums, ranks: int, *, is_complete: bool) -> None:
    # An unsigned number of 64 bits.
    numbers = {key: value for key, value in site.items() if key != "distance_squares_low"}
    _check_row("a place of calls", numbers)
    if any(target >= ranks for target in site["targets"]):
        raise DamagedError("a place of calls has sent to no rank")
    if is_complete and sum(site["distance_bins"]) != site["calls"]:
        raise DamagedError(f"a place has {site['calls']} calls, but distances of others")


def _check_rows(name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    for row in rows:
        _check_row(name, row)


def _check_row(name: str, row: Mapping[str, Any]) -> None:
    for key, value in row.items():
        if isinstance(value, int):
            _check_number(name, key, value)


def _check_number(name: str, key: str, value: int) -> None:
    if not 0 <= value < _END:
        raise DamagedError(f"{name} has a number that cannot be: {key} = {value}")
