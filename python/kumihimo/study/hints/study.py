"""What `kumihimo study hints` runs, and what it says of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kumihimo.errors import UserError
from kumihimo.results import display
from kumihimo.study.campaign import Campaign
from kumihimo.study.contents import Contents, Line, Numbers, StudyTable
from kumihimo.study.hints import benchmark, cap, regret
from kumihimo.study.hints.figures import connections_figure, shift_figure

Row = Mapping[str, Any]

_INTRODUCTION = (
    "Ranks call a collective operation of 64 B ten times, and then shift 10 KB round a ring many "
    "times; the hint IN_KERNEL stands around the shifts. The publication is that of the HINT "
    "function for communication libraries, measured on 128 nodes with InfiniBand FDR and a changed "
    "MVAPICH2. Here MPICH runs unmodified over a described network, with connections and datagrams "
    "as docs/services.md has them.",
    "Memory is that of connections and of the pool of datagrams; a process's own, which is always "
    "the same, is left out. A shift takes the difference of two runs with different numbers of "
    "shifts, divided by that of shifts.",
)
_BENCHMARK_COLUMNS = {
    "collective": ("collective", "{}".format),
    "ranks": ("ranks", "{:,}".format),
    "service": ("service", "{}".format),
    "messages_before": ("messages before a connection", "{:,}".format),
    "memory_bytes": ("memory of a rank (B)", "{:,}".format),
    "expected_memory_bytes": ("by closed form", "{:,}".format),
    "connections": ("connections of a rank", "{:,}".format),
    "expected_connections": ("by closed form", "{:,}".format),
    "shift_ps": ("shift (ps)", "{:,.0f}".format),
    "expected_shift_ps": ("by closed form", "{:,}".format),
}
_CAP_COLUMNS = {
    "ranks": ("ranks", "{:,}".format),
    "distance": ("distance of shifts", "{:,}".format),
    "service": ("service", "{}".format),
    "connection_cap": ("cap", "{:,}".format),
    "connections": ("connections of a rank", "{:,}".format),
    "refused": ("refused", "{:,}".format),
    "memory_bytes": ("memory of a rank (B)", "{:,}".format),
    "shift_ps": ("shift (ps)", "{:,.0f}".format),
}

_REGRET_COLUMNS = {
    "program": ("program", "{}".format),
    "ranks": ("ranks", "{:,}".format),
    "connection_cap": ("cap", "{:,}".format),
    "service": ("service", "{}".format),
    "connections": ("connections of a rank", "{:,}".format),
    "refused": ("refused", "{:,}".format),
    "memory_bytes": ("memory of a rank (B)", "{:,}".format),
    "virtual_time_ps": ("virtual time (ps)", "{:,}".format),
    "regret": ("regret", "{:.2%}".format),
}


def find(campaign: Campaign, source: Path, quick: bool) -> Contents:
    """Run the study.

    Raises:
        UserError: If it cannot be run, or gave too little.
    """
    extent = benchmark.QUICK if quick else benchmark.FULL
    rows = benchmark.run_benchmark(campaign, source, extent)
    capped = cap.run_cap(campaign, source, cap.QUICK if quick else cap.FULL)
    numbers = cap.QUICK_PROCESSES if quick else cap.FULL_PROCESSES
    processes = cap.run_cap_as_processes(campaign, source, numbers)
    lost = regret.run_regret(campaign, source, regret.QUICK if quick else regret.FULL)
    if not rows or not capped or not processes or not lost:
        raise UserError(f"too few points have ended: see the sweeps in {campaign.folder}")
    return Contents(
        title="Connections where the program says they matter",
        introduction=_INTRODUCTION,
        summary=[*_findings(rows, capped), _regret_text(lost)],
        lines=_lines(rows, capped),
        tables=(
            StudyTable("benchmark", "The benchmark, as processes", rows, _BENCHMARK_COLUMNS),
            StudyTable("cap", "Where the cap binds, as schedules", capped, _CAP_COLUMNS),
            StudyTable("cap_processes", "The same as processes", processes, _CAP_COLUMNS),
            StudyTable("regret", "Regret against an oracle", lost, _REGRET_COLUMNS),
        ),
        figures=(connections_figure(rows), shift_figure(capped)),
        failed=campaign.status != 0,
    )


def _of(rows: Sequence[Row], **wanted: Any) -> list[Row]:  # noqa: ANN401
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def _memories(rows: Sequence[Row], service: str) -> str:
    """Return the memory of a rank from the fewest ranks to the most, for each collective."""
    texts = []
    for collective in dict.fromkeys(row["collective"] for row in rows):
        found = _of(rows, collective=collective, service=service)
        few, many = (pick(found, key=lambda row: row["ranks"]) for pick in (min, max))
        small, large = (display.format_bytes(row["memory_bytes"]) for row in (few, many))
        texts.append(f"{collective}: {small if small == large else f'{small} to {large}'}")
    ranks = sorted({row["ranks"] for row in rows})
    return f"{ranks[0]} to {ranks[-1]} ranks. {'; '.join(texts)}"


def _mean_shift(rows: Sequence[Row], service: str) -> float:
    found = [row["shift_ps"] for row in _of(rows, service=service)]
    return float(sum(found)) / len(found)


def _deviation(rows: Sequence[Row]) -> float:
    return max(abs(float(row["shift_ps"]) / float(row["expected_shift_ps"]) - 1) for row in rows)


def _exact(rows: Sequence[Row]) -> int:
    return sum(
        row["memory_bytes"] == row["expected_memory_bytes"]
        and row["connections"] == row["expected_connections"]
        for row in rows
    )


def _lines(rows: Sequence[Row], capped: Sequence[Row]) -> list[Line]:
    ratio = _mean_shift(rows, "ud") / _mean_shift(rows, "rc")
    others = [_mean_shift(rows, name) / _mean_shift(rows, "rc") for name in ("hybrid", "hint")]
    return [
        Line(
            "memory, connections only",
            "smallest for few processes, and growing",
            _memories(rows, "rc"),
            "A rank has a connection for each peer. Recursive doubling has O(log P) peers, as has "
            "Bruck's algorithm, which MPICH takes for an Alltoall of 64 B; the scattered one has "
            "P - 1, as in the publication.",
        ),
        Line(
            "memory, datagrams only",
            "constant",
            _memories(rows, "ud"),
            "The pool serves all peers.",
        ),
        Line("memory, HYBRID", "growing", _memories(rows, "hybrid"), "The pool and connections."),
        Line(
            "memory, HINT",
            "constant, as with datagrams only",
            _memories(rows, "hint"),
            "The pool and two connections, to the neighbours in the ring.",
        ),
        Line(
            "time of a shift by datagrams, of that by connections",
            "about 1.5",
            f"{ratio:.3f}",
            "Five packets at either end. The time of a packet was chosen so that this comes out.",
            Numbers(1.5, ratio, "ratio"),
        ),
        Line(
            "time of a shift, HYBRID and HINT",
            "as by connections",
            " and ".join(f"{each:.3f}" for each in others),
            "Both have connections to the neighbours, whatever the limit of messages.",
            Numbers(1, max(others), "ratio"),
        ),
        Line(
            "HYBRID where the cap binds",
            "expected to lose; not seen at 128 nodes",
            _loss_text(capped),
            "HYBRID gives its connections to the first peers of the all-to-all. The next rank is "
            "the very first of them, so that shifts round the ring find a connection; those to "
            "ranks far away do not. HINT has one for them in both cases.",
        ),
    ]


def _loss_text(capped: Sequence[Row]) -> str:
    ranks = max(row["ranks"] for row in capped)
    texts = []
    for words, near in (("next rank", True), ("far away", False)):
        of_ranks = [row for row in capped if row["ranks"] == ranks]
        found = [row for row in of_ranks if (row["distance"] == 1) == near]
        by_rc = _of(found, service="hint")[0]["shift_ps"]
        texts.append(f"{words}: {_of(found, service='hybrid')[0]['shift_ps'] / by_rc:.3f} of HINT")
    return f"{ranks:,} ranks, a shift to the {texts[0]}; {texts[1]}"


def _findings(rows: Sequence[Row], capped: Sequence[Row]) -> list[str]:
    most = max(row["ranks"] for row in capped)
    far = [row for row in capped if row["ranks"] == most and row["distance"] != 1]
    hybrid, hint = (_of(far, service=name)[0] for name in ("hybrid", "hint"))
    loss = hybrid["shift_ps"] / hint["shift_ps"]
    least = display.format_bytes(hint["memory_bytes"])
    largest = display.format_bytes(hybrid["memory_bytes"])
    return [
        f"With {most:,} ranks and {hint['connection_cap']} connections each, shifts to ranks far "
        f"away take {loss:.3f} times as long with HYBRID as with HINT, which takes {least} of a "
        f"rank's memory in place of {largest}.",
        f"Memory and connections of {_exact(rows)} of {len(rows)} runs are those of the closed "
        f"forms, to the byte. Shifts deviate from theirs by {100 * _deviation(rows):.4f} %.",
        "With HINT a rank has two connections, for any number of ranks and any collective "
        "operation outside of the kernel.",
    ]


def _regret_text(lost: Sequence[Row]) -> str:
    texts = []
    for service in ("hybrid", *regret.WITH_HINTS):
        found = _of(lost, service=service)
        if not found:
            continue
        least, most = (pick(found, key=lambda row: row["regret"]) for pick in (min, max))
        texts.append(
            f"{service.upper()} takes {100 * least['regret']:+.2f} % ({least['program']}) to "
            f"{100 * most['regret']:+.2f} % ({most['program']}) more time"
        )
    return (
        f"Compared with an oracle that knows all messages ahead, with {lost[0]['ranks']} ranks and "
        f"{lost[0]['connection_cap']} connections each, {', and '.join(texts)}."
    )
