"""Arrows between the folders of src/ go one way: each names the folders it may include."""

import re
from collections.abc import Callable
from pathlib import Path

from circles import circle_in
from sources import ROOT, files, relative

MAY_INCLUDE: dict[str, set[str]] = {
    "base": set(),
    "collectives": {"base"},
    "engine": {"base"},
    "network": {"base", "engine"},
    "matching": {"base"},
    "endpoint": {"base", "matching"},
    "transport": {"base", "matching", "endpoint", "conductor"},
    "conductor": {"base", "engine", "matching", "endpoint", "network"},
    "schedule": {
        "base",
        "collectives",
        "conductor",
        "endpoint",
        "engine",
        "matching",
        "network",
    },
    "provider": {"base", "transport", "matching", "conductor"},
    "mpi": {"base", "collectives", "conductor", "endpoint"},
    "launch": {"base", "conductor"},
    "calibration": {"base"},
    "passes": {"mpi"},  # the list of MPI functions
    "bindings": {
        "base",
        "calibration",
        "collectives",
        "network",
        "conductor",
        "endpoint",
        "launch",
        "matching",
        "schedule",
    },
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_]+)/[^"]+"', re.MULTILINE)
INCLUDED_FILE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def folder_of(path: Path) -> str:
    """The folder whose arrows count for a file."""
    parts = path.relative_to(ROOT).parts
    return "bindings" if parts[0] == "python" else parts[1]


def cxx_sources() -> list[Path]:
    """All C and C++ files that the arrows are about."""
    inside = (ROOT / "src", ROOT / "python" / "bindings")
    candidates = files(".cpp", ".hpp", ".h", ".c")
    return [path for path in candidates if any(path.is_relative_to(root) for root in inside)]


def test_there_are_sources() -> None:
    assert cxx_sources()


def test_every_folder_has_a_line_in_the_table() -> None:
    assert {folder_of(path) for path in cxx_sources()} <= MAY_INCLUDE.keys()


def test_the_table_for_readers_is_the_same() -> None:
    rows = re.findall(
        r"^\| `(?:src/|python/)([a-z]+)` \| [^|]* \| ([^|]*) \|$",
        (ROOT / "docs" / "ARCHITECTURE.md").read_text(),
        re.MULTILINE,
    )
    shown = {
        folder: set() if used == "nothing" else set(re.sub(r" \([^)]*\)", "", used).split(", "))
        for folder, used in rows
        if used.strip()
    }
    assert shown == MAY_INCLUDE


def test_the_table_has_no_circle() -> None:
    assert circle_in(MAY_INCLUDE) == []


def test_includes_follow_the_arrows() -> None:
    wrong = []
    for path in cxx_sources():
        folder = folder_of(path)
        allowed = MAY_INCLUDE.get(folder, set()) | {folder}
        for used in INCLUDE.findall(path.read_text()):
            if used not in allowed and used in MAY_INCLUDE:
                wrong.append(f"{relative(path)} includes {used}/, {folder} may not")
    assert not wrong, "\n".join(wrong)


def included_files() -> dict[str, set[str]]:
    """Of each file under src/, by its name from there, those that it includes."""
    source = ROOT / "src"
    paths = [path for path in cxx_sources() if path.is_relative_to(source)]
    return {
        path.relative_to(source).as_posix(): set(INCLUDED_FILE.findall(path.read_text()))
        for path in paths
    }


def merged(uses: dict[str, set[str]], name_of: Callable[[str], str]) -> dict[str, set[str]]:
    """What things use that several of `uses` belong to, without what they use of themselves."""
    found: dict[str, set[str]] = {}
    for name, used in uses.items():
        own = name_of(name)
        found.setdefault(own, set()).update(name_of(other) for other in used)
        found[own].discard(own)
    return found


def test_no_files_include_each_other_in_a_circle() -> None:
    assert not circle_in(included_files()), " includes ".join(circle_in(included_files()))


def test_no_components_need_each_other_in_a_circle() -> None:
    """A component is a header with its source; it can be tested after those that it needs."""
    circle = circle_in(merged(included_files(), lambda name: name.rpartition(".")[0]))
    assert not circle, " needs ".join(circle)


def is_for_tests(name: str) -> bool:
    """Whether it is a test, or a double or an oracle that tests use. These may need any room."""
    return "/testing/" in name or name.endswith(("_test.cpp", "_fuzz.cpp"))


def test_no_rooms_of_a_folder_need_each_other_in_a_circle() -> None:
    """Rooms of one folder, such as network/power and network/routing."""
    files_ = {
        name: used
        for name, used in included_files().items()
        if name.count("/") > 1 and not is_for_tests(name)
    }
    circle = circle_in(merged(files_, lambda name: name.rpartition("/")[0]))
    assert not circle, " needs ".join(circle)


def test_only_tests_use_what_stands_in_testing() -> None:
    wrong = [
        f"{name} includes {other}"
        for name, used in included_files().items()
        for other in used
        if "/testing/" in other and not is_for_tests(name)
    ]
    assert not wrong, "\n".join(wrong)
