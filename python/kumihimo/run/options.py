"""What the user asked of a run."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

MpiName = Literal["mpich", "openmpi"]
DetailLevel = Literal["full", "tables", "summary", "none"]
#: Levels whose results have tables of messages and states.
WITH_TABLES: Final = ("full", "tables")
ComputeMode = Literal["measured", "counted", "none"]
RecordHeight = Literal["messages", "calls"]


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The options of `kumihimo run`, checked and in base units.

    Attributes:
        ranks: Number of MPI processes.
        platform: The platform file.
        command: The program as it was named, and its arguments.
        out: The result folder; None for one named after program and ranks.
        detail: "full": every message and state, a report and a time line; "tables": without these
            two; "summary": totals only; "none": no result folder.
        seed: Seed of all random streams.
        compute: Where the time between MPI calls comes from; None: "counted" if the program counts
            its work, else "measured".
        mpi: The program's MPI library; None to find out.
        stall_timeout_s: Real time without any progress after which the run is ended; 0: never.
            None: the watchdog's own time, in which no rank computes.
        time_limit_ps: Virtual time at which the run is ended; 0: never.
        cores: Number of cores of this computer on which ranks compute; 0 for all that are free.
        host_flops: Speed of this computer in flop/s; None for the one that was calibrated.
        quiet: Whether neither progress nor table is printed.
        link_power: The policy of the platform's links; None for what the file says.
        matching: The model of matching messages with receives, likewise.
        predict: Whether ranks learn what they send after each MPI call, and wake links ahead of it.
        approx: The policy that allows errors in messages; None: all messages are exact.
        service: By what ranks send to each other; None for what the platform file says.
        traffic: The result folder of an earlier run, for the service oracle; None for none.
        hints: The file of hints at calls of the program; None for none.
        collectives: What carries out collective calls; None for what the platform file says.
        profile_calls: Whether ranks record each place that calls MPI, in `call_sites.parquet`.
        start_date: What the program's calendar says at virtual time zero; None for 2000-01-01
            01:00.
        schedule: The file to write the run's schedule to; None if it is not recorded.
        schedule_form: The form of that file.
        schedule_of: What is recorded: messages as sent, or the calls that ask for them.
    """

    ranks: int
    platform: Path
    command: tuple[str, ...]
    out: Path | None = None
    detail: DetailLevel = "full"
    seed: int = 0
    compute: ComputeMode | None = None
    mpi: MpiName | None = None
    stall_timeout_s: float | None = None
    time_limit_ps: int = 0
    cores: int = 1
    host_flops: int | None = None
    quiet: bool = False
    link_power: str | None = None
    matching: str | None = None
    predict: bool = False
    approx: Path | None = None
    service: str | None = None
    traffic: Path | None = None
    hints: Path | None = None
    collectives: str | None = None
    profile_calls: bool = False
    start_date: datetime.datetime | None = None
    schedule: Path | None = None
    schedule_form: Literal["goal", "portable", "binary"] = "goal"
    schedule_of: RecordHeight = "messages"

    def records(self, height: RecordHeight) -> bool:
        """Return whether the run's schedule is recorded at this height."""
        return self.schedule is not None and self.schedule_of == height

    def result_directory(self) -> Path | None:
        """Return where the result goes; None if none is wanted."""
        if self.detail == "none":
            return None
        return self.out or Path(f"kumi-{self._program_name()}-n{self.ranks}")

    def _program_name(self) -> str:
        """Return what people call the program: of an interpreter, the script that it runs."""
        name = Path(self.command[0]).stem
        scripts = [argument for argument in self.command[1:] if argument.endswith(".py")]
        return Path(scripts[0]).stem if name.startswith("python") and scripts else name
