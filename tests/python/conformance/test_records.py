"""Records that survive an interruption."""

from pathlib import Path

import pytest

from conformance.comparing import Again, Case, compare
from conformance.judging import Judgement, Verdict
from conformance.records import Record, Records
from conformance.running import Finished
from conformance.sides import NATIVE, Side, kumihimo

SIDES = (NATIVE, kumihimo(Path("star.toml")))


class Suite:
    """Cases whose verdicts are given, and which were run."""

    def __init__(self, good: dict[tuple[str, str], bool]) -> None:
        self.good = good
        self.runs: list[tuple[str, str]] = []

    def cases(self) -> list[Case]:
        names = dict.fromkeys(name for name, _ in self.good)
        return [Case(name, "all", lambda side, name=name: self.run(name, side)) for name in names]

    def run(self, name: str, side: Side) -> tuple[Judgement, Finished | None]:
        self.runs.append((name, side.name))
        if self.good[name, side.name]:
            return Judgement(Verdict.PASSED), Finished(0, "No Errors\n", "", 0.5)
        return Judgement(Verdict.FAILED, "breaks"), Finished(1, "", "", 0.5)


@pytest.fixture
def suite() -> Suite:
    """One that passes on both sides, one that differs, one that fails on both."""
    names = {"same": (True, True), "other": (True, False), "broken": (False, False)}
    return Suite(
        {
            (name, side.name): good
            for name, verdicts in names.items()
            for side, good in zip(SIDES, verdicts, strict=True)
        }
    )


def test_what_has_a_record_is_not_run_again(suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    compare(suite.cases(), SIDES, Records(path), 2, Again.NONE)
    assert sorted(suite.runs) == sorted(suite.good)
    suite.runs.clear()
    compare(suite.cases(), SIDES, Records(path), 2, Again.NONE)
    assert suite.runs == []


@pytest.mark.parametrize(
    ("again", "names"),
    [
        (Again.DIFFERENT, {("other", "native"), ("other", "kumihimo")}),
        (Again.FAILED, {("other", "kumihimo"), ("broken", "native"), ("broken", "kumihimo")}),
    ],
)
def test_what_is_asked_for_is_run_again(
    suite: Suite, tmp_path: Path, again: Again, names: set[tuple[str, str]]
) -> None:
    records = Records(tmp_path / "records.jsonl")
    compare(suite.cases(), SIDES, records, 2, Again.NONE)
    suite.runs.clear()
    compare(suite.cases(), SIDES, records, 1, again)
    assert set(suite.runs) == names


def test_the_last_record_counts(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    records = Records(path)
    records.add(Record("a 1", "a", "native", Verdict.FAILED))
    records.add(Record("a 1", "a", "native", Verdict.PASSED))
    read = Records(path).find("a 1", "native")
    assert read is not None
    assert read.is_good


def test_a_line_that_was_cut_off_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    Records(path).add(Record("a 1", "a", "native", Verdict.PASSED))
    with path.open("a") as file:
        file.write('{"entry": "b 1", "categ')
    records = Records(path)
    assert records.find("b 1", "native") is None
    records.add(Record("b 1", "a", "native", Verdict.PASSED))
    assert Records(path).find("b 1", "native") == Record("b 1", "a", "native", Verdict.PASSED)


def test_a_damaged_line_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("nonsense\n{}\n")
    with pytest.raises(ValueError, match=r"records.jsonl:1: expected a record"):
        Records(path)
