"""Prints requirements that pyproject.toml names, one a line, for `pip install -r`.

Groups: "build" (to build the package), "runtime" (to run it), and each optional one by its name.
"""

import sys
import tomllib
from pathlib import Path


def requirements(pyproject: Path, groups: list[str]) -> list[str]:
    """Return the requirements of `groups`, in the order of the file.

    Raises:
        KeyError: If a group is not in the file.
    """
    table = tomllib.loads(pyproject.read_text())
    known: dict[str, list[str]] = {
        "build": table["build-system"]["requires"],
        "runtime": table["project"]["dependencies"],
        **table["project"]["optional-dependencies"],
    }
    return [line for group in groups for line in known[group]]


if __name__ == "__main__":
    root = Path(__file__).resolve().parent.parent
    print("\n".join(requirements(root / "pyproject.toml", sys.argv[1:])))
