"""The reference page of the commands is made from the commands, and is current."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kumihimo.cli.commands import COMMANDS
from kumihimo.cli.main import app
from kumihimo.cli.reference import commands_page

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "commands.md"


def sections() -> dict[str, str]:
    parts = re.split(r"^## `kumihimo (.+)`$", commands_page(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_committed_page_is_the_generated_one() -> None:
    assert PAGE.read_text(encoding="utf-8") == commands_page(), (
        "docs/reference/commands.md is old; run `make reference`"
    )


def test_every_command_has_a_section() -> None:
    assert {name.split()[0] for name in sections()} == COMMANDS.keys()


@pytest.mark.parametrize("name", sections())
def test_a_section_names_every_option_that_the_parser_knows(name: str) -> None:
    shown = CliRunner().invoke(app, [*name.split(), "--help"], terminal_width=200, color=False)
    assert shown.exit_code == 0
    lines = re.findall(r"^\W*(--[a-z-]+)(?:\s+(--no-[a-z-]+))?", shown.output, re.MULTILINE)
    known = {name for line in lines for name in line if name} - {"--help"}
    named = set(re.findall(r"`(--[a-z-]+)`", sections()[name]))
    assert named == known


def test_names_values_and_defaults() -> None:
    run = sections()["run"]
    assert "| `--ranks`, `-n` | whole number, 1 or more | `1` | Number of MPI processes. |" in run
    assert "| `--platform`, `-p` | FILE | required |" in run
    assert "| `--detail` | `full`, `tables`, `summary`, `none` | `full` |" in run
    assert "| FOLDER | kumi-PROGRAM-nRANKS |" in run
    assert "| `--quiet`, `-q` | a switch | off |" in run


def test_options_that_commands_share_are_explained_once() -> None:
    record = sections()["record"]
    assert "| `--ranks`, `-n` |" not in record
    shared = re.search(
        r"^The same as for \[`kumihimo run`\]\(#kumihimo-run\): (.*)\.$", record, re.MULTILINE
    )
    assert shared is not None
    assert "`--ranks`, `-n`" in shared[1]
    # Another default or meaning is another row.
    assert "`--out`" not in shared[1]
    assert "| `--out` | FOLDER |" in record


def test_help_shows_the_defaults_that_stand_in_its_text() -> None:
    shown = CliRunner().invoke(app, ["run", "--help"], terminal_width=200, color=False)
    assert "[default: kumi-PROGRAM-nRANKS]" in re.sub(r"[\s│]+", " ", shown.output)
