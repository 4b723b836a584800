"""Runs every entry of a suite on both sides, several at a time, and keeps what came out."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from conformance.judging import Judgement
from conformance.records import Record, Records
from conformance.running import Finished
from conformance.sides import Side


class Again(enum.StrEnum):
    """Which entries are run although there is a record."""

    NONE = "none"
    DIFFERENT = "different"
    FAILED = "failed"
    ALL = "all"


@dataclass(frozen=True)
class Case:
    """Something that is run on both sides.

    Attributes:
        name: Its name, which no other has.
        category: The row of the table it counts in.
        run: Runs it on a side; None for what finished if it could not be started.
    """

    name: str
    category: str
    run: Callable[[Side], tuple[Judgement, Finished | None]]


def tell(text: str) -> None:
    """Say how far things are."""
    print(text, file=sys.stderr, flush=True)


def compare(
    cases: Iterable[Case], sides: Sequence[Side], records: Records, jobs: int, again: Again
) -> None:
    """Run what has no record yet, and what is asked for again.

    Args:
        cases: What to run.
        sides: Where.
        records: What was run already; gets what is run now.
        jobs: How many run at a time.
        again: What is run although it has a record.
    """
    due = [
        (case, side)
        for case in cases
        for side in sides
        if _is_due(case, side, sides, records, again)
    ]
    done = 0

    def run_one(case: Case, side: Side) -> None:
        nonlocal done
        judgement, finished = case.run(side)
        records.add(
            Record(
                entry=case.name,
                category=case.category,
                side=side.name,
                verdict=judgement.verdict,
                reason=judgement.reason,
                status=finished.status if finished else None,
                wall_s=round(finished.wall_s, 2) if finished else 0.0,
                output=finished.output + finished.errors if finished else "",
            )
        )
        done += 1
        because = f" ({judgement.reason})" if judgement.reason else ""
        tell(f"[{done}/{len(due)}] {side.name}: {case.name}: {judgement.verdict}{because}")

    with ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(run_one, case, side) for case, side in due]:
            future.result()


def _is_due(case: Case, side: Side, sides: Sequence[Side], records: Records, again: Again) -> bool:
    record = records.find(case.name, side.name)
    if record is None or again is Again.ALL:
        return True
    if again is Again.FAILED:
        return not record.is_good
    if again is Again.DIFFERENT:
        found = [records.find(case.name, other.name) for other in sides]
        return len({other.is_good for other in found if other}) > 1
    return False
