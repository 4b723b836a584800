"""Tables of what agrees and what does not."""

from pathlib import Path

from conformance.judging import Verdict
from conformance.records import Record, Records
from conformance.report import lists, table, write_tables
from conformance.sides import NEEDS_MULTIPLE


def pair(
    name: str, native: Verdict, simulated: Verdict, reason: str = "hangs in `x`"
) -> tuple[Record, Record]:
    def record(side: str, verdict: Verdict, failure: str) -> Record:
        told = failure if verdict is Verdict.FAILED else ""
        return Record(name, name.split("/")[0], side, verdict, told)

    return record("native", native, "breaks"), record("kumihimo", simulated, reason)


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


def test_entries_that_do_not_pass_are_listed_by_what_they_need() -> None:
    spawns = pair("c/spawns 1", Verdict.PASSED, Verdict.FAILED, "its number of processes is fixed")
    threads = pair("c/threads 1", Verdict.PASSED, Verdict.FAILED, f"hangs, having {NEEDS_MULTIPLE}")
    assert lists([*PAIRS, spawns, threads]).splitlines() == [
        "Needs MPI_THREAD_MULTIPLE, which becomes MPI_THREAD_SERIALIZED:",
        "",
        "- `c/threads 1` (over Kumihimo: hangs, having asked for MPI_THREAD_MULTIPLE)",
        "",
        "Passes natively only, for another reason:",
        "",
        "- `a/differs 1` (over Kumihimo: hangs in 'x')",
        "",
        "Passes on neither side:",
        "",
        "- `b/broken 2` (natively: not built; over Kumihimo: not built)",
        "",
        "Passes over Kumihimo only:",
        "",
        "- `b/better 2` (natively: breaks)",
        "",
        "Starts processes, or connects to others:",
        "",
        "- `c/spawns 1` (over Kumihimo: its number of processes is fixed)",
    ]
    other = pair("b/other 2", Verdict.FAILED, Verdict.PASSED)
    assert "- `b/better 2`, `b/other 2` (natively: breaks)" in lists([*PAIRS, other]).splitlines()
    assert lists(PAIRS[:2]) == "Every entry passes on both sides.\n"


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
