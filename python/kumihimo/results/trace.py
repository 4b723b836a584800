"""A trace for Perfetto and chrome://tracing: ranks as threads, links as counters.

Links that save power are threads besides, with their power states.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kumihimo.results import display, parquet
from kumihimo.results.ranking import busiest_links
from kumihimo.results.records import CONTROL, MESSAGE_KINDS, POWER_STATES, RANK_STATES
from kumihimo.results.run import Run

# Above these a browser becomes slow. What is beyond them is told in the trace and on the terminal.
MOST_SLICES = 400_000
MOST_FLOWS = 20_000
MOST_LINKS = 64
MOST_COUNTER_VALUES = 200_000

_CUT_BINS = 65_536

_RANKS, _LINKS, _POWER = 1, 2, 3  # process ids of the trace
# Names of colours that both viewers know.
_COLOURS = {"compute": "thread_state_running", "communication": "thread_state_iowait",
            "wait": "thread_state_sleeping"}  # fmt: skip


@dataclass
class _Limits:
    """What was left out, as it turns out while the trace is written."""

    until_ps: int
    left_out: list[str] = field(default_factory=list)

    def note(self, written: int, total: int, what: str, where: str) -> None:
        if written < total:
            self.left_out.append(f"{written:,} of {total:,} {what} are in it ({where})")


def write_trace(run: Run, path: Path) -> list[str]:
    """Write the trace of a result whose tables are written.

    Args:
        run: The result.
        path: The file to be, gzipped Chrome trace JSON. Times in it are microseconds with six
            decimals, thus exact to the picosecond.

    Returns:
        What was left out, to tell the user; empty if the trace is whole.
    """
    limits = _Limits(until_ps=run.virtual_time_ps)
    # No name and no time stamp in the gzip header: equal runs give equal files.
    with (
        path.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=4, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8") as out,
    ):
        out.write('{"displayTimeUnit":"ns","traceEvents":[\n')
        out.write(_names(run))
        for lines in _events(run, limits):
            out.write(lines)
        other = _json({"left out": limits.left_out, **_identity(run)})
        out.write(f'\n],"otherData":{other}}}\n')
    return [f"{path.name}: {text}" for text in limits.left_out]


def _events(run: Run, limits: _Limits) -> Iterator[str]:
    yield from _slices(run, limits)
    yield from _flows(run, limits)
    yield from _counters(run, limits)
    if run.has_table("power_states"):
        yield from _power_slices(run, limits)


def _names(run: Run) -> str:
    names: list[dict[str, Any]] = [
        _meta("process_name", _RANKS, 0, name="ranks"),
        _meta("process_sort_index", _RANKS, 0, sort_index=0),
        _meta("process_name", _LINKS, 0, name="links (use in %)"),
        _meta("process_sort_index", _LINKS, 0, sort_index=1),
    ]
    for row in run.document["per_rank"]:
        rank, host = row["rank"], row["host"]
        names.append(_meta("thread_name", _RANKS, rank, name=f"rank {rank} (host{host})"))
        names.append(_meta("thread_sort_index", _RANKS, rank, sort_index=rank))
    return ",\n".join(_json(name) for name in names)


def _slices(run: Run, limits: _Limits) -> Iterator[str]:
    """Yield the ranks' states. With too many of them the trace ends early rather than with gaps."""
    path = run.table_path("states")
    total = parquet.count_rows(path)
    limits.until_ps = _cut_off(path, total, run.virtual_time_ps)
    written = 0
    heads = [f'{{"ph":"X","pid":{_RANKS},"name":"{name}","cname":"{_COLOURS[name]}","tid":'
             for name in RANK_STATES]  # fmt: skip
    for chunk in parquet.read_chunks(path, ["rank", "state", "begin_ps", "end_ps"]):
        inside = chunk["begin_ps"] < limits.until_ps
        columns = [chunk[name][inside].tolist() for name in ("rank", "state", "begin_ps", "end_ps")]
        written += len(columns[0])
        yield _lines(
            f'{heads[state]}{rank},"ts":{_us(begin)},"dur":{_us(end - begin)}}}'
            for rank, state, begin, end in zip(*columns, strict=True)
        )
    limits.note(written, total, "stretches of ranks",
                f"all until {display.format_time(limits.until_ps)}")  # fmt: skip


def _cut_off(path: Path, total: int, end_ps: int) -> int:
    """Return a time before which about MOST_SLICES stretches begin, and hardly more."""
    if total <= MOST_SLICES:
        return max(end_ps, 1)
    # Counted in bins, since so many times need not fit into memory.
    width = max(1, -(-end_ps // _CUT_BINS))
    counts = np.zeros(_CUT_BINS + 1, np.int64)
    for chunk in parquet.read_chunks(path, ["begin_ps"]):
        bins = np.minimum(chunk["begin_ps"] // width, _CUT_BINS)
        counts += np.bincount(bins, minlength=_CUT_BINS + 1)
    whole_bins = int(np.searchsorted(np.cumsum(counts), MOST_SLICES, side="right"))
    return max(1, whole_bins) * width


def _flows(run: Run, limits: _Limits) -> Iterator[str]:
    """Yield an arrow per MPI message, for the first MOST_FLOWS of those that arrive in time."""
    path = run.table_path("messages")
    names = ["source", "target", "kind", "tag", "size_bytes", "sent_ps", "arrived_ps"]
    written = 0
    for chunk in parquet.read_chunks(path, names):
        room = MOST_FLOWS - written
        chosen = np.flatnonzero(
            (chunk["kind"] != CONTROL) & (chunk["arrived_ps"] <= limits.until_ps)
        )[:room]
        rows = zip(*(chunk[name][chosen].tolist() for name in names), strict=True)
        yield _lines(_flow(written + index, *row) for index, row in enumerate(rows))
        written += len(chosen)
        if written == MOST_FLOWS:
            break
    limits.note(
        written, run.document["totals"]["messages"], "message arrows", "the first to arrive"
    )


def _flow(
    number: int, source: int, target: int, kind: int, tag: int, size: int, sent: int, arrived: int
) -> str:
    head = f'"cat":"message","name":"message","id":{number},"pid":{_RANKS}'
    facts = f'{{"kind":"{MESSAGE_KINDS[kind]}","size_bytes":{size},"tag":{tag}}}'
    return (
        f'{{"ph":"s",{head},"tid":{source},"ts":{_us(sent)},"args":{facts}}},\n'
        f'{{"ph":"f","bp":"e",{head},"tid":{target},"ts":{_us(arrived)}}}'
    )


def _counters(run: Run, limits: _Limits) -> Iterator[str]:
    """Yield the use of the busiest links over time."""
    links = busiest_links(run.document, MOST_LINKS)
    limits.note(len(links), len(run.document["per_link"]), "used links", "the busiest")
    names = {int(link["link"]): _json(link["name"]) for link in links}
    last_end: dict[int, int] = {}
    written = total = 0
    for chunk in parquet.read_chunks(
        run.table_path("link_use"), ["link", "begin_ps", "end_ps", "busy_ps"]
    ):
        rows = [row for row in zip(*(chunk[name].tolist() for name in chunk), strict=True)
                if row[0] in names]  # fmt: skip
        total += len(rows)
        rows = rows[: MOST_COUNTER_VALUES - written]
        written += len(rows)
        yield _lines(_counter_rows(rows, names, last_end))
    yield _lines(_counter(names[link], end, 0.0) for link, end in last_end.items())
    limits.note(written, total, "values of link use", "link after link")


def _power_slices(run: Run, limits: _Limits) -> Iterator[str]:
    """Yield what the links did as far as their power goes, each link on a track of its own."""
    path = run.table_path("power_states")
    links = {int(link["link"]): link["name"] for link in busiest_links(run.document, MOST_LINKS)}
    names = [_meta("process_name", _POWER, 0, name="links (power)"),
             _meta("process_sort_index", _POWER, 0, sort_index=2)]  # fmt: skip
    names += [_meta("thread_name", _POWER, link, name=name) for link, name in links.items()]
    yield _lines(_json(name) for name in names)
    heads = [f'{{"ph":"X","pid":{_POWER},"name":"{name}","tid":' for name in POWER_STATES]
    written = total = 0
    wanted = np.array(sorted(links), dtype=np.int64)
    for chunk in parquet.read_chunks(path, ["link", "power_state", "begin_ps", "end_ps"]):
        inside = np.flatnonzero(np.isin(chunk["link"], wanted))
        total += inside.size
        inside = inside[: MOST_SLICES - written]
        written += inside.size
        columns = [chunk[name][inside].tolist() for name in chunk]
        yield _lines(
            f'{heads[state]}{link},"ts":{_us(begin)},"dur":{_us(end - begin)}}}'
            for link, state, begin, end in zip(*columns, strict=True)
        )
    limits.note(written, total, "power states of links", "the first to begin")


def _counter_rows(
    rows: list[tuple[int, int, int, int]], names: dict[int, str], last_end: dict[int, int]
) -> Iterator[str]:
    for link, begin, end, busy in rows:
        # Idle bins are not in the table: the counter falls back to zero in between.
        previous = last_end.get(link, 0)
        if previous != begin:
            yield _counter(names[link], previous, 0.0)
        yield _counter(names[link], begin, 100 * busy / (end - begin))
        last_end[link] = end


def _counter(name: str, time_ps: int, percent: float) -> str:
    return (
        f'{{"ph":"C","pid":{_LINKS},"tid":0,"name":{name},"ts":{_us(time_ps)},'
        f'"args":{{"use %":{percent:.2f}}}}}'
    )


def _meta(name: str, pid: int, tid: int, /, **arguments: object) -> dict[str, Any]:
    return {"ph": "M", "name": name, "pid": pid, "tid": tid, "args": arguments}


def _identity(run: Run) -> dict[str, Any]:
    keys = ("configuration_hash", "event_hash", "reason", "status", "version")
    return {key: run.document[key] for key in keys}


def _lines(events: Iterable[str]) -> str:
    return "".join(f",\n{event}" for event in events)


def _us(time_ps: int) -> str:
    return f"{time_ps // 1_000_000}.{time_ps % 1_000_000:06d}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
