"""A sweep from the sweep file to its table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kumihimo.sweep.clusters import ClusterName, Crew, Place, Workers
from kumihimo.sweep.display import Progress
from kumihimo.sweep.execute import Row, await_abandoned, execute, failure, forget_start
from kumihimo.sweep.interruption import Interruption, noted_signals
from kumihimo.sweep.points import Point, points_of
from kumihimo.sweep.reader import load_sweep
from kumihimo.sweep.store import Store, opened_store
from kumihimo.sweep.writer import write_outcome

if TYPE_CHECKING:
    from distributed import Future

_FAILED = 1
_MOST_DEATHS = 3
# Between two looks at whether a point has ended.
_PAUSE_S = 0.02


@dataclass(frozen=True, kw_only=True)
class SweepOptions:
    """The options of `kumihimo sweep`.

    Attributes:
        file: The sweep file.
        out: The folder of the sweep; None for one named after the file.
        cluster: Where points run.
        workers: How many at once; None for as many as there are cores, or 1 job.
        quiet: Whether nothing but errors is printed.
    """

    file: Path
    out: Path | None = None
    cluster: ClusterName = "local"
    workers: int | None = None
    quiet: bool = False


def sweep(options: SweepOptions, crew: Crew | None = None) -> int:
    """Run all points of a sweep that have not ended well before; return the exit status.

    Args:
        options: Of the command.
        crew: Runs the points, wherever the options say, and stays unless the sweep is broken off;
            None for workers of this sweep alone.

    Raises:
        UserError: If the sweep, its folder or the cluster cannot be used.
    """
    sweep = load_sweep(options.file)
    points = points_of(sweep)
    folder = options.out or Path(f"kumi-sweep-{sweep.file.stem}")
    with noted_signals() as asked, opened_store(folder) as store:
        rows: dict[str, Row] = {}
        for point in points:
            kept = store.completed(point.identity)
            if kept is not None:
                rows[point.identity] = {**point.values, **kept}
        progress = Progress(len(points), kept=len(rows), quiet=options.quiet)
        waiting = {point.identity: point for point in points if point.identity not in rows}
        own = Crew(Place(options.cluster, options.workers, store.work))
        todo = _Todo(list(waiting.values()), store, crew or own, keeps_crew=crew is not None)
        _run_all(todo, rows, progress, asked)
        write_outcome(store.folder, sweep, points, rows)
    if asked.number:
        progress.interrupted(store.folder)
        return asked.exit_status
    progress.finish(store.folder)
    ended_well = all(row["status"] == "complete" for row in rows.values())
    return 0 if ended_well else _FAILED


@dataclass(frozen=True)
class _Todo:
    """What is to be run.

    Attributes:
        points: In their order.
        store: Keeps what comes out.
        crew: Runs them.
        keeps_crew: Whether it stays when all have ended.
    """

    points: list[Point]
    store: Store
    crew: Crew
    keeps_crew: bool


def _run_all(todo: _Todo, rows: dict[str, Row], progress: Progress, asked: Interruption) -> None:
    """Run points until all have ended or the end is asked for; keep each as it ends."""
    if not todo.points:
        return
    folder = todo.store.folder
    has_ended = False
    try:
        with progress:
            try:
                workers = todo.crew.workers()
                outcomes = _outcomes(workers, todo.points, str(folder), progress.again, asked)
                for point, outcome in outcomes:
                    row = {**point.values, **outcome}
                    rows[point.identity] = row
                    todo.store.keep(point.identity, row)
                    progress.step(point, row)
                has_ended = not asked.number
            finally:
                # With the workers, what they run ends.
                if not (todo.keeps_crew and has_ended):
                    todo.crew.dismiss()
    finally:
        await_abandoned(folder)


def _outcomes(
    workers: Workers,
    points: list[Point],
    out: str,
    tell_death: Callable[[Point], None],
    asked: Interruption,
) -> Iterator[tuple[Point, Row]]:
    """Yield what came out of each point, in the order in which they end.

    Ends early if a signal asks for it. A worker that dies takes along what it ran and what waited
    for it. All of that is run again; a point is given up when it was running at too many deaths.

    Raises:
        UserError: If there will be no more workers.
    """
    from distributed import Client, as_completed
    from distributed.scheduler import KilledWorker

    with Client(workers.cluster) as client:

        def submit(number: int, attempt: int) -> Future[Row]:
            point = points[number]
            # The scheduler may not have forgotten the last sweep's points yet.
            key = f"{out}-{number}-{attempt}"
            # In the order of the sweep, as far as workers are free.
            future = client.submit(execute, point, out, key=key, priority=-number)
            origin[future.key] = number, attempt
            return future

        origin: dict[str, tuple[int, int]] = {}
        deaths = [0] * len(points)
        running = as_completed([submit(number, 0) for number in range(len(points))])
        while running.count() > 0 and not asked.number:
            if not running.has_ready():
                workers.check()
                time.sleep(_PAUSE_S)
                continue
            future = next(running)
            number, attempt = origin.pop(future.key)
            point, error = points[number], future.exception()
            if not isinstance(error, KilledWorker):
                yield point, _row_of(future, error)
            else:
                was_running = forget_start(point, out)
                deaths[number] += was_running
                if deaths[number] > _MOST_DEATHS:
                    yield point, failure(f"{deaths[number]} workers died of it")
                else:
                    if was_running:
                        tell_death(point)
                    running.add(submit(number, attempt + 1))
            future.release()


def _row_of(future: Future[Row], error: BaseException | None) -> Row:
    return future.result() if error is None else failure(f"{type(error).__name__}: {error}")
