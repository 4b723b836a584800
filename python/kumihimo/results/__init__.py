"""Everything a run gives: the result folder, the table on the terminal, reports, comparisons.

A result folder holds

- `result.json`: what was run and what came out, identical from repeat to repeat;
- `host.json`: what depends on the computer: wall time, CPU time, date;
- `messages.parquet`, `states.parquet`, `links.parquet`, `link_use.parquet`, `ranks.parquet`;
- `matching.parquet`, `queue_depths.parquet`, unless a replay has very many ranks;
- `link_power.parquet`, `power_states.parquet`, if links have a power model;
- `service.parquet`, `service_memory.parquet`, `service_traffic.parquet`, if the platform has a
  service;
- `call_sites.parquet`, if calls were profiled;
- `trace.json.gz`: for Perfetto (ui.perfetto.dev) or chrome://tracing;
- `report.html`: figures, in one file that opens without a network.

Importing this module is cheap; numpy and pyarrow are imported when they are needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kumihimo.results.model import HostInfo, RunInfo
from kumihimo.results.run import Run

if TYPE_CHECKING:
    from rich.console import Console

    from kumihimo.results.summary import Summary

__all__ = [
    "HostInfo",
    "Run",
    "RunInfo",
    "build",
    "load",
    "prepare",
    "print_table",
    "write",
]


def prepare(directory: Path, *, overwrite: bool = False) -> None:
    """Check before a run that its result can be written to `directory`; change nothing.

    Args:
        directory: The result folder to be. Its parents are made if they do not exist.
        overwrite: Whether an earlier result may be replaced. Any other folder never is.

    Raises:
        UserError: If the folder exists and may not be replaced, or its parent is not writable.
    """
    from kumihimo.results.folder import check_destination

    check_destination(directory, overwrite=overwrite)


def build(info: RunInfo, summary: Summary) -> Run:
    """Return the result of a run that is not (yet) in a folder, for `print_table`."""
    from kumihimo.results.document import host_document, unhashed_document

    return Run(unhashed_document(info, summary), host_document(info, summary), directory=None)


def write(
    directory: Path,
    info: RunInfo,
    summary: Summary,
    record_directory: Path | None,
    *,
    overwrite: bool = False,
    report: bool = True,
    trace: bool = True,
) -> Run:
    """Write the result folder: in a temporary sibling folder that is renamed into place.

    A failure leaves no half-written folder, and an earlier result as it was. The files of
    `record_directory` are only read.

    Args:
        directory: The result folder to be.
        info: What the launcher knows of the run.
        summary: What the core knows of the run.
        record_directory: Where `messages.bin` and `states.bin` are. None for a run that recorded
            no more than its totals: then only `result.json` and `host.json` are written, at almost
            no cost, and `kumihimo report` makes the rest of the report on demand.
        overwrite: Whether an earlier result in `directory` is replaced.
        report: Whether to write `report.html`.
        trace: Whether to write `trace.json.gz`.

    Returns:
        The result. `Run.host["remarks"]` names anything left out or dropped, which
        `print_table` shows.

    Raises:
        UserError: If the folder cannot be written (no permission, no space, already there).
    """
    from kumihimo.results.writer import write_result

    return write_result(
        directory,
        info,
        summary,
        record_directory,
        overwrite=overwrite,
        report=report,
        trace=trace,
    )


def load(directory: Path) -> Run:
    """Open a result folder; tables are read when they are asked for.

    Raises:
        UserError: If `directory` is not a result folder of a version that can be read.
    """
    from kumihimo.results.reader import load_result

    return load_result(directory)


def print_table(run: Run, console: Console | None = None) -> None:
    """Print the result's table on the terminal (standard output if `console` is None)."""
    from kumihimo.results.terminal import print_result

    print_result(run, console)
