"""Why a rank ended the run from inside, said to the user."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from typing import Any

from kumihimo.progress.ending import (
    Ending,
    ExitCode,
    describe_ranks,
    format_time,
    list_ranks,
    status_of_code,
)
from kumihimo.run.parts import Run


def ending_of(
    verdict: dict[str, Any], run: Run, ranks: int, gap_text: Callable[[int, int], str]
) -> Ending:
    """Return the ending that belongs to `_core.Run.verdict()`; `gap_text` is the platform's."""
    rank, code, text = verdict["rank"], verdict["code"], verdict["text"]
    match verdict["kind"]:
        case "deadlock":
            return Ending(ExitCode.DEADLOCK, _deadlock(run, ranks))
        case "network_stuck":
            return network_deadlock(text)
        case "no_route":
            hosts = (run.rank_status(end)["host"] for end in (rank, code))
            return no_route(rank, code, gap_text(*hosts))
        case "time_limit":
            return Ending(ExitCode.TIME_LIMIT, _time_limit(verdict, run, ranks))
        case "abort":
            return aborted(rank, code)
        case "records":
            why = os.strerror(code) if code else text
            return Ending(ExitCode.FAILED, f"the records of the run cannot be written: {why}")
        case "refused":
            return Ending(ExitCode.FAILED, f"rank {rank}: {text}")
        case "remote_access":
            return Ending(
                ExitCode.FAILED, f"rank {rank} put to or got from memory it may not reach: {text}"
            )
        case "":
            return Ending(ExitCode.FAILED, "the run's state is damaged: it ended for no reason")
        case kind:
            return Ending(
                ExitCode.FAILED, f"the run's state is damaged ({kind}), seen by rank {rank}: {text}"
            )


def aborted(rank: int, code: int, busy: Collection[int] = ()) -> Ending:
    """Return the ending of a run by MPI_Abort; ranks that were `busy` were not awaited."""
    message = f"rank {rank} called MPI_Abort with code {code}"
    if busy:
        message += (
            f"; {list_ranks(busy)} still computed, and may have had something earlier to do in "
            "virtual time"
        )
    return Ending(status_of_code(code), message)


def network_deadlock(circle: str) -> Ending:
    """Return the ending of a network whose full buffers wait for each other."""
    return Ending(
        ExitCode.DEADLOCK,
        f"the network is deadlocked: {circle}; more network.virtual_channels may keep them apart",
    )


def no_route(rank: int, target: int, gap: str) -> Ending:
    """Return the ending of a message between hosts without a path; `gap` says which hosts."""
    return Ending(ExitCode.FAILED, f"rank {rank} sends to rank {target}, but {gap}")


def _time_limit(verdict: dict[str, Any], run: Run, ranks: int) -> str:
    left = [rank for rank in range(ranks) if not run.rank_status(rank)["finished"]]
    who = f"{list_ranks(left or range(ranks))} did not finish"
    if verdict["is_end_of_time"]:
        return (
            "virtual time has come to its end, after 53 days, by computing, sleeping or messages "
            f"over slow links (link.bandwidth): {who}"
        )
    return f"virtual time has reached its limit, {format_time(verdict['limit_ps'])}: {who}"


def _deadlock(run: Run, ranks: int) -> str:
    """Return what each rank waits for, those that wait for a message first."""
    statuses = [(rank, run.rank_status(rank)) for rank in range(ranks)]
    statuses.sort(key=lambda entry: not entry[1]["blocked"])
    latest_ps = max(status["clock_ps"] for _, status in statuses)
    lines = [
        f"rank {rank} {status['text']}, since {format_time(status['clock_ps'])}"
        for rank, status in statuses
    ]
    heading = f"deadlock at {format_time(latest_ps)}: every rank waits, and no message is in flight"
    return "\n".join([heading, *describe_ranks(lines)])
