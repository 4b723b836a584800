"""The same applications on networks of several switches, where paths are long and shared."""

from __future__ import annotations

from kumihimo.platform import load_platform
from kumihimo.platform.network import build_network
from kumihimo.study.campaign import Campaign, Sweep
from kumihimo.study.prewake.applications import Case, run_programs
from kumihimo.study.prewake.parameters import Parameters

# How wake frames go down a path.
_WAYS = ("all_at_once", "hop_by_hop")


def run_networks(campaign: Campaign, parameters: Parameters) -> list[Case]:
    """Run applications with a rank on each host of every network; return what came out.

    Raises:
        UserError: If a platform file cannot be used, or a sweep cannot be run.
    """
    policies = tuple(parameters.texts("networks.policies"))
    programs = parameters.texts("networks.programs")
    cases = []
    for file in parameters.texts("networks.platforms"):
        platform = (parameters.folder / file).resolve()
        hosts = build_network(load_platform(platform)).hosts
        sweep = Sweep(f"networks-{platform.stem}", platform, policies, (), (hosts,))
        woken = {"link_power.wake_frames": _WAYS}
        cases += run_programs(campaign, parameters, sweep, programs, woken)
    return cases
