"""The line on common starts and on calls that were scheduled."""

from typing import Any

from kumihimo.results.collectives import collectives_line

STARTS: dict[str, Any] = {
    "rounds": 2,
    "synchronisations": 4,
    "packets": 24,
    "synchronisation_ps": 4 * 232_000,
    "largest_skew_ps": 1000,
    "waits": 32,
    "missed": 0,
    "largest_lateness_ps": 0,
}
LINE = "Synchronisations: 4, 232 ns each, ranks at most 1 ns apart; "


def test_starts_and_instants() -> None:
    assert collectives_line(STARTS) == f"{LINE}0 of 32 steps missed their instant"
    late = {**STARTS, "missed": 3, "largest_lateness_ps": 5000}
    assert collectives_line(late).endswith("3 of 32 steps missed their instant, by at most 5 ns")


def test_nothing_was_scheduled() -> None:
    none = {**STARTS, "synchronisations": 0, "waits": 0}
    functions = {
        "MPI_Alltoall": {
            "scheduled": {"calls": 0, "time_ps": 0, "missed": 0},
            "library": {"shape": {"calls": 4, "time_ps": 9}},
        }
    }
    assert collectives_line({**none, "functions": functions}) == (
        "Synchronisations: 0; 0 of 4 calls of MPI_Alltoall scheduled (not: shape 4)"
    )


def test_calls_of_each_function() -> None:
    functions = {
        "MPI_Alltoall": {
            "scheduled": {"calls": 8000, "time_ps": 1, "missed": 0},
            "library": {"size": {"calls": 4, "time_ps": 9}, "shape": {"calls": 8, "time_ps": 9}},
        },
        "MPI_Bcast": {"scheduled": {"calls": 2, "time_ps": 1, "missed": 0}, "library": {}},
    }
    line = collectives_line({**STARTS, "functions": functions})
    assert line.removeprefix(LINE) == (
        "0 of 32 steps missed their instant; 8,000 of 8,012 calls of MPI_Alltoall scheduled "
        "(not: size 4, shape 8); 2 of 2 calls of MPI_Bcast scheduled"
    )
