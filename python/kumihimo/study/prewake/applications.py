"""What sleeping links do to applications: time and energy under every policy."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kumihimo.study.campaign import Campaign, Row, Sweep
from kumihimo.study.prewake.parameters import Parameters

ALWAYS_ON, PREWAKE = "always_on", "prewake"


@dataclass(frozen=True)
class Case:
    """An application on a platform under a policy.

    Attributes:
        platform: The platform file's name.
        program: With its arguments.
        ranks: How many.
        policy: Of the links; "prewake" with what the compiler inserted, "prewake, hop by hop" with
            wake frames that cross one link after the other.
        slowdown: Virtual time over that with links that are always on, minus 1.
        energy: Of all links, as a share of that with links that are always on.
        of_ideal: The share that it saves of what the oracle saves; None if that saves nothing.
    """

    platform: str
    program: str
    ranks: int
    policy: str
    slowdown: float
    energy: float
    of_ideal: float | None


def run_applications(campaign: Campaign, parameters: Parameters) -> list[Case]:
    """Run all applications on all platforms; return what came out."""
    policies = tuple(parameters.texts("applications.policies"))
    cases = []
    for file in parameters.texts("applications.platforms"):
        platform = (parameters.folder / file).resolve()
        for prefix in ("", "many_"):
            lines = parameters.texts(f"applications.{prefix}programs")
            for ranks in parameters.numbers(f"applications.{prefix}ranks"):
                # With as many hosts as ranks: other links would just sleep.
                hosts = {"topology.hosts": [ranks]}
                name = f"applications-{platform.stem}-{ranks}"
                sweep = Sweep(name, platform, policies, (), (ranks,), hosts)
                cases += run_programs(campaign, parameters, sweep, lines)
    return cases


def run_programs(
    campaign: Campaign,
    parameters: Parameters,
    sweep: Sweep,
    programs: Sequence[str],
    woken: Mapping[str, Sequence[int | str]] | None = None,
) -> list[Case]:
    """Run programs on a platform, always on, under the sweep's policies and with wake-ups.

    Args:
        campaign: Runs them.
        parameters: Where the programs are.
        sweep: The rest.
        programs: Their names with arguments.
        woken: More settings of runs with wake-ups.
    """
    folder = parameters.file("applications.folder")
    rows: list[Row] = []
    for wakes, suffix, tried in (
        (False, "", (ALWAYS_ON, *sweep.policies)),
        (True, "-woken", (PREWAKE,)),
    ):
        lines = []
        for program, *arguments in map(shlex.split, programs):
            binary = campaign.program(folder / f"{program}.c", wakes=wakes)
            lines.append(" ".join([binary, shlex.join(arguments)]).strip())
        settings = {**sweep.settings, **(woken or {})} if wakes else sweep.settings
        rows += campaign.run(
            replace(
                sweep,
                name=f"{sweep.name}{suffix}",
                policies=tried,
                programs=tuple(lines),
                settings=settings,
            )
        )
    return cases_of(sweep.platform.stem, rows)


def cases_of(platform: str, rows: Sequence[Row]) -> list[Case]:
    """Return the cases of a platform; those without a run with links always on are left out."""
    by_key = {(_program(row), int(row["ranks"]), _policy(row)): row for row in rows}
    cases = []
    for (program, ranks, policy), row in by_key.items():
        normal = by_key.get((program, ranks, ALWAYS_ON))
        ideal = by_key.get((program, ranks, "ideal"))
        if normal is not None and policy != ALWAYS_ON:
            cases.append(_case(platform, program, ranks, policy, row, normal, ideal))
    return cases


def _case(
    platform: str,
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
        platform=platform,
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


def _policy(row: Mapping[str, Any]) -> str:
    policy = str(row["link_power.policy"])
    hop_by_hop = row.get("link_power.wake_frames") == "hop_by_hop"
    return f"{policy}, hop by hop" if hop_by_hop else policy
