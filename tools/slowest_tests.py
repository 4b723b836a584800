"""Prints the slowest tests of the JUnit files that ctest and pytest write."""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SHOWN = 20


def durations(file: Path) -> list[tuple[float, str, str]]:
    """Return seconds, suite and name of each test; the suite is the name of the file."""
    found = []
    for case in ElementTree.parse(file).iter("testcase"):  # noqa: S314
        place, name = case.get("classname", ""), case.get("name", "")
        # ctest gives the name as the class, too.
        full = name if place in ("", name) else f"{place}::{name}"
        found.append((float(case.get("time", "0")), file.stem, full))
    return found


def slowest(files: list[Path], shown: int = SHOWN) -> list[str]:
    """Return a line for each of the slowest tests of all files, the slowest first."""
    found = [duration for file in files for duration in durations(file)]
    found.sort(key=lambda each: (-each[0], *each[1:]))
    return [f"{seconds:8.2f} s  {suite:<6}  {name}" for seconds, suite, name in found[:shown]]


if __name__ == "__main__":
    lines = slowest([Path(name) for name in sys.argv[1:]])
    print(f"The {len(lines)} slowest tests:")
    print("\n".join(lines))
