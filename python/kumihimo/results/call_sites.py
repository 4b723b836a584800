"""The profile of a program's MPI calls: what ranks wrote of themselves, merged into one table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from kumihimo.results.source_lines import SourceLine, source_lines

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

# As CallSites::write of src/mpi/profile writes them.
_FIELDS = 16

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
        return math.isqrt(self.calls * self.squares - self.sum_ps**2) // self.calls


def read_call_sites(folder: Path) -> tuple[dict[SiteKey, CallSite], int]:
    """Read and merge what ranks wrote.

    Args:
        folder: It holds a file for each rank, named after it.

    Returns:
        The sites in the order of their keys, and how many ranks have written.

    Raises:
        ValueError: If a file is not a rank's.
    """
    merged: dict[SiteKey, CallSite] = {}
    files = [path for path in folder.iterdir() if path.name.isdecimal()]
    for path in sorted(files, key=lambda path: int(path.name)):
        for line in path.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            key, site = _parse(line)
            merged.setdefault(key, CallSite()).add(site)
    return dict(sorted(merged.items())), len(files)


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


def _parse(line: str) -> tuple[SiteKey, CallSite]:
    fields = line.split("\t")
    if len(fields) != _FIELDS:
        raise ValueError(f"a call site has {len(fields)} fields, expected {_FIELDS}")
    function, module, offset, calls, least, most, total, high, low = fields[:9]
    bins, inside, messages, size, targets, least_members, most_members = fields[9:]
    counts = [int(count) for count in bins.split(",")]
    while counts and counts[-1] == 0:
        counts.pop()
    reached = {int(target) for target in targets.split(",") if target}
    site = CallSite(
        ranks=1,
        calls=int(calls),
        least_ps=int(least),
        most_ps=int(most),
        sum_ps=int(total),
        squares=(int(high) << 64) + int(low),
        bins=counts,
        inside_ps=int(inside),
        messages=int(messages),
        bytes=int(size),
        peers=len(reached),
        targets=reached,
        least_members=int(least_members) or None,
        most_members=int(most_members) or None,
    )
    return (module, int(offset, 16), function), site
