"""The runs of a study: sweeps, which go on where they were interrupted."""

from __future__ import annotations

import shlex
import shutil
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import tomli_w

from kumihimo._core import Pattern, Schedule
from kumihimo.schedule.files import write_schedule
from kumihimo.study.programs import MpiName, compiled
from kumihimo.sweep.clusters import Crew, Place
from kumihimo.sweep.execute import OUTPUT_FILE, found_number
from kumihimo.sweep.interruption import noted_signals
from kumihimo.sweep.session import SweepOptions, sweep
from kumihimo.sweep.writer import TABLE_FILE

Row = dict[str, Any]
# Of a key of platform files.
Value = int | float | str | Sequence[int]
_FAILED = 1


@dataclass(frozen=True)
class Sweep:
    """One sweep of a study.

    Attributes:
        name: Of its folder.
        platform: The platform file.
        policies: Of its links; none for what the platform has.
        programs: Command lines.
        ranks: Numbers of ranks.
        settings: Values of more keys of the platform, by path; each with each of the others.
        patterns: Patterns of communication with their options.
        schedules: Files of schedules, which say their ranks by themselves.
        compute: Which time passes between calls of programs, as `run.compute` of sweep files.
        approx: What allows errors in messages of programs: files of rules, by absolute paths.
        seeds: Of random streams.
        mpi: The programs' MPI library, as `run.mpi`.
        predicts: Whether ranks wake links ahead of what they are going to send, as `run.predict`.
        runs_in: Where programs run, and from where names in their command lines are; None for the
            folder of the sweep file.
        error: What finds a number in the output of programs, as `run.error`; empty for none.
        detail: What is kept of each point, as `run.detail`.
        traffic: What an oracle knows, as `run.traffic`, by an absolute path.
    """

    name: str
    platform: Path
    policies: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    settings: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()
    schedules: tuple[str, ...] = ()
    compute: str = "counted"
    approx: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    mpi: str = "mpich"
    predicts: bool = False
    runs_in: Path | None = None
    error: str = ""
    detail: str = "summary"
    traffic: Path | None = None

    def text(self) -> str:
        """Return the sweep file."""
        parameters: dict[str, Any] = {}
        policies = {"link_power.policy": self.policies} if self.policies else {}
        settings: dict[str, Sequence[Value]] = {**policies, **self.settings}
        for path, values in settings.items():
            *sections, key = path.split(".")
            section = parameters
            for name in sections:
                section = section.setdefault(name, {})
            section[key] = list(values)
        lists = {
            "programs": self.programs,
            "patterns": self.patterns,
            "schedules": self.schedules,
            "ranks": self.ranks,
            "approx": self.approx,
            "seeds": self.seeds,
        }
        run = {
            "compute": self.compute,
            "mpi": self.mpi,
            "detail": self.detail,
            **({"predict": "on"} if self.predicts else {}),
            **({"folder": str(self.runs_in)} if self.runs_in is not None else {}),
            **({"error": self.error} if self.error else {}),
            **({"traffic": str(self.traffic)} if self.traffic is not None else {}),
        }
        return tomli_w.dumps(
            {
                "platform": str(self.platform),
                **{key: list(values) for key, values in lists.items() if values},
                "parameters": parameters,
                "run": run,
            }
        )


@dataclass
class Campaign:
    """Runs the sweeps in a folder, all by the same workers, which end with the block.

    Attributes:
        folder: Where they, and the programs, are kept.
        workers: How many points run at once; None for one on each core.
        quiet: Whether only failures are reported.
        status: 0, or what the command is to exit with: 1 after a point that failed.
    """

    folder: Path
    workers: int | None
    quiet: bool
    status: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        """Start nothing yet."""
        self._scratch = self.folder / "workers"
        self._crew = Crew(Place("local", self.workers, self._scratch))

    def __enter__(self) -> Self:
        """Return this."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the workers. A signal that comes meanwhile takes effect afterwards."""
        with noted_signals() as asked:
            self._crew.dismiss()
            shutil.rmtree(self._scratch, ignore_errors=True)
        if asked.number:
            signal.raise_signal(asked.number)

    def program(
        self, source: Path, *, counts: bool = True, wakes: bool = False, mpi: MpiName = "mpich"
    ) -> str:
        """Return how to start a program of C, which is compiled.

        Args:
            source: Its file.
            counts: Whether it counts its work.
            wakes: Whether the compiler inserts wake-ups; only if it counts.
            mpi: Its MPI library; MPICH unless it counts.
        """
        folder = self.folder / "programs"
        return shlex.quote(str(compiled(source, folder, counts=counts, wakes=wakes, mpi=mpi)))

    def schedule(self, name: str, parts: Sequence[tuple[Pattern, bool]]) -> Path:
        """Return the file of a schedule of patterns, one after the other.

        Args:
            name: Of the file.
            parts: Each with whether it stands between the hints IN_KERNEL 1 and 0.
        """
        file = self.folder / "schedules" / f"{name}.bin"
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            made = Schedule.join([(pattern.generate(), inside) for pattern, inside in parts])
            write_schedule(made, file, "binary")
        return file

    def goal(self, name: str, text: str) -> Path:
        """Return the file of a schedule that is GOAL text."""
        file = self.folder / "schedules" / f"{name}.goal"
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            scratch = file.with_suffix(".part")
            scratch.write_text(text, encoding="utf-8")
            scratch.replace(file)
        return file

    def run(self, sweep_of: Sweep) -> list[Row]:
        """Run a sweep; return the rows of complete points in its order.

        Raises:
            UserError: If it cannot be run.
            InterruptedError: If a signal ended it.
        """
        import pyarrow.parquet as pq

        file = self.folder / "sweeps" / f"{sweep_of.name}.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(sweep_of.text(), encoding="utf-8")
        out = self.folder / sweep_of.name
        status = sweep(SweepOptions(file=file, out=out, quiet=self.quiet), self._crew)
        if status > _FAILED:
            self.status = status
            raise InterruptedError
        self.status = max(self.status, status)
        rows: list[Row] = pq.read_table(out / TABLE_FILE).to_pylist()
        return [row for row in rows if row["status"] == "complete"]

    def result(self, name: str, row: Row) -> Path:
        """Return the result file of a point of a sweep."""
        return self._kept(name, row) / "result.json"

    def printed(self, name: str, row: Row, expression: str) -> float | None:
        """Return a number that the program of a point of a sweep printed.

        Args:
            name: Of the sweep.
            row: Of the point.
            expression: A regular expression with one group, of which the last match counts.
        """
        return found_number(expression, self._kept(name, row) / OUTPUT_FILE)

    def _kept(self, name: str, row: Row) -> Path:
        return self.folder / name / "results" / str(row["point"])
