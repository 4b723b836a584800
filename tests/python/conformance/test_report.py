"""Tables of what agrees and what does not."""

from pathlib import Path

from conformance.judging import Verdict
from conformance.records import Record, Records
from conformance.report import differences, failures, table, write_tables


def pair(name: str, native: Verdict, simulated: Verdict) -> tuple[Record, Record]:
    category = name.split("/")[0]
    return (
        Record(name, category, "native", native, "breaks"),
        Record(name, category, "kumihimo", simulated, "hangs | stops"),
    )


PAIRS = [
    pair("a/good 1", Verdict.PASSED, Verdict.PASSED),
    pair("a/skips 1", Verdict.SKIPPED, Verdict.PASSED),
    pair("a/differs 1", Verdict.PASSED, Verdict.FAILED),
    pair("b/better 2", Verdict.FAILED, Verdict.PASSED),
    pair("b/broken 2", Verdict.NOT_BUILT, Verdict.NOT_BUILT),
]


def test_table() -> None:
    assert table(PAIRS).splitlines()[2:] == [
        "| a | 3 | 3 | 2 | 0 |",
        "| b | 2 | 0 | 0 | 1 |",
        "| **all** | 5 | 3 | 2 | 1 |",
    ]


def test_differences_and_failures_are_named() -> None:
    assert differences(PAIRS).splitlines() == [
        "- `a/differs 1`: natively passed, over Kumihimo hangs \\| stops",
        "- `b/better 2`: natively breaks, over Kumihimo passed",
    ]
    assert failures(PAIRS) == "- `b/broken 2`: natively not built, over Kumihimo not built\n"
    assert differences(PAIRS[:1]) == "None.\n"


def test_tables_go_between_the_marks_of_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- mpich: begin -->\nold\n<!-- mpich: end -->\nafter\n")
    records = Records(tmp_path / "mpich.jsonl")
    for record in PAIRS[0]:
        records.add(record)
    assert write_tables(tmp_path, page) == 0
    text = page.read_text()
    assert "| a | 1 | 1 | 1 | 0 |" in text
    assert text.startswith("before\n<!-- mpich: begin -->\n")
    assert text.endswith("<!-- mpich: end -->\nafter\n")
    assert "old" not in text
    assert write_tables(tmp_path, page) == 0
    assert page.read_text() == text


def test_a_page_without_marks_is_an_error_and_stays(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    records = Records(tmp_path / "mpich.jsonl")
    for record in PAIRS[0]:
        records.add(record)
    assert write_tables(tmp_path, page) == 1
    assert page.read_text() == "nothing\n"
