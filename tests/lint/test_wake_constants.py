"""The constants of the wake planner stand in one table, with the values that they have."""

import re
from collections.abc import Iterator

from sources import ROOT, files, relative

TABLE = ROOT / "docs" / "reference" / "wake-constants.md"
FOLDERS = ("src/mpi/wake/", "src/passes/prewake/")
ROW = re.compile(r"^\| `(k\w+)` \| `([\w/.]+)` \| ([^|]+) \|", re.MULTILINE)
CONSTANT = re.compile(r"\bconstexpr\s+[\w:<>, ]+?\s+(k\w+)(?:\s*=\s*|(?=\{))(\{[^}]*\}|[^;{]+);")
# A number or a list of numbers; other constants are names, or made of these.
NUMBERS = re.compile(r"\{?[\d', <]+\}?")
# Numbers in which there is no choice: what calls return, names of events, the hash's base, and
# what is listed of a remark.
NOT_CHOSEN = {"kTaken", "kRefused", "kPlaces", "kAnyPriority", "kMostListed"}


def constants() -> Iterator[tuple[str, str, str]]:
    """Name, file and value of every number in the planner's folders."""
    for path in files(".cpp", ".hpp"):
        name = relative(path)
        if not name.startswith(FOLDERS) or name.endswith("_test.cpp"):
            continue
        for constant, value in CONSTANT.findall(path.read_text(encoding="utf-8")):
            if constant not in NOT_CHOSEN and NUMBERS.fullmatch(value):
                yield constant, name, value.strip("{}")


def test_the_table_has_all_constants_and_their_values() -> None:
    table = TABLE.read_text(encoding="utf-8")
    rows = {(constant, file, value.strip()) for constant, file, value in ROW.findall(table)}
    assert rows == set(constants())


def test_there_are_constants() -> None:
    assert len(set(constants())) > 20
