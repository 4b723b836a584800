"""What a profile of a program's calls tells the compiler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kumihimo import results
from kumihimo.errors import UserError
from kumihimo.progress.ending import format_time

# A site keeps its places if more than one of so many calls could use them.
_RARE = 100
_WAKE_TIMES = ("link_power.wake_time", "link_power.deep_wake_time")


@dataclass
class _Measured:
    """Distances of one call in the source, wherever it was inlined."""

    calls: int = 0
    most_ps: int = 0
    bins: list[int] = field(default_factory=lambda: [0] * 64)

    def add(self, row: Mapping[str, Any]) -> None:
        self.calls += row["calls"]
        self.most_ps = max(self.most_ps, row["distance_most_ps"])
        for index, count in enumerate(row["distance_bins"]):
            self.bins[index] += count

    def may_use_place(self, lead_ps: int) -> bool:
        # Bin i ends before 2^i: what may have been longer counts as longer.
        longer = sum(count for index, count in enumerate(self.bins) if 1 << index > lead_ps)
        return self.most_ps >= lead_ps and longer * _RARE > self.calls


def sites_without_place(folder: Path) -> str:
    """Return the calls that need no place ahead of them, as the compiler plug-in takes them.

    Waking takes at least as long as one link does. A call that begins sooner after the
    communication before is woken for at the end of that, or earlier: whatever is in between comes
    too late.

    Args:
        folder: The result of a run with a profile of calls.

    Returns:
        Lines of the form "file.c:12 mpi_send", a tab, and why.

    Raises:
        UserError: If there is no profile, it names no lines of the source, or nothing says how long
            waking takes.
    """
    run = results.load(folder)
    if not run.has_table("call_sites"):
        raise UserError(
            f"{folder}: holds no call_sites.parquet; run the program with --profile-calls"
        )
    lead_ps = _shortest_lead_ps(folder, run.document["configuration"]["platform"])
    try:
        measured = _by_line(run.call_sites.to_pylist())
    except (OSError, ValueError, KeyError) as error:
        raise UserError(f"{run.table_path('call_sites')}: is not a profile: {error}") from error
    if not measured:
        raise UserError(
            f"{folder}: its call sites have no lines of the source; compile the program that is "
            "profiled with -g, and have binutils' addr2line installed"
        )
    return "\n".join(
        f"{call}\t{_reason(site, lead_ps)}"
        for call, site in sorted(measured.items())
        if not site.may_use_place(lead_ps)
    )


def _shortest_lead_ps(folder: Path, platform: Mapping[str, Any]) -> int:
    times = [int(platform[key]) for key in _WAKE_TIMES if platform.get(key)]
    if not times:
        raise UserError(
            f"{folder}: was made with a platform without [link_power]: nothing says how long "
            "waking a link takes"
        )
    return min(times)


def _by_line(rows: Sequence[Mapping[str, Any]]) -> dict[str, _Measured]:
    measured: dict[str, _Measured] = {}
    for row in rows:
        if row["file"] is None:
            continue
        # The plug-in, too, calls files by their names only.
        call = f"{Path(row['file']).name}:{row['line']} {row['function'].lower()}"
        measured.setdefault(call, _Measured()).add(row)
    return measured


def _reason(site: _Measured, lead_ps: int) -> str:
    return (
        f"of {site.calls} calls, at most 1 in {_RARE} came {format_time(lead_ps)} or "
        "more after the communication before"
    )
