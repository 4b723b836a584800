"""A trace for Perfetto and chrome://tracing: ranks as threads, links as counters.

Links that save power are threads besides, with their power states.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kumihimo.results import display, parquet
from kumihimo.results.busy_links import busiest_links
from kumihimo.results.origins import UNKNOWN
from kumihimo.results.records import CONTROL, MESSAGE_KINDS, POWER_STATES, RANK_STATES
from kumihimo.results.run import Run
from kumihimo.results.thinning import Stretches, Thinned, spread, thin

# Above these a browser becomes slow. What is beyond them is named in the trace and on the terminal.
MOST_SLICES = 400_000
MOST_FLOWS = 20_000
MOST_LINKS = 64
MOST_COUNTER_VALUES = 200_000
# The least number of stretches of a rank; if there is no room for it, some ranks are left out.
_LEAST_OF_RANK = 64

_RANKS, _LINKS, _POWER = 1, 2, 3  # process ids of the trace
# Names of colours that both viewers know.
_COLOURS = {"compute": "thread_state_running", "communication": "thread_state_iowait",
            "wait": "thread_state_sleeping", "sleep": "thread_state_unknown"}  # fmt: skip


@dataclass
class _Limits:
    """What was left out, as it turns out while the trace is written."""

    every: int  # one of this number of ranks is in the trace
    left_out: list[str] = field(default_factory=list)

    def note(self, written: int, total: int, what: str, where: str) -> None:
        if written < total:
            self.left_out.append(f"{written:,} of {total:,} {what} are in it ({where})")

    def note_thinned(self, thinned: Thinned, total: int, what: str) -> None:
        shorter = display.format_time(thinned.shorter_than_ps)
        self.left_out.append(
            f"{total:,} {what} are drawn as {len(thinned.track):,}, over the whole run: those "
            f"shorter than {shorter} are merged with their neighbours"
        )


def write_trace(run: Run, path: Path) -> list[str]:
    """Write the trace of a result whose tables are written.

    Args:
        run: The result.
        path: The file to be, gzipped Chrome trace JSON. Times in it are microseconds with six
            decimals, thus exact to the picosecond.

    Returns:
        What was left out, for the user; empty if the trace is whole.
    """
    limits = _Limits(every=_every(run))
    # No name and no time stamp in the gzip header: equal runs give equal files.
    with (
        path.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=4, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8") as out,
    ):
        out.write('{"displayTimeUnit":"ns","traceEvents":[\n')
        out.write(_names(run, limits))
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


def _every(run: Run) -> int:
    """Return of how many ranks one is in the trace."""
    if parquet.count_rows(run.table_path("states")) <= MOST_SLICES:
        return 1
    ranks = int(run.document["ranks"])
    return max(1, -(-ranks * _LEAST_OF_RANK // MOST_SLICES))


def _names(run: Run, limits: _Limits) -> str:
    names: list[dict[str, Any]] = [
        _meta("process_name", _RANKS, 0, name="ranks"),
        _meta("process_sort_index", _RANKS, 0, sort_index=0),
        _meta("process_name", _LINKS, 0, name="links (use in %)"),
        _meta("process_sort_index", _LINKS, 0, sort_index=1),
    ]
    for row in run.document["per_rank"][:: limits.every]:
        rank, host = row["rank"], row["host"]
        names.append(_meta("thread_name", _RANKS, rank, name=f"rank {rank} (host{host})"))
        names.append(_meta("thread_sort_index", _RANKS, rank, sort_index=rank))
    return ",\n".join(_json(name) for name in names)


def _slices(run: Run, limits: _Limits) -> Iterator[str]:
    """Yield the ranks' states; of too many of them short ones are merged, over the whole run."""
    path = run.table_path("states")
    names = ["rank", "state", "begin_ps", "end_ps"]
    total = parquet.count_rows(path)
    heads = [f'{{"ph":"X","pid":{_RANKS},"cname":"{_COLOURS[name]}","tid":' for name in RANK_STATES]
    if total <= MOST_SLICES:
        for chunk in parquet.read_chunks(path, names):
            yield _stretch_lines(heads, RANK_STATES, *(chunk[name] for name in names))
        return
    ranks = run.document["ranks"]
    shown = len(range(0, ranks, limits.every))
    limits.note(shown, ranks, "ranks", f"every {limits.every}th" if limits.every > 1 else "")
    thinned = thin(
        _of_tracks(path, names, np.arange(0, ranks, limits.every)),
        shown, len(RANK_STATES), max(1, run.virtual_time_ps), MOST_SLICES,
    )  # fmt: skip
    yield _merged_lines(heads, RANK_STATES, thinned, thinned.track * limits.every)
    limits.note_thinned(thinned, total, "stretches of ranks")


def _of_tracks(path: Path, names: list[str], tracks: npt.NDArray[np.int64]) -> Iterator[Stretches]:
    """Yield the stretches of some ranks or links, which become numbers of tracks."""
    for chunk in parquet.read_chunks(path, names):
        who, state, begin, end = (chunk[name].astype(np.int64) for name in names)
        inside = np.isin(who, tracks)
        yield (np.searchsorted(tracks, who[inside]), state[inside], begin[inside], end[inside])


def _stretch_lines(heads: Sequence[str], states: Sequence[str], *columns: npt.NDArray[Any]) -> str:
    """Return stretches as they are: track, state, begin and end of each."""
    return _lines(
        f'{heads[state]}{who},"name":"{states[state]}","ts":{_us(begin)},"dur":{_us(end - begin)}}}'
        for who, state, begin, end in zip(*(column.tolist() for column in columns), strict=True)
    )


def _merged_lines(
    heads: Sequence[str], states: Sequence[str], thinned: Thinned, who: npt.NDArray[np.int64]
) -> str:
    """Return stretches of which some were merged: those list what they are made of."""
    columns = (who, thinned.state, thinned.begin_ps, thinned.end_ps, thinned.merged)
    rows = zip(*(column.tolist() for column in columns), thinned.times_ps.tolist(), strict=True)

    def line(each: int, state: int, begin: int, end: int, merged: int, times: list[int]) -> str:
        head = f'{heads[state]}{each},"ts":{_us(begin)},"dur":{_us(end - begin)}'
        if merged == 1:
            return f'{head},"name":"{states[state]}"}}'
        facts: dict[str, object] = {"stretches": merged}
        facts |= {
            f"{name} (us)": time / 10**6 for name, time in zip(states, times, strict=True) if time
        }
        return f'{head},"name":"mostly {states[state]}","args":{_json(facts)}}}'

    return _lines(line(*row) for row in rows)


def _flows(run: Run, limits: _Limits) -> Iterator[str]:
    """Yield an arrow for each MPI message, or for MOST_FLOWS of them from all over the run."""
    path = run.table_path("messages")
    names = ["source", "target", "kind", "tag", "size_bytes", "sent_ps", "arrived_ps"]
    total = run.document["totals"]["messages"]
    met = written = 0
    for chunk in parquet.read_chunks(path, names):
        mpi = np.flatnonzero(chunk["kind"] != CONTROL)
        chosen = mpi[spread(met, len(mpi), total, MOST_FLOWS)]
        met += len(mpi)
        ends = chunk["source"][chosen] % limits.every + chunk["target"][chosen] % limits.every
        chosen = chosen[ends == 0]
        rows = zip(*(chunk[name][chosen].tolist() for name in names), strict=True)
        yield _lines(_flow(written + index, *row) for index, row in enumerate(rows))
        written += len(chosen)
    limits.note(written, total, "message arrows", "from all over the run")


def _flow(
    number: int, source: int, target: int, kind: int, tag: int, size: int, sent: int, arrived: int
) -> str:
    head = f'"cat":"message","name":"message","id":{number},"pid":{_RANKS}'
    facts = f'{{"kind":"{MESSAGE_KINDS[kind]}","size_bytes":{size}'
    facts += "}" if tag == UNKNOWN else f',"tag":{tag}}}'
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
    heads = [f'{{"ph":"X","pid":{_POWER},"tid":'] * len(POWER_STATES)
    columns = ["link", "power_state", "begin_ps", "end_ps"]
    tracks = np.array(sorted(links), dtype=np.int64)
    total = sum(len(track) for track, *_ in _of_tracks(path, columns, tracks))
    if total <= MOST_SLICES:
        for track, *rest in _of_tracks(path, columns, tracks):
            yield _stretch_lines(heads, POWER_STATES, tracks[track], *rest)
        return
    thinned = thin(
        _of_tracks(path, columns, tracks),
        len(tracks), len(POWER_STATES), max(1, run.virtual_time_ps), MOST_SLICES,
    )  # fmt: skip
    yield _merged_lines(heads, POWER_STATES, thinned, tracks[thinned.track])
    limits.note_thinned(thinned, total, "power states of links")


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
