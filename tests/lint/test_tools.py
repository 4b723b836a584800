"""Formatters and linters, run as tests so that they are not forgotten."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from sources import ROOT, files


def tool(name: str) -> str:
    """The path of a tool in this virtual environment, else in PATH."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"{name} is missing: run `make test` once, it installs the tools"
    return found


def check(command: Sequence[str | Path], folder: Path = ROOT) -> None:
    """Run a tool in a folder and fail with what it printed."""
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"{finished.stdout}{finished.stderr}"


def test_clang_format() -> None:
    sources = files(".cpp", ".hpp", ".c", ".h")
    check([tool("clang-format"), "--dry-run", "-Werror", *sources])


def test_cmake_format() -> None:
    check([tool("gersemi"), "--check", *files("CMakeLists.txt", ".cmake")])


def test_ruff() -> None:
    check([tool("ruff"), "check", "."])


def test_python_format() -> None:
    check([tool("ruff"), "format", "--check", "."])


def test_mypy_package() -> None:
    check([tool("mypy"), "python/kumihimo", "tools"])


@pytest.mark.parametrize(
    "folder",
    ["tests/helpers", "tests/lint", "tests/rtl", "tests/system", "tests/torture", "bench"],
)
def test_mypy_scripts(folder: str) -> None:
    """Folders whose files import one another by their bare names."""
    scripts = sorted((ROOT / folder).glob("*.py"))
    check([tool("mypy"), "--config-file", ROOT / "pyproject.toml", *scripts], ROOT / folder)


def test_shellcheck() -> None:
    check([tool("shellcheck"), *files(".sh"), ROOT / ".ci" / "run"])
