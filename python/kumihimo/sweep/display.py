"""What a sweep says on the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

from kumihimo.sweep.points import Point

_LONGEST_TOLD = 300


class Progress:
    """A line with the points that have ended, on a terminal; failures as they come, everywhere."""

    def __init__(self, points: int, *, kept: int, quiet: bool) -> None:
        """Prepare; `kept` of `points` were complete before."""
        self._quiet = quiet
        self._points = points
        self._kept = kept
        self._complete = 0
        self._failed = 0
        self._console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("points,"),
            TimeElapsedColumn(),
            TextColumn("passed,"),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=self._console,
            transient=True,
            disable=quiet or not self._console.is_terminal,
        )
        self._task = self._bar.add_task("sweep", total=points, completed=kept)

    def __enter__(self) -> Progress:
        """Show the line."""
        self._bar.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Remove the line."""
        self._bar.stop()

    def step(self, point: Point, row: dict[str, Any]) -> None:
        """Note a point that has ended."""
        self._bar.advance(self._task)
        if row["status"] == "complete":
            self._complete += 1
            return
        self._failed += 1
        print_error(f"failed: {_name(point)}: {_shortened(str(row['error']))}", self._bar.console)

    def again(self, point: Point) -> None:
        """Note a point whose worker has died, and that is run again."""
        if not self._quiet:
            print_error(f"a worker died; its point runs again: {_name(point)}", self._bar.console)

    def finish(self, folder: Path) -> None:
        """Say what there is now."""
        if self._quiet:
            return
        self._console.print(self._counts())
        self._console.print(f"results in {folder}: sweep.parquet, sweep.html and figures")

    def interrupted(self, folder: Path) -> None:
        """Say, in one line, what there is after an interruption, and how to go on."""
        print_error(
            f"interrupted: {self._counts()}; results in {folder}; the same command goes on",
            self._console,
        )

    def _counts(self) -> str:
        ended = self._complete + self._failed + self._kept
        left = f", {self._points - ended} not run" if ended < self._points else ""
        kept = f", {self._kept} kept from before" if self._kept else ""
        counts = f"{self._complete} complete, {self._failed} failed"
        return f"{self._points} points: {counts}{kept}{left}"


def _name(point: Point) -> str:
    return ", ".join(f"{name} {value}" for name, value in point.values.items() if value is not None)


def _shortened(error: str) -> str:
    """Return an error without its middle, if it is long: the cause is at either end."""
    if len(error) <= _LONGEST_TOLD:
        return error
    half = _LONGEST_TOLD // 2
    return f"{error[:half]} ... {error[-half:]}"


def print_error(text: str, console: Console) -> None:
    """Print a message so that a progress line below stays whole."""
    if console.is_terminal:
        console.print(f"kumihimo: {text}")
    else:
        print(f"kumihimo: {text}", file=sys.stderr)
