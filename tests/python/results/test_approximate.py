"""The part "approximate" of a result."""

from kumihimo.results.approximate import (
    approximate_document,
    approximate_line,
    bits_of_functions,
)
from kumihimo.results.summary import Approximate

FOUND: Approximate = {
    "elements": {
        "float": {"messages": 2, "bytes": 80, "wrong_bits": [0, 1, 4], "nan": 1, "inf": 0,
                  "restored": 2},
        "double": {"messages": 1, "bytes": 800, "wrong_bits": [0, 2], "nan": 0, "inf": 3,
                   "restored": 0},
    },
    "functions": {
        "MPI_Send": {"messages": 3, "bytes": 880, "wrong_bits": 7,
                     "by_datatype": {"float": [0, 1, 4], "double": [0, 2]}},
    },
    "rules": [{"messages": 1, "bytes": 40}],
    "by_source": {"messages": 2, "bytes": 840},
    "unprotectable": {"messages": 4, "bytes": 32},
    "without_noise": {"messages": 0, "bytes": 0},
    "unruled": {"messages": 5, "bytes": 5},
    "unclassified": {"messages": 6, "bytes": 60},
    "corrupted_messages": 2,
    "payload_bytes": 880,
    "link_bytes": 935,
    "saved_ps": 1_320,
}  # fmt: skip


def test_sums_are_those_of_datatypes() -> None:
    document = approximate_document(FOUND)
    assert (document["messages"], document["bytes"]) == (3, 880)
    assert (document["wrong_bits"], document["nan"], document["inf"]) == (7, 1, 3)
    assert document["restored"] == 2
    assert list(bits_of_functions(document)) == [
        ("MPI_Send", "float", 0, 4),
        ("MPI_Send", "float", 1, 1),
        ("MPI_Send", "float", 2, 0),
        ("MPI_Send", "double", 0, 2),
        ("MPI_Send", "double", 1, 0),
    ]
    assert document["by_rule"] == [{"messages": 1, "bytes": 40}]
    assert document["by_source"] == {"messages": 2, "bytes": 840}
    assert document["unprotectable"] == {"messages": 4, "bytes": 32}


def test_the_line_says_what_was_exact_and_why() -> None:
    line = approximate_line({"approximate": approximate_document(FOUND)})
    assert line == (
        "Approximate: 3 messages (880 B), 7 wrong bits in 2 of them, 1 NaN, 3 infinite, "
        "2 exponents restored; 2 by the program's word; 1.32 ns less on links than fully "
        "protected; exact: 5 without a rule that allows errors, 6 of unknown type, 4 on links that "
        "protect no bits"
    )
