"""A study from the command line to its page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kumihimo.study.campaign import Campaign
from kumihimo.study.contents import Contents
from kumihimo.study.page import PAGE_FILE, write_study
from kumihimo.sweep.lock import locked

# Runs the sweeps of a study; is given the folder that has platforms, and whether to be quick.
Find = Callable[[Campaign, Path, bool], Contents]


@dataclass(frozen=True, kw_only=True)
class StudyOptions:
    """The options of `kumihimo study NAME`.

    Attributes:
        name: Of the study.
        source: The folder of studies, platforms and example programs.
        out: Where everything goes.
        quick: Whether fewer and smaller points are run.
        workers: How many points run at once; None for one on each core.
        quiet: Whether only failures are reported.
    """

    name: str
    source: Path
    out: Path
    quick: bool = False
    workers: int | None = None
    quiet: bool = False


def study(options: StudyOptions, find: Find) -> int:
    """Run a study and write its page; return the exit status.

    Args:
        options: Of the command.
        find: What it runs.

    Raises:
        UserError: If its programs or platforms cannot be used, or no point gave a result.
    """
    # Programs are named in sweep files, which lie elsewhere.
    campaign = Campaign(options.out.resolve(), options.workers, options.quiet)
    with locked(options.out, "study"):
        try:
            with campaign:
                contents = find(campaign, options.source.resolve(), options.quick)
        except InterruptedError:
            return campaign.status
        write_study(options.out, options.name, contents)
    if not options.quiet:
        print(f"study in {options.out}: {PAGE_FILE}, tables, figures and the sweeps")
    return campaign.status
