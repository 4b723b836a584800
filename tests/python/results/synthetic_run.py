"""Makes what a run hands over: record files and a summary, of a ring or an all-to-all on a star."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from kumihimo.results import HostInfo, RunInfo
from kumihimo.results.records import MESSAGE_KINDS, MESSAGE_RECORD, RANK_STATES, STATE_RECORD
from kumihimo.results.summary import Summary

COMPUTE, COMMUNICATION, WAIT, SLEEP = range(len(RANK_STATES))
EAGER, RENDEZVOUS, CONTROL = (MESSAGE_KINDS.index(k) for k in ("eager", "rendezvous", "control"))

BANDWIDTH_BPS = 5_000_000_000
LATENCY_PS = 100_000
EAGER_LIMIT_BYTES = 64 * 1024
BINS = 100

MESSAGE_FIELDS = ("sequence", "source", "target", "size_bytes", "sent_ps", "arrived_ps",
                  "zero_load_ps", "tag", "kind")  # fmt: skip


@dataclass
class SyntheticRun:
    """What `kumihimo.results.write` is given."""

    info: RunInfo
    summary: Summary
    records: Path
    messages: npt.NDArray[np.void]
    states: npt.NDArray[np.void]


@dataclass
class StarModel:
    """Ranks that send through two links each, kept simple: a link is busy while it sends."""

    ranks: int
    clocks: list[int] = field(init=False)
    free_at: list[int] = field(init=False)
    messages: list[tuple[int, ...]] = field(default_factory=list)
    states: list[tuple[int, ...]] = field(default_factory=list)
    busy: list[tuple[int, int, int]] = field(default_factory=list)
    waits: list[tuple[int, int]] = field(default_factory=list)
    sequences: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.clocks = [0] * self.ranks
        self.free_at = [0] * (2 * self.ranks)
        self.sequences = [0] * self.ranks

    def spend(self, rank: int, state: int, span_ps: int) -> None:
        if span_ps > 0:
            begin = self.clocks[rank]
            self.states.append((begin, begin + span_ps, rank, state))
            self.clocks[rank] = begin + span_ps

    def send(self, source: int, target: int, size: int, tag: int, kind: int) -> int:
        sent = self.clocks[source]
        serialisation = -(-size * 8 * 10**12 // BANDWIDTH_BPS)
        head = sent
        for link in (2 * source, 2 * target + 1):
            start = max(head, self.free_at[link])
            self.waits.append((link, start - head))
            self.busy.append((link, start, serialisation))
            self.free_at[link] = start + serialisation
            head = start + LATENCY_PS
        arrived = head + serialisation
        zero_load = 2 * LATENCY_PS + serialisation
        sequence = self.sequences[source]
        self.sequences[source] += 1
        self.messages.append((sequence, source, target, size, sent, arrived, zero_load, tag, kind))
        return arrived

    def receive(self, rank: int, arrived_ps: int) -> None:
        self.spend(rank, WAIT, arrived_ps - self.clocks[rank])
        self.spend(rank, COMMUNICATION, 500_000)


def ring(ranks: int, rounds: int, size: int = 1024) -> StarModel:
    """Each rank computes, sends to its right and waits for its left."""
    model = StarModel(ranks)
    for step in range(rounds):
        arrivals = []
        for rank in range(ranks):
            model.spend(rank, COMPUTE, 2_000_000 + 300_000 * ((rank * 7 + step * 3) % 11))
            model.spend(rank, COMMUNICATION, 400_000)
            arrivals.append(model.send(rank, (rank + 1) % ranks, size, 7, EAGER))
        for rank in range(ranks):
            model.receive(rank, arrivals[rank - 1])
    return model


def all_to_all(ranks: int, rounds: int, size: int = 4096) -> StarModel:
    """Each rank sends to all others at once; large messages with a request before them."""
    model = StarModel(ranks)
    for step in range(rounds):
        latest = [0] * ranks
        for rank in range(ranks):
            model.spend(rank, COMPUTE, 5_000_000 + 1_000_000 * ((rank + step) % 5))
        for distance in range(1, ranks):
            for rank in range(ranks):
                target = (rank + distance) % ranks
                block = size << ((rank + distance) % 4)
                model.spend(rank, COMMUNICATION, 200_000)
                kind = EAGER
                if block > EAGER_LIMIT_BYTES:
                    model.send(rank, target, 32, 0, CONTROL)
                    kind = RENDEZVOUS
                arrived = model.send(rank, target, block, step, kind)
                latest[target] = max(latest[target], arrived)
        for rank in range(ranks):
            model.receive(rank, latest[rank])
    return model


def finish(
    model: StarModel,
    records: Path,
    *,
    status: str = "complete",
    reason: str | None = None,
    options: dict[str, Any] | None = None,
) -> SyntheticRun:
    """Write the record files and sum up."""
    messages = np.zeros(len(model.messages), MESSAGE_RECORD)
    if model.messages:
        ordered = sorted(model.messages, key=lambda row: (row[5], row[1], row[0]))
        columns = np.array(ordered, dtype=np.int64).T
        for name, column in zip(MESSAGE_FIELDS, columns, strict=True):
            messages[name] = column
    states = np.zeros(len(model.states), STATE_RECORD)
    if model.states:
        columns = np.array(model.states, dtype=np.int64).T
        for name, column in zip(("begin_ps", "end_ps", "rank", "state"), columns, strict=True):
            states[name] = column
    records.mkdir(parents=True, exist_ok=True)
    messages.tofile(records / "messages.bin")
    states.tofile(records / "states.bin")
    info = RunInfo(
        version="0.1.0",
        platform_name="star",
        platform={
            "link.bandwidth": BANDWIDTH_BPS,
            "link.latency": LATENCY_PS,
            "mpi.eager_limit": EAGER_LIMIT_BYTES,
            "topology.hosts": model.ranks,
            "topology.kind": "star",
        },
        options=options or {"compute": "none", "mpi": "mpich", "detail": "full"},
        seed=1,
        program=["./program", "--size", "4096"],
        ranks=model.ranks,
        status="partial" if status == "partial" else "complete",
        reason=reason,
        host=HostInfo(
            wall_seconds=1.25, cpu_seconds=1.5, date="2026-11-21T12:00:00+00:00", host="test"
        ),
    )
    return SyntheticRun(info, _summary(model, messages, states), records, messages, states)


def _summary(
    model: StarModel, messages: npt.NDArray[np.void], states: npt.NDArray[np.void]
) -> Summary:
    virtual_time_ps = max(model.clocks, default=0)
    control = messages["kind"] == CONTROL
    spans = states["end_ps"] - states["begin_ps"]
    summary = {
        "virtual_time_ps": virtual_time_ps,
        "events": 3 * len(messages),
        "event_hash": f"{int(messages['arrived_ps'].sum()) % 2**64:016x}",
        "messages": int((~control).sum()),
        "bytes": int(messages["size_bytes"][~control].sum()),
        "control_messages": int(control.sum()),
        "control_bytes": int(messages["size_bytes"][control].sum()),
        "handovers": [3 + rank for rank in range(model.ranks)],
        "ranks": [
            _rank_row(model, rank, messages[~control], states, spans) for rank in range(model.ranks)
        ],
        "links": _link_rows(model),
        "link_use": _link_use(model, virtual_time_ps),
    }
    return cast("Summary", summary)


def _rank_row(
    model: StarModel,
    rank: int,
    messages: npt.NDArray[np.void],
    states: npt.NDArray[np.void],
    spans: npt.NDArray[np.int64],
) -> dict[str, int]:
    own = states["rank"] == rank
    sent, received = messages["source"] == rank, messages["target"] == rank
    row = {"rank": rank, "host": rank, "finish_ps": model.clocks[rank]}
    # No rank of these sleeps; the totals have no column for it.
    for state, name in enumerate(RANK_STATES[:SLEEP]):
        row[f"{name}_ps"] = int(spans[own & (states["state"] == state)].sum())
    for word, chosen in (("sent", sent), ("received", received)):
        row[f"messages_{word}"] = int(chosen.sum())
        row[f"bytes_{word}"] = int(messages["size_bytes"][chosen].sum())
    return row


def _link_rows(model: StarModel) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for link in range(2 * model.ranks):
        host, switch = f"host{link // 2}", "switch0"
        source, target = (switch, host) if link % 2 else (host, switch)
        rows.append({"link": link, "name": f"{source}->{target}",
                     "source": source, "target": target, "bandwidth_bps": BANDWIDTH_BPS,
                     "bytes": 0, "packets": 0, "busy_ps": 0,
                     "queue_wait_ps": 0, "longest_wait_ps": 0, "credit_wait_ps": 0})  # fmt: skip
    for link, _, span in model.busy:
        rows[link]["busy_ps"] += span
        rows[link]["packets"] += 1
        rows[link]["bytes"] += span * BANDWIDTH_BPS // (8 * 10**12)
    for link, wait in model.waits:
        rows[link]["queue_wait_ps"] += wait
        rows[link]["longest_wait_ps"] = max(rows[link]["longest_wait_ps"], wait)
    return rows


def _link_use(model: StarModel, virtual_time_ps: int) -> dict[str, Any]:
    bin_ps = max(1, -(-virtual_time_ps // BINS))
    bins = [[0] * BINS for _ in range(2 * model.ranks)]
    for link, start, span in model.busy:
        position, end = start, start + span
        while position < end:
            index = min(position // bin_ps, BINS - 1)
            step = (
                end - position if index == BINS - 1 else min(end, (index + 1) * bin_ps) - position
            )
            bins[link][index] += step
            position += step
    busy_ps = np.array(bins, dtype=np.int64).tobytes()
    return {"bin_ps": bin_ps, "bins": BINS, "busy_ps": busy_ps}
