"""Pages of Start and How-to, and virtual time: their files are there, their commands print that."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from jobs import BIN, ROOT
from slurm_cluster import slurm_cluster

DOCS = ROOT / "docs"
FOLDERS = ("start", "how-to")
PAGES = sorted(page for folder in FOLDERS for page in (DOCS / folder).glob("*.md"))
PAGES.append(DOCS / "virtual-time.md")
FILES = ROOT / "examples" / "tutorial"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# The cost of the simulation stands next to its findings.
COSTS = re.compile(r"\s+(Wall time|CPU time|Messages per CPU second) .*$")
# They measure this computer.
VARYING = ("kumihimo calibrate", "kumihimo run -n 4 --platform platforms/star4.toml --quiet")
LIMIT_S = 600


def blocks_of(page: Path, *kinds: str) -> list[str]:
    """The blocks of code of these kinds on a page."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for kind, text in found if kind in kinds]


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def commands_of(block: str) -> list[tuple[str, list[str]]]:
    """The commands of a block, each with the lines that it is to print."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        elif line.startswith("> "):
            command, _ = found.pop()
            found.append((f"{command}\n{line.removeprefix('> ')}", []))
        elif found and line.strip():
            found[-1][1].append(line)
    return found


def pattern_of(line: str) -> str:
    text = re.escape(COSTS.sub("", line).rstrip())
    return text.replace(r"\.\.\.", ".*")


def check(command: str, wanted: list[str], output: str) -> None:
    """Check that the lines stand in the output, in order; "..." stands for any."""
    lines = [COSTS.sub("", line).rstrip() for line in output.splitlines() if line.strip()]
    at = 0
    may_skip = False
    for line in wanted:
        if line == "...":
            may_skip = True
            continue
        pattern = pattern_of(line)
        while may_skip and at < len(lines) and not re.fullmatch(pattern, lines[at]):
            at += 1
        assert at < len(lines), f"$ {command}\n{output}\ndoes not print: {line}"
        assert re.fullmatch(pattern, lines[at]), f"$ {command}\n{output}\ndoes not print: {line}"
        at += 1
        may_skip = False


@pytest.mark.parametrize("wanted", [["two"], ["one", "three"], ["one", "...", "four"]])
def test_what_is_not_printed_is_seen(wanted: list[str]) -> None:
    check("print", ["one", "...", "thr..."], "one\ntwo\nthree\n")
    with pytest.raises(AssertionError, match="does not print"):
        check("print", wanted, "one\ntwo\nthree\n")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_a_page_shows_are_the_files(page: Path) -> None:
    files = [path.read_text(encoding="utf-8") for path in FILES.iterdir()]
    for text in blocks_of(page, "c", "python", "toml", "yaml"):
        assert any(text in contents for contents in files), text


def test_every_file_is_on_a_page() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [path.name for path in FILES.iterdir() if path.name not in pages] == []


def test_pages_have_commands() -> None:
    without = {name_of(page) for page in PAGES if not blocks_of(page, "console")}
    assert without == {"start/install.md", "start/reading-a-result.md"}


@pytest.mark.timeout(LIMIT_S)
@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks_of(page, "console")], ids=name_of
)
def test_the_commands_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    if "--cluster slurm --" not in "".join(blocks_of(page, "console")):
        run_commands(page, tmp_path, os.environ)
        return
    with slurm_cluster() as cluster:
        # The queue is that of the page's own configuration.
        names = [name for name in cluster.environment if name != "DASK_JOBQUEUE__SLURM__QUEUE"]
        run_commands(page, tmp_path, {name: cluster.environment[name] for name in names})


def run_commands(page: Path, tmp_path: Path, outside: Mapping[str, str]) -> None:
    """Run the commands of a page in a folder as Install makes it, and check what they print."""
    for folder in ("examples", "include", "platforms"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copytree(FILES, tmp_path, dirs_exist_ok=True)
    environment = {**outside, "PATH": f"{BIN}:{os.environ['PATH']}", "COLUMNS": "120"}
    environment["XDG_CONFIG_HOME"] = str(tmp_path / "config")
    status = 0
    for command, wanted in (
        each for block in blocks_of(page, "console") for each in commands_of(block)
    ):
        called = subprocess.run(
            ["bash", "-c", f"(exit {status}); {command}"],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        status = called.returncode
        says_error = any(line.startswith("kumihimo: error") for line in wanted)
        assert (status != 0) == says_error, f"$ {command}\n{called.stdout}"
        if not command.startswith(VARYING):
            check(command, wanted, called.stdout)
