"""What the study of scheduled collective operations says of its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo.results import display
from kumihimo.study.collectives.figures import MPI_NAMES
from kumihimo.study.collectives.programs import LIBRARY, SCHEDULED
from kumihimo.study.collectives.schemes import CLOCK, EAGER, EVERY_STEP, RENDEZVOUS, START
from kumihimo.study.contents import Line, Numbers

Row = Mapping[str, Any]


def _of(rows: Sequence[Row], **wanted: Any) -> list[Row]:  # noqa: ANN401
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def _largest(rows: Sequence[Row]) -> tuple[list[Row], str]:
    """Return the rows of the largest torus, and its name."""
    side = max(row["side"] for row in rows)
    return _of(rows, side=side), f"{side} x {side} x {side}"


def _over_start(rows: Sequence[Row], protocol: str) -> list[tuple[int, int, float]]:
    """Return what `clock` takes more than `start`: block, ps, and as a share."""
    found = []
    for clock in _of(rows, scheme=CLOCK, protocol=protocol):
        block = clock["block_bytes"]
        for start in _of(rows, scheme=START, protocol=protocol, block_bytes=block):
            more_ps = clock["virtual_time_ps"] - start["virtual_time_ps"]
            found.append((block, more_ps, more_ps / start["virtual_time_ps"]))
    return sorted(found)


def _compared(rows: Sequence[Row], protocol: str) -> str:
    """Return how much more or less `clock` takes than `start`, for each size of blocks."""
    return ", ".join(
        f"{share:+.1%} with {display.format_bytes(block)}"
        for block, _, share in _over_start(rows, protocol)
    )


def _deviation(rows: Sequence[Row]) -> tuple[int, float]:
    """Return how many rows have a closed form, and the largest deviation from it."""
    found = [abs(row["deviation"]) for row in rows if row["deviation"] is not None]
    return len(found), max(found)


def _saved(rows: Sequence[Row]) -> str:
    """Return what `clock` takes less than `every_step`: a time, or the least and the most."""
    found = sorted({row["saved_ps"] for row in _of(rows, scheme=CLOCK)})
    return " to ".join(display.format_time(each) for each in dict.fromkeys((found[0], found[-1])))


def paper_lines(rows: Sequence[Row]) -> list[Line]:
    """Return the publication compared with what was found."""
    largest, name = _largest(rows)
    clocks = _of(largest, scheme=CLOCK)
    count, deviation = _deviation(rows)
    steps = _of(largest, scheme=EVERY_STEP)[0]["synchronisations"]
    synchronisations = sorted({row["synchronisation_ps"] for row in clocks})
    return [
        Line(
            "a synchronisation",
            "928 ns on 16 x 16 x 16",
            f"{' to '.join(map(display.format_time, synchronisations))} on {name}",
            "Half way round each ring: 8 (21 + 25 + 70) ns with rings of 16.",
            Numbers(928, max(synchronisations) / 1000, "ns"),
        ),
        Line(
            "packets of a rank for it",
            "45 on 16 x 16 x 16",
            f"{' to '.join(map(str, sorted({row['packets'] for row in clocks})))} on {name}",
            f"One to each other rank of a ring, one dimension after the other, in place of "
            f"{largest[0]['ranks'] - 1:,}.",
            Numbers(45, max(row["packets"] for row in clocks), "packets"),
        ),
        Line(
            "proposed, blocks of m bytes",
            "0.928 + 2.426 + 1.92 m µs on 16 x 16 x 16, from its description",
            f"at most {deviation:.4%} from the closed form in {count} runs",
            "Synchronisation, hops, and links. No two messages of a step share a link, and each "
            "step begins when the longest message of the one before has arrived.",
            Numbers(None, deviation, "of the time by the closed form"),
        ),
        Line(
            "proposed, less than conventional 1",
            "about 24 µs at every size, on 16 x 16 x 16",
            f"{_saved(largest)} at every size, on {name}",
            f"It saves {steps - 1} of {steps} synchronisations. 24 µs for 14 of them are 1.71 µs "
            "each, in place of 928 ns; the publication does not state what else one costs.",
            Numbers(24, max(row["saved_ps"] for row in clocks) / 1_000_000, "µs"),
        ),
        Line(
            "proposed, compared with conventional 2, eager",
            "less",
            f"{_compared(largest, EAGER)}, on {name}",
            "All blocks have one size. A rank with a short path then goes on at once and hardly "
            "meets others, where the clock waits for the longest path.",
        ),
        Line(
            "proposed, compared with conventional 2, rendezvous",
            "less",
            f"{_compared(largest, RENDEZVOUS)}, on {name}",
            "Without the clock, requests and answers wait behind data of other steps. On rings of "
            "4 and 8, where at most one step goes 4 hops in each phase, that costs less than the "
            "clock's waiting for the longest path.",
        ),
    ]


def schemes_findings(rows: Sequence[Row]) -> list[str]:
    """Return what schedules show."""
    largest, name = _largest(rows)
    count, deviation = _deviation(rows)
    missed = sum(row["missed_steps"] for row in rows)
    return [
        f"{count} runs of every_step and clock deviate from the closed form by at most "
        f"{deviation:.4%}; {missed:,} steps missed their instant.",
        f"On {name} the clock takes {_saved(largest)} less than a synchronisation before each "
        f"step, with every size of blocks and either protocol.",
        f"Compared with one synchronisation at the start, the clock takes "
        f"{_compared(largest, EAGER)} where messages are eager, and "
        f"{_compared(largest, RENDEZVOUS)} with rendezvous.",
    ]


def programs_findings(rows: Sequence[Row]) -> list[str]:
    """Return, for each program, library and overhead, whether scheduled operations are better."""
    found = []
    for program in dict.fromkeys(row["program"] for row in rows):
        for overhead_ns in dict.fromkeys(row["overhead_ns"] for row in rows):
            cases = _of(rows, program=program, overhead_ns=overhead_ns)
            texts = [
                f"{of_mpi} {_better(library, scheduled)}"
                for library in _of(cases, mode=LIBRARY)
                for scheduled in _of(
                    cases, mode=SCHEDULED, mpi=library["mpi"], **{"class": library["class"]}
                )
                for of_mpi in [f"class {library['class']} with {MPI_NAMES[library['mpi']]}"]
            ]
            found.append(
                f"{program}, overheads of {overhead_ns} ns, scheduled in place of the library's "
                f"own: {'; '.join(texts)}. {_reason(program, cases)}"
            )
    verified = sum(row["verified"] for row in rows)
    left = sum(row["library_calls"] or 0 for row in rows)
    missed, steps = (sum(row[key] or 0 for row in rows) for key in ("missed_steps", "timed_steps"))
    late_ps = max(row["largest_lateness_ps"] or 0 for row in rows)
    found.append(
        f"{verified} of {len(rows)} runs of programs verified their results. {left:,} calls were "
        f"left to the library, and {missed:,} of {steps:,} steps missed their instant, by "
        f"at most {late_ps} ps."
    )
    together = [
        abs(row["alltoall_ps"] / row["expected_alltoall_ps"] - 1)
        for row in _of(rows, program="FT", mode=SCHEDULED)
    ]
    found.append(
        f"Calls of MPI_Alltoall in FT, whose ranks compute for the same time, take the time of the "
        f"closed form to within {max(together):.4%}."
    )
    return found


def _better(library: Row, scheduled: Row) -> str:
    ratio = scheduled["virtual_time_ps"] / library["virtual_time_ps"]
    inside = scheduled["collectives_ps"] / library["collectives_ps"]
    return f"{ratio - 1:+.1%} (in collectives {inside:.2f} times)"


def _reason(program: str, cases: Sequence[Row]) -> str:
    scheduled = _of(cases, mode=SCHEDULED)[0]
    if program == "FT":
        ratio = scheduled["bytes"] / _of(cases, mode=LIBRARY)[0]["bytes"]
        fewer = _of(cases, mode=LIBRARY)[0]["messages"] / scheduled["messages"]
        return (
            f"Blocks are passed on: there are {fewer:.1f} times fewer messages, with {ratio:.1f} "
            "times the bytes."
        )
    share = scheduled["alltoallv_ps"] * scheduled["alltoallv_calls"] / scheduled["scheduled_ps"]
    return (
        f"MPI_Alltoallv has {share:.0%} of the time in scheduled calls: its 63 messages go one "
        "after the other, each with the time of the largest."
    )
