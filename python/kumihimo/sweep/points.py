"""The points of a sweep: what is run, and what distinguishes them."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import kumihimo
from kumihimo.errors import UserError
from kumihimo.platform.schema.service import KIND_PATH, ORACLE
from kumihimo.results.canonical import configuration_hash
from kumihimo.run.traffic import TABLE as TRAFFIC_TABLE
from kumihimo.sweep.sweep import NO_ERRORS, PlatformChoice, Sweep

Kind = Literal["program", "pattern", "schedule"]
_KEYS: tuple[tuple[Kind, str], ...] = (
    ("program", "programs"),
    ("pattern", "patterns"),
    ("schedule", "schedules"),
)


@dataclass(frozen=True)
class Point:
    """One run of a sweep; plain data that is sent to its worker.

    Attributes:
        identity: SHA-256 of all that can change its result: platform, program with the files on its
            command line, ranks, seed, options, version.
        values: The columns that say what it is.
        platform: The text of the platform file.
        platform_file: Where the sweep has it from, for messages.
        arguments: Of `kumihimo`, without platform and result folder.
        folder: Where it runs.
        keeps: Whether its result folder is kept.
        error: The expression that finds the program's own error in its output; empty for none.
    """

    identity: str
    values: dict[str, Any]
    platform: str
    platform_file: str
    arguments: tuple[str, ...]
    folder: str
    keeps: bool
    error: str = ""


def points_of(sweep: Sweep) -> list[Point]:
    """Return all points.

    The seed changes fastest, then what allows errors, ranks, what is run, and the platform.

    Raises:
        UserError: If a file on a command line cannot be read.
    """
    digest = cache(_digest)
    return [
        _point(sweep, chosen, _Job(kind, line, ranks, policy), seed, digest)
        for chosen in sweep.platforms
        for kind, key in _KEYS
        for line in sweep.lines(key)
        for ranks in (sweep.numbers("ranks") if kind != "schedule" else (None,))
        for policy in (sweep.lines("approx") if kind == "program" else ()) or (NO_ERRORS,)
        for seed in sweep.numbers("seeds")
    ]


@dataclass(frozen=True)
class _Job:
    """What is run on a platform: a command line, and what allows errors in its messages."""

    kind: Kind
    line: str
    ranks: int | None
    policy: str


def _point(
    sweep: Sweep, chosen: PlatformChoice, job: _Job, seed: int, digest: Callable[[Path], str]
) -> Point:
    kind, line, ranks = job.kind, job.line, job.ranks
    words = shlex.split(line)
    options = _options(sweep, kind)
    if kind == "program":
        options += _technique_options(sweep, chosen, job.policy)
    identity = {
        "version": kumihimo.__version__,
        "platform": chosen.platform.canonical(),
        "kind": kind,
        "words": words,
        "files": {
            word: digest(path) for word, path in _files(sweep.work_folder, [*words, *options])
        },
        **_traffic_identity(sweep, options, digest),
        "ranks": ranks,
        "seed": seed,
        "options": _without_traffic(options),
    }
    count = [] if ranks is None else ["--ranks", str(ranks)]
    common = [*count, "--seed", str(seed), *options]
    if kind == "program":
        arguments = ["run", *common, "--", *words]
    elif kind == "pattern":
        arguments = ["replay", "--pattern", *words, *common]
    else:
        arguments = ["replay", *words, *common]
    return Point(
        identity=configuration_hash(identity),
        values={
            **_parameter_columns(sweep, chosen),
            "kind": kind,
            "command": line,
            "ranks": ranks,
            **({"approx": job.policy} if sweep.lines("approx") else {}),
            "seed": seed,
        },
        platform=chosen.text,
        platform_file=chosen.platform.file,
        arguments=tuple(arguments),
        folder=str(sweep.work_folder),
        keeps=sweep.settings["run.detail"].value != "none",
        error=str(sweep.settings["run.error"].value) if kind == "program" else "",
    )


def _options(sweep: Sweep, kind: Kind) -> list[str]:
    """Return the options of the command that are the same for all points of a kind."""
    settings = sweep.settings
    record = str(settings["run.detail"].value)
    options = ["--detail", "summary" if record == "none" else record]
    limit = []
    if settings["run.max_virtual_time"].value != 0:
        limit = ["--max-virtual-time", settings["run.max_virtual_time"].text]
    if kind != "program":
        return [*options, *limit]
    # Points run in parallel.
    options += ["--compute", str(settings["run.compute"].value), "--cores", "1"]
    if settings["run.mpi"].value != "found":
        options += ["--mpi", str(settings["run.mpi"].value)]
    options += limit
    if settings["run.host_speed"].value != 0:
        options += ["--host-speed", settings["run.host_speed"].text]
    stall_ps = settings["run.stall_timeout"].value
    assert isinstance(stall_ps, int)
    if stall_ps >= 0:
        options += ["--stall-timeout", str(stall_ps / 10**12)]
    return options


def _technique_options(sweep: Sweep, chosen: PlatformChoice, policy: str) -> list[str]:
    """Return the options for techniques that no key of platform files has."""
    predicts = sweep.settings["run.predict"].value == "on"
    options = ["--predict"] if predicts and chosen.platform.link_policy == "prewake" else []
    traffic = str(sweep.settings["run.traffic"].value)
    if traffic and chosen.platform[KIND_PATH] == ORACLE:
        options += ["--traffic", traffic]
    return options if policy == NO_ERRORS else [*options, "--approx", policy]


def _without_traffic(options: list[str]) -> list[str]:
    """Return the options without the folder of the traffic, whose contents count."""
    if "--traffic" not in options:
        return options
    place = options.index("--traffic")
    return options[:place] + options[place + 2 :]


def _traffic_identity(
    sweep: Sweep, options: list[str], digest: Callable[[Path], str]
) -> dict[str, str]:
    """Return what distinguishes the traffic of a point from other traffic in the same folder."""
    if "--traffic" not in options:
        return {}
    folder = sweep.work_folder / options[options.index("--traffic") + 1]
    return {"traffic": digest(folder / f"{TRAFFIC_TABLE}.parquet")}


def _parameter_columns(sweep: Sweep, chosen: PlatformChoice) -> dict[str, Any]:
    """Return a column for people of each parameter, and one of numbers if it has a unit."""
    columns: dict[str, Any] = {}
    for parameter, index in zip(sweep.parameters, chosen.choice, strict=True):
        columns[parameter.path] = parameter.text(index)
        if parameter.column is not None:
            columns[parameter.column] = parameter.values[index]
    return columns


def _files(folder: Path, words: list[str]) -> Iterator[tuple[str, Path]]:
    """Yield the words that name files, such as a program, its script or its input."""
    for place, word in enumerate(words):
        path = folder / word
        found = shutil.which(word) if place == 0 and "/" not in word else None
        if path.is_file():
            yield word, path
        elif found is not None:
            yield word, Path(found)


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
