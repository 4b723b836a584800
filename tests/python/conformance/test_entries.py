"""Lists of tests, as MPICH's suite has them."""

from pathlib import Path

import pytest

from conformance.entries import DEFAULT_LIMIT_S, Entry, ListError, read_lists


@pytest.fixture
def suite(tmp_path: Path) -> tuple[Path, Path]:
    """The folders of an empty suite: what was built, and its sources."""
    build, sources = tmp_path / "build", tmp_path / "sources"
    for top in (build, sources):
        (top / "one" / "inner").mkdir(parents=True)
    return build, sources


def read(suite: tuple[Path, Path], *names: str) -> list[Entry]:
    return read_lists(*suite, names or ("testlist",))


def test_folders_are_read_in_order_and_comments_are_passed_over(suite: tuple[Path, Path]) -> None:
    build, sources = suite
    (sources / "testlist").write_text("# all\none\n#two\nlast 1\n")
    (build / "one" / "testlist").write_text("!../util:all\nhello 4\ninner # deeper\n\n")
    (sources / "one" / "inner" / "testlist").write_text("deep\n")
    assert [entry.name for entry in read(suite)] == ["one/hello 4", "one/inner/deep 2", "/last 1"]


def test_what_was_configured_goes_before_the_sources(suite: tuple[Path, Path]) -> None:
    build, sources = suite
    (sources / "testlist").write_text("old 1\n")
    (build / "testlist").write_text("new 1\n")
    assert [entry.program for entry in read(suite)] == ["new"]


def test_options(suite: tuple[Path, Path]) -> None:
    build, _ = suite
    (build / "testlist").write_text(
        "one/prog 3 arg=-count=10 arg=x env=A=b=c env=D=1 mpiexecarg=-q resultTest=TestStatus "
        "timeLimit=20 strict=false -stray\n"
    )
    assert read(suite) == [
        Entry(
            folder="/one",
            program="prog",
            ranks=3,
            arguments=("-count=10", "x"),
            environment=("A=b=c", "D=1"),
            launcher_arguments=("-q",),
            result_test="TestStatus",
            limit_s=20,
        )
    ]


def test_entries_that_are_left_out_say_why(suite: tuple[Path, Path]) -> None:
    build, _ = suite
    (build / "testlist").write_text(
        "a 1 xfail=ticket1\nb 1 hasgpu=cuda\nc 1 mem=9.5\nd 1 mem=2\ne 1 timeLimit=none\n"
    )
    entries = read(suite)
    assert [entry.left_out for entry in entries] == [
        "expected to fail: ticket1",
        "needs a GPU",
        "needs 9.5 GB of memory",
        "",
        "",
    ]
    assert entries[4].limit_s == DEFAULT_LIMIT_S


def test_entries_that_are_named_twice_are_run_once(suite: tuple[Path, Path]) -> None:
    build, _ = suite
    (build / "testlist").write_text("a 1\na 2\n")
    (build / "testlist.more").write_text("a 1\na 1 arg=x\n")
    names = [entry.name for entry in read(suite, "testlist", "testlist.more")]
    assert names == ["/a 1", "/a 2", "/a 1 x"]


def test_a_number_of_processes_that_is_none_is_an_error(suite: tuple[Path, Path]) -> None:
    build, _ = suite
    (build / "testlist").write_text("a 1\nb two\n")
    with pytest.raises(ListError, match=r"testlist:2: expected a number of processes.*'two'"):
        read(suite)


def test_a_suite_without_a_list_is_an_error(suite: tuple[Path, Path]) -> None:
    with pytest.raises(ListError, match="expected a file testlist"):
        read(suite)
