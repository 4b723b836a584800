"""What `kumihimo study matching` runs, and what it says of that."""

from __future__ import annotations

from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.results import display
from kumihimo.study.campaign import Campaign
from kumihimo.study.contents import Contents, StudyTable
from kumihimo.study.matching import depths, programs
from kumihimo.study.matching.cases import default_by
from kumihimo.study.matching.figures import depths_figure, programs_figure
from kumihimo.study.matching.findings import depths_findings, paper_lines, programs_findings

_INTRODUCTION = (
    "A message finds its receive, or a receive its message, in queues that the host or an "
    "interface searches. The publication on limited-length head separation measured the time for "
    "each message that waits in front of the one looked for, on DIMMnet-2 and a Pentium 4. Here "
    "the program examples/apps/queue_depth.c does so over a described network, under every model "
    "of docs/matching.md, by the host and by the interface. So do replays of schedules of the same "
    "benchmarks (folder schedules). The closed form is the sum of the model's components.",
    "Programs of examples/apps, which count their work and verify their results, then run under "
    "every model. All have the links and nodes of platforms/connectx.toml, so that only matching "
    "differs. The model list takes no time there.",
)


def _time(value: float) -> str:
    return display.format_time(round(value))


_COUNT = "{:,}".format
_DEPTHS_COLUMNS = {
    "model": ("model", "{}".format),
    "by": ("by", "{}".format),
    "queue": ("queue", "{}".format),
    "length": ("length", _COUNT),
    "depth": ("in front", _COUNT),
    "time_ps": ("time (ps)", _COUNT),
    "more_ps": ("more than of an empty queue (ps)", _COUNT),
    "replayed_more_ps": ("the same of the schedule (ps)", _COUNT),
    "expected_more_ps": ("by closed form (ps)", _COUNT),
    "each_ps": ("for each (ps)", "{:,.0f}".format),
}
_PROGRAM_COLUMNS = {
    "program": ("program", "{}".format),
    "arguments": ("arguments", "{}".format),
    "ranks": ("ranks", _COUNT),
    "model": ("model", "{}".format),
    "by": ("by", "{}".format),
    "virtual_time_ps": ("time", _time),
    "slower": ("more than with list", "{:.2%}".format),
    "matching_ps": ("matching of a rank", _time),
    "slowest_rank_ps": ("of the slowest rank", _time),
    "unexpected_share": ("unexpected messages", "{:.0%}".format),
    "posted_deepest": ("most posted receives", _COUNT),
    "unexpected_deepest": ("most unexpected messages", _COUNT),
    "posted_searched": ("looked at for a message", "{:.2f}".format),
    "unexpected_searched": ("for a receive", "{:.2f}".format),
}


def find(campaign: Campaign, source: Path, quick: bool) -> Contents:
    """Run the study.

    Raises:
        UserError: If it cannot be run, or points failed.
    """
    rows = depths.run_depths(campaign, source, depths.QUICK if quick else depths.FULL)
    of_programs = programs.run_programs(
        campaign, source, programs.QUICK if quick else programs.FULL
    )
    if campaign.status != 0:
        raise UserError(f"points failed: see the sweeps in {campaign.folder}", exit_code=1)
    by = {model: default_by(source, model) for model in {row["model"] for row in rows}}
    return Contents(
        title="Matching: heads in order, cells and lists",
        introduction=_INTRODUCTION,
        summary=[*depths_findings(rows), *programs_findings(of_programs)],
        lines=paper_lines(rows),
        tables=(
            StudyTable("depths", "Time over the depth of a queue", rows, _DEPTHS_COLUMNS),
            StudyTable("programs", "Programs", of_programs, _PROGRAM_COLUMNS),
        ),
        figures=(depths_figure(rows, by), programs_figure(of_programs)),
    )
