"""What a run hands over: plain data, cheap to import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from kumihimo.results.phases import Mark, Phase

Status = Literal["complete", "partial"]
TagLayout = Literal["mpich", "openmpi", "schedule"]


@dataclass(frozen=True, kw_only=True)
class HostInfo:
    """How the run went on the computer that ran it: everything that may differ between repeats.

    Attributes:
        wall_seconds: From the start of the command to the end of the last rank.
        cpu_seconds: User and system time of all processes of the run, start-up included.
        date: When the run began, ISO 8601 with the time zone.
        host: Name of the computer.
        notes: Anything else worth keeping, as JSON values (peak memory, MPI library's path, ...).
        remarks: What the user should know about the result, in sentences.
        phases: Parts of the wall and CPU time, in their order.
        program_cpu_seconds: CPU time that was measured as computing of the program; None where it
            is not measured.
        ended: When the last process had ended; from then on the result is written.
    """

    wall_seconds: float
    cpu_seconds: float
    date: str
    host: str
    notes: Mapping[str, Any] = field(default_factory=dict)
    remarks: Sequence[str] = ()
    phases: Sequence[Phase] = ()
    program_cpu_seconds: float | None = None
    ended: Mark | None = None


@dataclass(frozen=True, kw_only=True)
class RunInfo:
    """What the launcher knows of a run.

    Attributes:
        version: Version of Kumihimo.
        platform_name: Two platforms of different names may be the same.
        platform: The resolved platform, `Platform.canonical()`. No floating-point numbers.
        options: Everything else that changes the result (compute mode, MPI library, ...). Strings,
            integers, booleans and None, nested at will; no floating-point numbers.
        seed: The seed of all random streams.
        program: The command line, without the launcher's part.
        ranks: Number of ranks.
        status: "complete", or "partial" if the run ended before all ranks were finished.
        reason: Why the result is partial, for the user; None if it is complete.
        host: What depends on the computer.
        tag_layout: What the tags on record say: the match bits of an MPI library, or the tags of a
            schedule; None if nothing is known of them.
    """

    version: str
    platform_name: str
    platform: Mapping[str, Any]
    options: Mapping[str, Any]
    seed: int
    program: Sequence[str]
    ranks: int
    status: Status
    reason: str | None
    host: HostInfo
    tag_layout: TagLayout | None = None
