"""What sleeping links do to applications: time and energy under every policy."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kumihimo.study.prewake.campaign import Campaign, Row, Sweep
from kumihimo.study.prewake.parameters import Parameters

ALWAYS_ON, PREWAKE = "always_on", "prewake"


@dataclass(frozen=True)
class Case:
    """An application on a machine under a policy.

    Attributes:
        machine: The platform file's name.
        program: With its arguments.
        ranks: How many.
        policy: Of the links; "prewake" with what the compiler inserted.
        slowdown: Virtual time over that with links that are always on, minus 1.
        energy: Of all links, as a share of that with links that are always on.
        of_ideal: The share that it saves of what the oracle saves; None if that saves nothing.
    """

    machine: str
    program: str
    ranks: int
    policy: str
    slowdown: float
    energy: float
    of_ideal: float | None


def run_applications(campaign: Campaign, parameters: Parameters) -> list[Case]:
    """Run all applications on all machines; return what came out."""
    cases = []
    for machine in parameters.texts("applications.machines"):
        platform = (parameters.folder / machine).resolve()
        for prefix in ("", "many_"):
            lines = parameters.texts(f"applications.{prefix}programs")
            for ranks in parameters.numbers(f"applications.{prefix}ranks"):
                cases += _run_on(campaign, parameters, platform, lines, ranks)
    return cases


def _run_on(
    campaign: Campaign, parameters: Parameters, platform: Path, programs: Sequence[str], ranks: int
) -> list[Case]:
    """Run programs on a machine with as many hosts as ranks: other links would just sleep."""
    folder = parameters.file("applications.folder")
    policies = (ALWAYS_ON, *parameters.texts("applications.policies"))
    name = f"applications-{platform.stem}-{ranks}"
    rows: list[Row] = []
    for wakes, suffix, tried in ((False, "", policies), (True, "-woken", (PREWAKE,))):
        lines = []
        for program, *arguments in map(shlex.split, programs):
            binary = campaign.program(folder / f"{program}.c", wakes=wakes)
            lines.append(" ".join([binary, shlex.join(arguments)]).strip())
        sweep = Sweep(f"{name}{suffix}", platform, tried, tuple(lines), (ranks,), ranks)
        rows += campaign.run(sweep)
    return cases_of(platform.stem, rows)


def cases_of(machine: str, rows: Sequence[Row]) -> list[Case]:
    """Return the cases of a machine; those without a run with links always on are left out."""
    by_key = {
        (_program(row), int(row["ranks"]), str(row["link_power.policy"])): row for row in rows
    }
    cases = []
    for (program, ranks, policy), row in by_key.items():
        normal = by_key.get((program, ranks, ALWAYS_ON))
        ideal = by_key.get((program, ranks, "ideal"))
        if normal is not None and policy != ALWAYS_ON:
            cases.append(_case(machine, program, ranks, policy, row, normal, ideal))
    return cases


def _case(
    machine: str,
    program: str,
    ranks: int,
    policy: str,
    row: Mapping[str, Any],
    normal: Mapping[str, Any],
    ideal: Mapping[str, Any] | None,
) -> Case:
    energy, full = row["link_energy_pj"], normal["link_energy_pj"]
    possible = full - ideal["link_energy_pj"] if ideal is not None else 0
    return Case(
        machine=machine,
        program=program,
        ranks=ranks,
        policy=policy,
        slowdown=row["virtual_time_ps"] / normal["virtual_time_ps"] - 1,
        energy=energy / full,
        of_ideal=(full - energy) / possible if possible > 0 else None,
    )


def _program(row: Mapping[str, Any]) -> str:
    """Return the program's name with its arguments, without its folder."""
    return re.sub(r"^\S*/", "", str(row["command"]))
