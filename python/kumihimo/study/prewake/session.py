"""The study from its parameters to its page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kumihimo.study.campaign import Campaign
from kumihimo.study.prewake.applications import run_applications
from kumihimo.study.prewake.benchmark import Benchmark
from kumihimo.study.prewake.figures import (
    application_figure,
    idle_figure,
    mode_figure,
    network_figure,
    place_figure,
)
from kumihimo.study.prewake.networks import run_networks
from kumihimo.study.prewake.page import PAGE_FILE, Contents, write_study
from kumihimo.study.prewake.paper import comparison
from kumihimo.study.prewake.parameters import Parameters, load_parameters
from kumihimo.sweep.lock import locked


@dataclass(frozen=True, kw_only=True)
class StudyOptions:
    """The options of `kumihimo study prewake`.

    Attributes:
        files: The folder of the parameter files.
        out: Where everything goes.
        quick: Whether fewer points are run.
        workers: How many points run at once; None for one on each core.
        quiet: Whether only failures are reported.
    """

    files: Path
    out: Path
    quick: bool = False
    workers: int | None = None
    quiet: bool = False


def study(options: StudyOptions) -> int:
    """Run the study and write its page; return the exit status.

    Raises:
        UserError: If its parameters or programs cannot be used, or no point gave a result.
    """
    name = "quick.toml" if options.quick else "study.toml"
    parameters = load_parameters(options.files / name)
    # Programs are named in sweep files, which lie elsewhere.
    campaign = Campaign(options.out.resolve(), options.workers, options.quiet)
    with locked(options.out, "study"):
        try:
            with campaign:
                contents = _run(campaign, parameters)
        except InterruptedError:
            return campaign.status
        write_study(options.out, contents)
    if not options.quiet:
        print(f"study in {options.out}: {PAGE_FILE}, tables, figures and the sweeps")
    return campaign.status


def _run(campaign: Campaign, parameters: Parameters) -> Contents:
    benchmark = Benchmark(campaign, parameters)
    findings = benchmark.findings()
    cases = run_applications(campaign, parameters)
    networks = run_networks(campaign, parameters)
    figures = [
        place_figure(findings, "time"),
        place_figure(findings, "energy"),
        idle_figure(benchmark.idle_times(findings)),
        mode_figure(findings),
        *(
            application_figure(cases, platform)
            for platform in dict.fromkeys(c.platform for c in cases)
        ),
        network_figure(networks),
    ]
    platform = benchmark.platform
    lines = comparison(
        findings,
        int(platform["link_power.wake_time"]),
        int(platform["link_power.sleep_time"]),
    )
    ranks = parameters.number("benchmark.ranks")
    failed = campaign.status != 0
    return Contents(ranks, findings, lines, cases, networks, figures, failed)
