"""Decisions: each has a status, and whatever names one by its number names one that there is."""

import re
from pathlib import Path

from sources import ROOT, files, relative

FOLDER = ROOT / "docs" / "adr"
STATUS = re.compile(r"^Status: (?:accepted|superseded by (\d+))(?:, amended by (\d+))?$", re.M)
NAMED = re.compile(r"\b(?:ADRs?|[Dd]ecisions?)\s+(\d{1,4}(?:(?:,| and| or)\s+\d{1,4})*)\b")
PATH = re.compile(r"\badr/(\d{4})\b")
SUFFIXES = (".cpp", ".hpp", ".c", ".h", ".py", ".f90", ".sh", ".cmake", ".md", ".toml", ".sv")


def pages() -> dict[int, Path]:
    """The page of each decision, by its number."""
    return {int(path.name[:4]): path for path in sorted(FOLDER.glob("*.md"))}


def named(text: str) -> set[int]:
    """The numbers of all decisions that a text names."""
    numbers = [number for match in NAMED.findall(text) for number in re.findall(r"\d+", match)]
    return {int(number) for number in numbers + PATH.findall(text)}


def test_every_decision_has_a_number_of_its_own_in_its_title() -> None:
    paths = sorted(FOLDER.glob("*.md"))
    assert len(pages()) == len(paths)
    wrong = [path.name for path in paths if f"# {int(path.name[:4])}. " not in path.read_text()]
    assert not wrong


def test_every_decision_has_a_status() -> None:
    known = pages()
    wrong = []
    for path in known.values():
        found = STATUS.findall("\n".join(path.read_text(encoding="utf-8").splitlines()[:4]))
        others = {int(number) for number in sum(found, ()) if number}
        if len(found) != 1 or not others <= known.keys():
            wrong.append(path.name)
    assert not wrong


def test_every_decision_that_is_named_exists() -> None:
    known = pages().keys()
    wrong = {
        relative(path): sorted(missing)
        for path in files(*SUFFIXES)
        if path != Path(__file__) and (missing := named(path.read_text(encoding="utf-8")) - known)
    }
    assert not wrong


def test_numbers_are_found_however_they_are_written() -> None:
    text = "ADR 1, [decision\n2](adr/0003-x.md), decisions 4, 5 and 6, docs/adr/0007"
    assert named(text) == {1, 2, 3, 4, 5, 6, 7}
