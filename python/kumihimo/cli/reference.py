"""Writes the reference page of all commands from the functions that implement them.

`python -m kumihimo.cli.reference` prints the page; docs/reference/commands.md is a copy of it.
"""

from __future__ import annotations

import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Iterator
from enum import Enum

import typer
from typer.models import ArgumentInfo, OptionInfo, ParameterInfo

from kumihimo.cli.commands import COMMANDS

_INTRODUCTION = """\
# Commands

<!-- Written by `make reference` from the functions that implement the commands; not by hand. -->

`kumihimo --help` lists the commands, `kumihimo COMMAND --help` explains one, `kumihimo --version`
prints the version. Every command exits with 0 if all went well and with 2 if it was called wrongly;
an error is one message on standard error.
"""
# Defaults that the parser cannot know stand at the end of the help text.
_SAID_DEFAULT = re.compile(r"\s*\[default: (.*)\]$")
_SPACES = re.compile(r"\s+")
_UNSET = (None, ...)
# Fewer rows of an earlier command than this are printed again.
_FEWEST_SHARED = 3

Row = tuple[str, str, str, str]


def commands_page() -> str:
    """Return the page as Markdown."""
    parts = [_INTRODUCTION]
    earlier: dict[str, list[Row]] = {}
    for name, function in _functions():
        rows = list(_parameters(function))
        parts.append(_command(name, function, rows, _shared(rows, earlier)))
        earlier[name] = rows
    return "\n".join(parts)


def _shared(rows: list[Row], earlier: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """Return the options that are the same as of earlier commands, by command.

    The command that shares most comes first, so that few are named.
    """
    left = [row for row in rows if row[0].startswith("`-")]
    found: dict[str, list[Row]] = {}
    while True:
        shared = {name: [row for row in left if row in others] for name, others in earlier.items()}
        most = max(shared, key=lambda name: len(shared[name]), default="")
        if not most or len(shared[most]) < _FEWEST_SHARED:
            return found
        found[most] = shared[most]
        left = [row for row in left if row not in shared[most]]


def _functions() -> Iterator[tuple[str, Callable[..., None]]]:
    """Yield every command's full name and function, in the order of the overview."""
    for name, entry in COMMANDS.items():
        target = entry.target()
        if not isinstance(target, typer.Typer):
            yield name, target
            continue
        for command in target.registered_commands:
            assert command.callback is not None
            yield f"{name} {command.name or command.callback.__name__}", command.callback


def _command(
    name: str, function: Callable[..., None], rows: list[Row], shared: dict[str, list[Row]]
) -> str:
    """Return the section of a command; options that it shares with another are named only."""
    arguments = [names for names, *_ in rows if not names.startswith("`-")]
    usage = " ".join([name, "[OPTIONS]", *(names.strip("`") for names in arguments)])
    lines = [f"## `kumihimo {name}`", "", "```sh", f"kumihimo {usage}", "```", ""]
    lines += [inspect.cleandoc(function.__doc__ or ""), ""]
    own = [row for row in rows if not any(row in others for others in shared.values())]
    if own:
        heading = ("Argument or option", "Values", "Default", "Meaning")
        table = [heading, tuple("---" for _ in heading), *own]
        lines += [f"| {' | '.join(cells)} |" for cells in table]
        lines.append("")
    for other, same in shared.items():
        anchor = f"kumihimo {other}".replace(" ", "-")
        names = ", ".join(row[0] for row in same)
        lines += [f"The same as for [`kumihimo {other}`](#{anchor}): {names}.", ""]
    return "\n".join(lines)


def _parameters(function: Callable[..., None]) -> Iterator[Row]:
    """Yield a row of the table for every parameter of a command's function."""
    hints = typing.get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind, *remarks = typing.get_args(hints[name])
        info = next(remark for remark in remarks if isinstance(remark, ParameterInfo))
        if isinstance(info, OptionInfo) and info.hidden:
            continue
        text = _SPACES.sub(" ", info.help or "")
        said = _SAID_DEFAULT.search(text)
        default = said[1] if said else _default(parameter.default)
        names = _names(name, info)
        yield names, _values(kind, info), default, _cell(_SAID_DEFAULT.sub("", text))


def _names(name: str, info: ParameterInfo) -> str:
    if isinstance(info, ArgumentInfo):
        return f"`{info.metavar or name.upper()}`"
    # In an annotation, typer keeps the first of the declared names where defaults else stand.
    declared = [text for text in (info.default, *(info.param_decls or ())) if text not in _UNSET]
    # A switch that can be turned off is declared as "--count/--no-count".
    names = [option for text in declared for option in str(text).split("/")]
    names = names or [f"--{name.replace('_', '-')}"]
    return ", ".join(f"`{option}`" for option in names)


def _values(kind: object, info: ParameterInfo) -> str:
    kind = next(_without_none(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ", ".join(f"`{member.value}`" for member in kind)
    if kind is bool:
        return "a switch"
    words = info.metavar if isinstance(info, OptionInfo) and info.metavar else ""
    if kind in (int, float) and info.min is not None:
        number = "whole number" if kind is int else "number"
        return f"{words or number}, {info.min} or more"
    return words


def _without_none(kind: object) -> Iterator[object]:
    """Yield the members of an optional type, without None; any other type alone."""
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        yield from (member for member in typing.get_args(kind) if member is not type(None))
    else:
        yield kind


def _default(value: object) -> str:
    if value is inspect.Parameter.empty:
        return "required"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"`{value.value if isinstance(value, Enum) else value}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(commands_page())
