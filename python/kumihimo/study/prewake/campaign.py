"""The runs of the study: sweeps, which go on where they were interrupted."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

from kumihimo.study.prewake.programs import compiled
from kumihimo.sweep.session import SweepOptions, sweep
from kumihimo.sweep.writer import TABLE_FILE

Row = dict[str, Any]
_FAILED = 1


@dataclass(frozen=True)
class Sweep:
    """One sweep of the study.

    Attributes:
        name: Of its folder.
        platform: The machine.
        policies: Of its links.
        programs: Command lines.
        ranks: Numbers of ranks.
        settings: Values of more keys of the machine, by path; each with each of the others.
    """

    name: str
    platform: Path
    policies: tuple[str, ...]
    programs: tuple[str, ...]
    ranks: tuple[int, ...]
    settings: Mapping[str, Sequence[int | str]] = field(default_factory=dict)

    def text(self) -> str:
        """Return the study file."""
        parameters: dict[str, Any] = {"link_power": {"policy": list(self.policies)}}
        for path, values in self.settings.items():
            section, key = path.split(".")
            parameters.setdefault(section, {})[key] = list(values)
        return tomli_w.dumps(
            {
                "platform": str(self.platform),
                "programs": list(self.programs),
                "ranks": list(self.ranks),
                "parameters": parameters,
                "run": {"compute": "counted", "mpi": "mpich", "record": "summary"},
            }
        )


@dataclass
class Campaign:
    """Runs the sweeps in a folder.

    Attributes:
        folder: Where they, and the programs, are kept.
        workers: How many points run at once; None for one on each core.
        quiet: Whether only failures are told.
        status: 0, or what the command is to exit with: 1 after a point that failed.
    """

    folder: Path
    workers: int | None
    quiet: bool
    status: int = field(default=0, init=False)

    def program(self, source: Path, *, wakes: bool = False) -> str:
        """Return how to start a program of C, which is compiled."""
        return shlex.quote(str(compiled(source, self.folder / "programs", wakes=wakes)))

    def run(self, sweep_of: Sweep) -> list[Row]:
        """Run a sweep; return the rows of complete points in its order.

        Raises:
            UserError: If it cannot be run.
            InterruptedError: If a signal ended it.
        """
        import pyarrow.parquet as pq

        file = self.folder / "studies" / f"{sweep_of.name}.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(sweep_of.text(), encoding="utf-8")
        out = self.folder / sweep_of.name
        status = sweep(SweepOptions(study=file, out=out, workers=self.workers, quiet=self.quiet))
        if status > _FAILED:
            self.status = status
            raise InterruptedError
        self.status = max(self.status, status)
        rows: list[Row] = pq.read_table(out / TABLE_FILE).to_pylist()
        return [row for row in rows if row["status"] == "complete"]

    def result(self, name: str, row: Row) -> Path:
        """Return the result file of a point of a sweep."""
        return self.folder / name / "results" / str(row["point"]) / "result.json"
