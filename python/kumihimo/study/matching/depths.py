"""The time of matching over the depth of a queue.

By examples/apps/queue_depth.c, by schedules of the same benchmarks, and by closed forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kumihimo._core import search_ps
from kumihimo.study.campaign import Campaign, Row, Sweep
from kumihimo.study.matching import schedules
from kumihimo.study.matching.cases import BY, HOST, MODELS, NOTHING, OF_SLINGSHOT, PARTS, Group

UNEXPECTED, POSTED = QUEUES = ("unexpected", "posted")
_RANKS = 2
_TIME = r"queue_depth: ([\d.]+) ns, VERIFIED"
_PS_PER_NS = 1000
# The depth at which the time of each message is read off: all buffers and cells hold as many, and
# the message itself.
READ_AT = 128


@dataclass(frozen=True)
class Extent:
    """What is run.

    Attributes:
        depths: Entries in front of the one that is looked for; with 0 and READ_AT.
        beyond: More of them for the platform with the largest capacity.
        lengths: Lengths of a queue of posted receives of which parts are searched.
    """

    depths: tuple[int, ...]
    beyond: tuple[int, ...]
    lengths: tuple[int, ...]


FULL = Extent((0, 1, 16, READ_AT, 256, 512, 1024, 4096), (16384, 20000), (4096,))
QUICK = Extent((0, READ_AT, 1024), (), ())
# Of a queue in percent, in front of the receive that is looked for.
_SHARES = (0, 25, 50, 75)


def run_depths(campaign: Campaign, source: Path, extent: Extent) -> list[Row]:
    """Run program and schedules; return a row for each way of matching, queue, length and depth.

    Args:
        campaign: Runs the sweeps.
        source: The source tree.
        extent: What is run.
    """
    program = campaign.program(source / "examples" / "apps" / "queue_depth.c", counts=False)
    return [
        row
        for group in (NOTHING, MODELS, *PARTS, OF_SLINGSHOT)
        for row in _run_one(campaign, source, group, _lines(program, extent, group))
    ]


def _lines(program: str, extent: Extent, group: Group) -> dict[str, tuple[str, int, int]]:
    """Return command lines, each with its queue, the length of it, and the depth in it."""
    depths = [*extent.depths, *(extent.beyond if group is OF_SLINGSHOT else ())]
    lines = {f"{program} {queue} {n}": (queue, n, n) for queue in QUEUES for n in depths}
    for length in extent.lengths:
        for share in _SHARES:
            depth = length * share // 100
            lines[f"{program} {POSTED} {length} {depth}"] = (POSTED, length, depth)
    return lines


def _run_one(
    campaign: Campaign, source: Path, group: Group, lines: dict[str, tuple[str, int, int]]
) -> Iterator[Row]:
    sweep = Sweep(
        f"depths-{group.name}",
        group.file(source),
        programs=tuple(lines),
        ranks=(_RANKS,),
        settings=group.settings,
        compute="none",
        error=_TIME,
    )
    replayed_ps = _replay(campaign, source, group, set(lines.values()))
    rows = [row for row in campaign.run(sweep) if row["program_error"] is not None]
    times_ps = {
        (*_way(group, row), *lines[row["command"]]): round(row["program_error"] * _PS_PER_NS)
        for row in rows
    }
    for row in rows:
        queue, length, depth = lines[row["command"]]
        model, by = _way(group, row)
        config = group.platform_of(source, row).config()
        time_ps = times_ps[model, by, queue, length, depth]
        at_nothing_ps = times_ps.get((model, by, queue, 0, 0))
        if at_nothing_ps is None:
            continue
        more_ps = time_ps - at_nothing_ps
        yield {
            "model": model,
            "by": by,
            "queue": queue,
            "length": length,
            "depth": depth,
            "time_ps": time_ps,
            "more_ps": more_ps,
            "replayed_more_ps": replayed_ps.get((model, by, queue, length, depth)),
            "expected_more_ps": search_ps(config, queue, depth + 1) - search_ps(config, queue, 1),
            "each_ps": more_ps / depth if depth else None,
        }


def _replay(
    campaign: Campaign, source: Path, group: Group, cases: set[tuple[str, int, int]]
) -> dict[tuple[str, str, str, int, int], int]:
    """Replay schedules; return how much longer each takes than without entries in front.

    Args:
        campaign: Runs the sweep.
        source: The source tree.
        group: The ways of matching.
        cases: Queue, length, and depth.

    Returns:
        By way of matching, queue, length and depth: picoseconds.
    """
    ends = {(queue, length, 0) for queue, length, _ in cases}
    files = {
        str(campaign.goal(f"{queue}-{length}-{depth}", _schedule(queue, length, depth))): (
            queue,
            length,
            depth,
        )
        for queue, length, depth in sorted(cases | ends)
    }
    sweep = Sweep(
        f"schedules-{group.name}",
        group.file(source),
        schedules=tuple(files),
        settings=group.settings,
    )
    times_ps = {
        (*_way(group, row), *files[row["command"]]): row["virtual_time_ps"]
        for row in campaign.run(sweep)
    }
    return {
        (model, by, queue, length, depth): time_ps - times_ps[model, by, queue, length, 0]
        for (model, by, queue, length, depth), time_ps in times_ps.items()
        if (model, by, queue, length, 0) in times_ps
    }


def _schedule(queue: str, length: int, depth: int) -> str:
    of_queue = schedules.unexpected if queue == UNEXPECTED else schedules.posted
    return of_queue(length, depth)


def _way(group: Group, row: Row) -> tuple[str, str]:
    """Return the name of the way of matching of a row, and where it matches."""
    values = group.settings.get(BY, [HOST])
    return group.model_of(row), str(row[BY]) if len(values) > 1 else str(values[0])
