"""Reads a sweep file."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import tomli_w

from kumihimo.errors import UserError
from kumihimo.platform import PlatformError, load_platform, parse_platform
from kumihimo.platform.locate import locate_keys
from kumihimo.platform.reader import read_settings
from kumihimo.platform.schema import TABLE as PLATFORM_TABLE
from kumihimo.platform.shipped import platform_file
from kumihimo.platform.toml import TomlError, parse_toml
from kumihimo.problems import Problem
from kumihimo.simgrid.document import read_simgrid
from kumihimo.sweep.keys import TABLE
from kumihimo.sweep.parameters import SECTION, Parameter, read_parameters
from kumihimo.sweep.patterns import pattern_problems
from kumihimo.sweep.requirements import (
    file_problems,
    policy_problems,
    room_problems,
    speed_problems,
    traffic_problems,
)
from kumihimo.sweep.sweep import PlatformChoice, Sweep, SweepError, choice_text

_MOST_POINTS = 100_000


def load_sweep(file: Path) -> Sweep:
    """Read a sweep file and make all its platforms.

    Raises:
        UserError: If the file or its platform cannot be read, or anything in them is wrong.
    """
    text = _read_text(file)
    try:
        document = parse_toml(text)
    except TomlError as error:
        raise SweepError(file, [error.problem]) from error
    lines = locate_keys(text)
    problems: list[Problem] = []
    parameters = read_parameters(document.pop(SECTION, {}), lines, problems)
    reading = read_settings(TABLE, document, lines)
    problems += reading.problems
    if problems:
        raise SweepError(file, problems)
    sweep = Sweep(file, reading.settings, parameters, ())
    count = _count(sweep)
    if count > _MOST_POINTS:
        message = f"these are {count} points; expected at most {_MOST_POINTS}"
        raise SweepError(file, [Problem(1, "", message)])
    problems = [
        *pattern_problems(sweep, lines),
        *file_problems(sweep, lines),
        *policy_problems(sweep, lines),
    ]
    named = Path(str(reading.settings["platform"].value))
    base = file.parent / named
    try:
        if not base.exists():
            base = file.parent / platform_file(named)
        load_platform(base)
    except PlatformError as error:
        if error.problems:
            raise
        problems.append(Problem(lines.get(("platform",), 1), "platform", error.message))
    if problems:
        raise SweepError(file, problems)
    sweep = replace(sweep, platforms=tuple(_platforms(file, lines, base, parameters)))
    problems = [*room_problems(sweep, lines), *speed_problems(sweep, lines)]
    problems += traffic_problems(sweep, lines)
    if problems:
        raise SweepError(file, problems)
    return sweep


def _count(sweep: Sweep) -> int:
    """Return how many points there will be."""
    policies = max(len(sweep.lines("approx")), 1)
    with_ranks = policies * len(sweep.lines("programs")) + len(sweep.lines("patterns"))
    runs = with_ranks * len(sweep.numbers("ranks")) + len(sweep.lines("schedules"))
    platforms = math.prod(len(parameter.raw) for parameter in sweep.parameters)
    return platforms * runs * len(sweep.numbers("seeds"))


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise UserError(f"cannot read the sweep file {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{file}: the file is not UTF-8 text, as TOML must be") from error


def _platforms(
    file: Path, lines: Mapping[Any, int], base: Path, parameters: tuple[Parameter, ...]
) -> Iterator[PlatformChoice]:
    """Yield the platform of each combination of values; the last parameter changes fastest."""
    document = _absolute(_document(base), base.parent)
    choices = itertools.product(*(range(len(parameter.raw)) for parameter in parameters))
    for choice in choices:
        changed = document
        for parameter, index in zip(parameters, choice, strict=True):
            changed = _with(changed, parameter.path.split("."), parameter.raw[index])
        text = tomli_w.dumps(_absolute(changed, base.parent))
        try:
            yield PlatformChoice(choice, text, parse_platform(text, str(base)))
        except PlatformError as error:
            told = [f"{problem.key}: {problem.message}" for problem in error.problems]
            message = f"with {choice_text(parameters, choice)}: {'; '.join(told)}"
            problem = Problem(lines.get((SECTION,), 1), SECTION, message)
            raise SweepError(file, [problem]) from error


def _document(base: Path) -> dict[str, Any]:
    """Return the keys of a platform file; what is wrong with it was reported when it was loaded."""
    if base.suffix.lower() == ".xml":
        return read_simgrid(base).document
    return parse_toml(base.read_text(encoding="utf-8").replace("\r\n", "\n"))


def _absolute(document: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the keys with names of files that hold from everywhere."""
    for key in (key for _, key in PLATFORM_TABLE.entries() if key.attach is not None):
        section = document.get(key.section)
        if isinstance(section, dict) and isinstance(section.get(key.name), str):
            path = str((folder / section[key.name]).resolve())
            document = _with(document, key.path.split("."), path)
    return document


def _with(document: dict[str, Any], path: list[str], value: object) -> dict[str, Any]:
    """Return a copy of the keys in which one has another value."""
    name, *rest = path
    inner = document.get(name, {})
    return {**document, name: _with(inner, rest, value) if rest else value}
