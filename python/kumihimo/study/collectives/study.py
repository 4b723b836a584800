"""What `kumihimo study collectives` runs, and what it says of that."""

from __future__ import annotations

from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.results import display
from kumihimo.study.campaign import Campaign
from kumihimo.study.collectives import programs, schemes
from kumihimo.study.collectives.figures import MPI_NAMES, programs_figure, schemes_figure
from kumihimo.study.collectives.findings import paper_lines, programs_findings, schemes_findings
from kumihimo.study.contents import Contents, StudyTable

_INTRODUCTION = (
    "Ranks of a torus exchange blocks by Suh and Shin's all-to-all, whose messages share no link "
    "within a step. Its steps are kept apart in four ways: not at all; by a synchronisation before "
    "each step (the publication's conventional 1); by one at the start (conventional 2); or by one "
    "at the start and then by the clock (proposed). Packets of synchronisations have no bytes "
    "here. An eager limit above all messages, or of 0, makes all of them eager or rendezvous.",
    "FT and IS are the kernels of the NAS Parallel Benchmarks in examples/apps, on 64 ranks of a "
    "torus of 4 x 4 x 4. They count their work, communicate by collective operations alone, and "
    "verify their results. The time in these is all that a rank does not compute, waiting for late "
    "ranks included. Overheads are those of sender and receiver for each message.",
)


def _time(value: float) -> str:
    return display.format_time(round(value))


_COUNT = "{:,}".format
_SCHEME_COLUMNS = {
    "side": ("side of the torus", _COUNT),
    "protocol": ("protocol", "{}".format),
    "block_bytes": ("block (B)", _COUNT),
    "scheme": ("scheme", "{}".format),
    "virtual_time_ps": ("time (ps)", _COUNT),
    "expected_ps": ("by closed form (ps)", _COUNT),
    "deviation": ("deviation", "{:.4%}".format),
    "saved_ps": ("less than every_step (ps)", _COUNT),
    "synchronisations": ("synchronisations", _COUNT),
    "synchronisation_ps": ("of each (ps)", _COUNT),
    "packets": ("packets of a rank", _COUNT),
    "missed_steps": ("missed steps", _COUNT),
}
_PROGRAM_COLUMNS = {
    "program": ("program", "{}".format),
    "class": ("class", "{}".format),
    "mpi": ("MPI library", lambda name: MPI_NAMES[name]),
    "overhead_ns": ("overheads (ns)", _COUNT),
    "mode": ("collectives", "{}".format),
    "virtual_time_ps": ("time", _time),
    "collectives_ps": ("in collectives", _time),
    "messages": ("messages", _COUNT),
    "bytes": ("bytes", _COUNT),
    "alltoall_ps": ("an MPI_Alltoall", _time),
    "expected_alltoall_ps": ("of ranks that enter together", _time),
    "alltoallv_ps": ("an MPI_Alltoallv", _time),
    "allreduce_ps": ("an MPI_Allreduce", _time),
    "library_calls": ("calls left to the library", _COUNT),
    "timed_steps": ("steps", _COUNT),
    "missed_steps": ("missed", _COUNT),
    "largest_lateness_ps": ("by at most (ps)", _COUNT),
    "verified": ("verified", lambda value: "yes" if value else "no"),
}


def find(campaign: Campaign, source: Path, quick: bool) -> Contents:
    """Run the study.

    Raises:
        UserError: If it cannot be run, or gave too little.
    """
    rows = schemes.run_schemes(campaign, source, schemes.QUICK if quick else schemes.FULL)
    of_programs = programs.run_programs(
        campaign, source, programs.QUICK if quick else programs.FULL
    )
    if campaign.status != 0:
        raise UserError(f"points failed: see the sweeps in {campaign.folder}", exit_code=1)
    return Contents(
        title="Scheduled collectives: start together, then wait by the clock",
        introduction=_INTRODUCTION,
        summary=[*schemes_findings(rows), *programs_findings(of_programs)],
        lines=paper_lines(rows),
        tables=(
            StudyTable("schemes", "Schedules of the all-to-all", rows, _SCHEME_COLUMNS),
            StudyTable("programs", "Programs on 64 ranks", of_programs, _PROGRAM_COLUMNS),
        ),
        figures=(schemes_figure(rows), programs_figure(of_programs)),
    )
