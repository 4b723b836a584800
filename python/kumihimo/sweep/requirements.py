"""Checks that what a sweep names is there, and fits, before anything is run."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.platform import Platform, PlatformError
from kumihimo.platform.locate import Path as Place
from kumihimo.platform.network import build_network
from kumihimo.platform.schema.service import KIND_PATH, ORACLE
from kumihimo.problems import Problem
from kumihimo.run.mapping import rank_hosts
from kumihimo.run.program import locate_program
from kumihimo.run.traffic import TABLE as TRAFFIC_TABLE
from kumihimo.sweep.sweep import BY_SOURCE, NO_ERRORS, PlatformChoice, Sweep, choice_text

_Lines = Mapping[Place, int]


def file_problems(sweep: Sweep, lines: _Lines) -> Iterator[Problem]:
    """Yield which programs and schedules are not there.

    Args:
        sweep: Its platforms are not looked at.
        lines: The line of each key, as `locate_keys` gives it.
    """
    for index, command in enumerate(sweep.lines("programs")):
        try:
            locate_program(shlex.split(command)[0], sweep.work_folder)
        except UserError as error:
            yield Problem(_line(lines, "programs", index), "programs", error.message)
    for index, command in enumerate(sweep.lines("schedules")):
        name = shlex.split(command)[0]
        if message := _unreadable(sweep.work_folder / name):
            yield Problem(
                _line(lines, "schedules", index), "schedules", f"cannot read {name}: {message}"
            )


def policy_problems(sweep: Sweep, lines: _Lines) -> Iterator[Problem]:
    """Yield which files of rules for errors cannot be read."""
    for index, name in enumerate(sweep.lines("approx")):
        if name in (NO_ERRORS, BY_SOURCE):
            continue
        if message := _unreadable(sweep.work_folder / name):
            text = f"cannot read {name}: {message}"
            yield Problem(_line(lines, "approx", index), "approx", text)


def room_problems(sweep: Sweep, lines: _Lines) -> Iterator[Problem]:
    """Yield which numbers of ranks do not fit on a platform; of each number the first one.

    Raises:
        UserError: If a network cannot be built.
    """
    if not sweep.lines("programs") and not sweep.lines("patterns"):
        return
    told = set()
    # Where the file has one number, there is no list with lines of its own.
    counts = sweep.numbers("ranks")
    for chosen, hosts in _different(sweep):
        for index, ranks in enumerate(counts):
            if ranks in told:
                continue
            message = _misfit(chosen.platform, hosts, ranks)
            if message is None:
                continue
            told.add(ranks)
            choice = choice_text(sweep.parameters, chosen.choice)
            text = f"with {choice}: {message}" if choice else message
            yield Problem(_line(lines, "ranks", index), "ranks", text)


def speed_problems(sweep: Sweep, lines: _Lines) -> Iterator[Problem]:
    """Yield that a platform does not say how fast it computes, if the sweep's runs need it."""
    mode = sweep.settings["run.compute"].value
    if mode == "none" or not sweep.lines("programs"):
        return
    for chosen in sweep.platforms:
        try:
            chosen.platform.require("node.speed", f'compute = "{mode}"')
        except PlatformError as error:
            yield Problem(_line(lines, "run", "compute"), "run.compute", error.message)
            return


def traffic_problems(sweep: Sweep, lines: _Lines) -> Iterator[Problem]:
    """Yield that programs meet an oracle, and nothing says what they are going to send."""
    kinds = {chosen.platform[KIND_PATH] for chosen in sweep.platforms}
    if ORACLE not in kinds or not sweep.lines("programs"):
        return
    name = str(sweep.settings["run.traffic"].value)
    place = _line(lines, "run", "traffic")
    if not name:
        text = f'missing, and {KIND_PATH} = "{ORACLE}" needs it; expected a result folder'
        yield Problem(place, "run.traffic", text)
    elif message := _unreadable(sweep.work_folder / name / f"{TRAFFIC_TABLE}.parquet"):
        text = f"cannot read {name}/{TRAFFIC_TABLE}.parquet: {message}"
        yield Problem(place, "run.traffic", text)


def _different(sweep: Sweep) -> Iterator[tuple[PlatformChoice, int]]:
    """Yield platforms that differ in their hosts or in where ranks go, with the number of hosts."""
    hosts: dict[object, int] = {}
    seen = set()
    for chosen in sweep.platforms:
        values = {path: setting.value for path, setting in chosen.platform.settings.items()}
        topology = tuple(item for item in values.items() if item[0].startswith("topology."))
        places = tuple(item for item in values.items() if item[0].startswith(("node.", "mapping.")))
        if (topology, places) in seen:
            continue
        seen.add((topology, places))
        if topology not in hosts:
            hosts[topology] = build_network(chosen.platform).hosts
        yield chosen, hosts[topology]


def _misfit(platform: Platform, hosts: int, ranks: int) -> str | None:
    room = hosts * int(platform["node.ranks"])
    if ranks > room:
        return f"{ranks} ranks do not fit: {platform.file} has room for {room}"
    if platform["mapping.kind"] == "file":
        try:
            rank_hosts(platform, hosts, ranks, 0)
        except UserError as error:
            return error.message
    return None


def _unreadable(path: Path) -> str | None:
    """Return why a file cannot be read, None if it can."""
    if path.is_dir():
        return "it is a folder"
    if not path.exists():
        return "there is no such file"
    return None if os.access(path, os.R_OK) else "no permission"


def _line(lines: _Lines, key: str, inner: int | str) -> int:
    """Return the line of an element of a list, or of a key in a section; else of what it is in."""
    return lines.get((key, inner), lines.get((key,), 1))
