"""What matching took, in documents and on the terminal."""

from technique_runs import matching_columns

from kumihimo.results.matching import (
    assertion_remarks,
    assertions_document,
    assertions_sentence,
    matching_document,
    matching_line,
)
from kumihimo.results.summary import AssertionRow

COLUMNS = matching_columns(
    {"time_ps": 10, "arrivals": 3, "posted_depths": [2, 1]},
    {
        "time_ps": 1_500_000,
        "arrivals": 2000,
        "unexpected": 1998,
        "receives": 2000,
        "unexpected_searched": 7,
        "posted_deepest": 2,
        "unexpected_deepest": 1998,
        "posted_depths": [1999, 0, 1],
    },
)


def test_sums_and_the_slowest_rank() -> None:
    document = matching_document(COLUMNS)
    assert document["time_ps"] == 1_500_010
    assert document["arrivals"] == 2003
    assert document["unexpected_searched"] == 7
    assert document["posted_depths"] == [2001, 1, 1]
    assert document["unexpected_depths"] == []
    assert document["slowest_rank"] == 1
    assert document["slowest_rank_unexpected_deepest"] == 1998


def test_the_first_of_equals_is_the_slowest() -> None:
    assert matching_document(matching_columns({}, {}))["slowest_rank"] == 0


def test_a_line_where_it_matters() -> None:
    document = {
        "matching": matching_document(COLUMNS),
        "per_rank": [{"finish_ps": 0}, {"finish_ps": 1_660_000}],
    }
    assert matching_line(document) == (
        "Matching: 1.5 µs of 1.66 µs on rank 1, up to 2 posted receives and 1,998 unexpected "
        "messages; 1,998 of 2,003 messages of all ranks came before their receives"
    )
    call = {"function": "MPI_Recv", "file": "/src/app.c", "line": 7, "time_ps": 1_400_000}
    document["matching"]["slowest_rank_call"] = call
    assert matching_line(document).startswith(
        "Matching: 1.5 µs of 1.66 µs on rank 1, 1.4 µs of it for MPI_Recv at app.c:7, up to 2 "
    )
    document["per_rank"] = [{"finish_ps": 0}, {"finish_ps": 31_000_000}]
    assert matching_line(document) is None


def test_no_line_where_matching_is_free() -> None:
    document = {"matching": matching_document(matching_columns({})), "per_rank": [{"finish_ps": 0}]}
    assert matching_line(document) is None


ASSERTED: list[AssertionRow] = [
    {
        "assertion": "mpi_assert_no_any_tag",
        "receives": 1200,
        "messages": 3,
        "broken": 1,
        "broken_by": ["MPI_Recv", "MPI_Irecv"],
    },
    {
        "assertion": "mpi_assert_exact_length",
        "receives": 2,
        "messages": 0,
        "broken": 0,
        "broken_by": [],
    },
]


def test_broken_assertions_are_named() -> None:
    assert assertion_remarks(ASSERTED) == [
        "the program broke mpi_assert_no_any_tag of its communicators once, in MPI_Irecv, "
        "MPI_Recv; an MPI library may rely on it"
    ]
    assert assertion_remarks([]) == []


def test_assertions_in_a_sentence() -> None:
    found = {"assertions": assertions_document(ASSERTED)}
    assert assertions_sentence(found) == (
        "Communicators with assertions: mpi_assert_no_any_tag: 1,200 receives and 3 messages, "
        "broken once; mpi_assert_exact_length: 2 receives and 0 messages, broken 0 times."
    )
    assert assertions_sentence({}) == ""
