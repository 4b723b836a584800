"""What `--help` shows on a terminal of 80 columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from kumihimo.cli.commands import COMMANDS
from kumihimo.cli.main import app

# Frames of tables, and marks of emphasis, which are not shown.
FRAMES = re.compile(r"[│╭╮╰╯─*]")
EMPHASIS = re.compile(r"[`*]")


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with the names that call it; "Any" stands for types typer does not export."""
    for name, entry in COMMANDS.items():
        command: Any = entry.load(name)
        yield (name,), command
        for inner, sub_command in getattr(command, "commands", {}).items():
            yield (name, inner), sub_command


def shown(names: tuple[str, ...]) -> str:
    result = CliRunner().invoke(app, [*names, "--help"], env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= 80
    return result.output


def words_of(text: str) -> list[str]:
    return EMPHASIS.sub("", text).split()


def values_of(parameter: Any) -> list[str]:  # noqa: ANN401
    return [str(getattr(each, "value", each)) for each in getattr(parameter.type, "choices", ())]


@pytest.mark.parametrize("names", [names for names, _ in commands()], ids=" ".join)
def test_no_name_value_or_word_is_cut(names: tuple[str, ...]) -> None:
    command = dict(commands())[names]
    text = shown(names)
    words = FRAMES.sub(" ", text).split()
    # Words in which values stand, as in "<mpich|openmpi>".
    parts = set(re.split(r"[\s<>|,;:.]+", " ".join(words)))
    assert "…" not in text
    for parameter in command.params:
        if getattr(parameter, "hidden", False):
            continue
        if isinstance(parameter, typer.core.TyperOption):
            assert {*parameter.opts, *parameter.secondary_opts} <= set(words)
            metavar = parameter.metavar or ""
            assert set(metavar.split()) <= set(words)
        assert set(values_of(parameter)) <= parts
        assert set(words_of(parameter.help or "")) <= set(words)
    assert set(words_of(command.help or "")) <= set(words)


@pytest.mark.parametrize("names", [(), *(names for names, _ in commands())], ids=" ".join)
def test_lines_of_a_paragraph_are_filled(names: tuple[str, ...]) -> None:
    """A line of text is only as short as it is if the next word does not fit."""
    description = shown(names).partition("╭")[0]
    lines = [line.strip() for line in description.splitlines()]
    for line, following in pairwise(lines):
        if line and following:
            assert len(line) + 1 + len(following.split()[0]) > 78, line


def test_out_is_a_folder_in_every_command() -> None:
    found = {
        " ".join(names): parameter.metavar
        for names, command in commands()
        for parameter in command.params
        if "--out" in parameter.opts
    }
    names = ("prewake", "hints", "approximate", "collectives", "matching", "braid")
    studies = {f"study {name}" for name in names}
    assert found == dict.fromkeys(
        ("run", "replay", "record", "sweep", *studies, "variants"), "FOLDER"
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--out", "x.goal"), "expected --schedule FILE; "),
        (("-o", "x.goal"), ""),
        (("--result", "folder", "--schedule", "x.goal"), ""),
    ],
)
def test_former_options_of_record_are_explained(options: tuple[str, ...], told: str) -> None:
    arguments = ["record", "-p", "star.toml", *options, "--", "./program"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    meanings = "--schedule is the file to write, --out the result folder, as in every command"
    assert f"{told}{meanings}" in result.output
