"""What matching took, in documents and on the terminal."""

from technique_runs import matching_columns

from kumihimo.results.matching import matching_document, matching_line

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
    document["per_rank"] = [{"finish_ps": 0}, {"finish_ps": 31_000_000}]
    assert matching_line(document) is None


def test_no_line_where_matching_is_free() -> None:
    document = {"matching": matching_document(matching_columns({})), "per_rank": [{"finish_ps": 0}]}
    assert matching_line(document) is None
