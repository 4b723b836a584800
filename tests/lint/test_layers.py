"""Arrows between the folders of src/ go one way: each names the folders it may include."""

import re
from pathlib import Path

from sources import ROOT, files, relative

MAY_INCLUDE: dict[str, set[str]] = {
    "base": set(),
    "engine": {"base"},
    "network": {"base", "engine"},
    "matching": {"base"},
    "transport": {"base", "matching", "wire"},
    "conductor": {"base", "engine", "network"},
    "schedule": {"base", "engine", "network", "conductor"},
    "wire": {"base", "conductor"},
    "provider": {"base", "transport", "matching", "wire", "conductor"},
    "mpi": {"base", "wire", "conductor"},
    "launch": {"base", "conductor"},
    "calibration": {"base"},
    "passes": {"mpi"},  # the list of MPI functions
    "bindings": {"base", "calibration", "network", "conductor", "launch", "schedule"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_]+)/[^"]+"', re.MULTILINE)


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


def test_the_table_has_no_circle() -> None:
    done: set[str] = set()
    waiting = dict(MAY_INCLUDE)
    while waiting:
        ready = [folder for folder, uses in waiting.items() if uses <= done]
        assert ready, f"these folders include each other: {sorted(waiting)}"
        for folder in ready:
            done.add(folder)
            del waiting[folder]


def test_includes_follow_the_arrows() -> None:
    wrong = []
    for path in cxx_sources():
        folder = folder_of(path)
        allowed = MAY_INCLUDE.get(folder, set()) | {folder}
        for used in INCLUDE.findall(path.read_text()):
            if used not in allowed and used in MAY_INCLUDE:
                wrong.append(f"{relative(path)} includes {used}/, {folder} may not")
    assert not wrong, "\n".join(wrong)
