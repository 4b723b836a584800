"""The profile of a program's MPI calls: what ranks did at each place, merged into one table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from kumihimo.results.source_lines import SourceLine, source_lines

if TYPE_CHECKING:
    from kumihimo.results.summary import CallSiteSums

CALL_SITE_COLUMNS = pa.schema(
    [
        ("function", pa.string()),
        ("module", pa.string()),
        ("offset", pa.uint64()),
        ("file", pa.string()),
        ("line", pa.uint32()),
        ("ranks", pa.uint32()),
        ("calls", pa.uint64()),
        ("distance_least_ps", pa.int64()),
        ("distance_mean_ps", pa.int64()),
        ("distance_most_ps", pa.int64()),
        ("distance_deviation_ps", pa.int64()),
        ("distance_bins", pa.list_(pa.uint64())),
        ("inside_ps", pa.int64()),
        ("messages", pa.uint64()),
        ("bytes", pa.uint64()),
        ("peers", pa.uint32()),
        ("targets", pa.list_(pa.uint32())),
        ("communicator_least", pa.uint32()),
        ("communicator_most", pa.uint32()),
    ]
)

SiteKey = tuple[str, int, str]
"""Path of the program or library that calls, place in it, and the function that it calls."""


@dataclass
class CallSite:
    """Sums over the calls of one site, of one rank or several; times in virtual picoseconds.

    Attributes:
        ranks: How many ranks have called.
        calls: How often, together.
        least_ps, most_ps: Of the distances.
        sum_ps, squares: Sum of the distances, and of their squares (ps^2).
        bins: Entry i counts distances below 2^i ps, and not below 2^(i-1).
        inside_ps: Time from begin to end of the calls.
        messages, bytes: Sent in them, with what protocols add.
        peers: Different targets, of the rank that has most.
        targets: Ranks to which any rank sent something.
        least_members, most_members: Of the communicators that calls named; None if none did.
    """

    ranks: int = 0
    calls: int = 0
    least_ps: int = 2**63 - 1
    most_ps: int = 0
    sum_ps: int = 0
    squares: int = 0
    bins: list[int] = field(default_factory=list)
    inside_ps: int = 0
    messages: int = 0
    bytes: int = 0
    peers: int = 0
    targets: set[int] = field(default_factory=set)
    least_members: int | None = None
    most_members: int | None = None

    def add(self, other: CallSite) -> None:
        """Take what another rank has done at the site."""
        self.ranks += other.ranks
        self.calls += other.calls
        self.least_ps = min(self.least_ps, other.least_ps)
        self.most_ps = max(self.most_ps, other.most_ps)
        self.sum_ps += other.sum_ps
        self.squares += other.squares
        longer, shorter = sorted((self.bins, other.bins), key=len, reverse=True)
        self.bins = [
            count + (shorter[index] if index < len(shorter) else 0)
            for index, count in enumerate(longer)
        ]
        self.inside_ps += other.inside_ps
        self.messages += other.messages
        self.bytes += other.bytes
        self.peers = max(self.peers, other.peers)
        self.targets |= other.targets
        if other.least_members is not None and other.most_members is not None:
            self.least_members = min(self.least_members or other.least_members, other.least_members)
            self.most_members = max(self.most_members or 0, other.most_members)

    @property
    def deviation_ps(self) -> int:
        """The standard deviation of the distances, rounded down."""
        # A rank that was stopped may have left a sum of which a part is missing.
        return math.isqrt(max(self.calls * self.squares - self.sum_ps**2, 0)) // self.calls


def merged_call_sites(rows: Iterable[CallSiteSums]) -> dict[SiteKey, CallSite]:
    """Merge what ranks have done, and return the sites in the order of their keys."""
    merged: dict[SiteKey, CallSite] = {}
    for row in rows:
        key = (row["module"], row["offset"], row["function"])
        merged.setdefault(key, CallSite()).add(_of_rank(row))
    return dict(sorted(merged.items()))


def call_site_batches(sites: Mapping[SiteKey, CallSite]) -> Iterator[pa.RecordBatch]:
    """Turn sites into one batch of CALL_SITE_COLUMNS, with lines of the source where known."""
    offsets: dict[str, list[int]] = {}
    for module, offset, _ in sites:
        offsets.setdefault(module, []).append(offset)
    lines = {module: source_lines(Path(module), of) for module, of in offsets.items()}
    rows = [_row(key, site, lines[key[0]].get(key[1])) for key, site in sites.items()]
    yield pa.RecordBatch.from_pylist(rows, schema=CALL_SITE_COLUMNS)


def _row(key: SiteKey, site: CallSite, line: SourceLine | None) -> dict[str, object]:
    module, offset, function = key
    return {
        "function": function,
        "module": module,
        "offset": offset,
        "file": line.file if line else None,
        "line": line.line if line else None,
        "ranks": site.ranks,
        "calls": site.calls,
        "distance_least_ps": site.least_ps,
        "distance_mean_ps": site.sum_ps // site.calls,
        "distance_most_ps": site.most_ps,
        "distance_deviation_ps": site.deviation_ps,
        "distance_bins": site.bins,
        "inside_ps": site.inside_ps,
        "messages": site.messages,
        "bytes": site.bytes,
        "peers": site.peers,
        "targets": sorted(site.targets),
        "communicator_least": site.least_members,
        "communicator_most": site.most_members,
    }


def _of_rank(row: CallSiteSums) -> CallSite:
    counts = list(row["distance_bins"])
    while counts and counts[-1] == 0:
        counts.pop()
    return CallSite(
        ranks=1,
        calls=row["calls"],
        least_ps=row["distance_least_ps"],
        most_ps=row["distance_most_ps"],
        sum_ps=row["distance_sum_ps"],
        squares=(row["distance_squares_high"] << 64) + row["distance_squares_low"],
        bins=counts,
        inside_ps=row["inside_ps"],
        messages=row["messages"],
        bytes=row["bytes"],
        peers=len(row["targets"]),
        targets=set(row["targets"]),
        least_members=row["communicator_least"] or None,
        most_members=row["communicator_most"] or None,
    )
