"""Options of the commands that run a program."""

from __future__ import annotations

import datetime
import math
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kumihimo.errors import UserError
from kumihimo.units import Quantity, UnitError


class ComputeMode(StrEnum):
    """Where the time between MPI calls comes from."""

    measured = "measured"
    counted = "counted"
    none = "none"


class DetailLevel(StrEnum):
    """How much is written down."""

    full = "full"
    tables = "tables"
    summary = "summary"
    none = "none"


class RecordHeight(StrEnum):
    """What a run is recorded of."""

    messages = "messages"
    calls = "calls"


class MatchingModel(StrEnum):
    """Models of matching messages with receives."""

    list = "list"
    elan4 = "elan4"
    alpu = "alpu"
    dimmnet2 = "dimmnet2"
    lhs = "lhs"
    hashed = "hashed"
    connectx = "connectx"


class LinkPolicy(StrEnum):
    """When links go to sleep."""

    always_on = "always_on"
    on_off = "on_off"
    threshold = "threshold"
    prewake = "prewake"
    perfbound = "perfbound"
    ideal = "ideal"


class Service(StrEnum):
    """By what ranks send to each other."""

    none = "none"
    rc = "rc"
    ud = "ud"
    hybrid = "hybrid"
    hint = "hint"
    hint_evict = "hint_evict"
    oracle = "oracle"


class CollectivesMode(StrEnum):
    """What carries out collective calls."""

    library = "library"
    scheduled = "scheduled"
    hint = "hint"


class MpiLibrary(StrEnum):
    """MPI libraries that can be served."""

    mpich = "mpich"
    openmpi = "openmpi"


_MOST_SEED = 2**63 - 1


def _seed(number: int) -> int:
    if number > _MOST_SEED:
        raise typer.BadParameter(f"{number} is too large; expected at most {_MOST_SEED}.")
    return number


def _finite(seconds: float | None) -> float | None:
    if seconds is not None and not math.isfinite(seconds):
        raise typer.BadParameter(f"{seconds} is no number of seconds.")
    return seconds


Program = Annotated[
    list[str],
    typer.Argument(metavar="PROGRAM [ARGUMENTS]...", help="The MPI program; best after --."),
]


def platform_of(given: Path | None) -> Path | None:
    """Return the file of a platform that is given by its file, or by the name of one of ours."""
    if given is None:
        return None
    from kumihimo.platform.shipped import platform_file

    return platform_file(given)


PlatformFile = Annotated[
    Path,
    typer.Option(
        "--platform",
        "-p",
        metavar="FILE",
        callback=platform_of,
        help="Platform file, or a name that `kumihimo platform list` prints.",
    ),
]
Ranks = Annotated[
    int, typer.Option("--ranks", "-n", min=1, max=2**31 - 1, help="Number of MPI processes.")
]
Compute = Annotated[
    ComputeMode | None,
    typer.Option(
        metavar="MODE",
        help="Time between MPI calls: CPU time measured and scaled to the node's speed; work "
        "counted by a program that kumihimo cc built; or none. Explicit calls "
        "(kumihimo/compute.h) always count. [default: counted if the program counts, else "
        "measured]",
        show_default=False,
    ),
]
Detail = Annotated[
    DetailLevel,
    typer.Option(
        metavar="LEVEL",
        help="full: every message and state, a report and a time line; tables: without these two; "
        "summary: totals; none: no result folder.",
    ),
]
LinkPower = Annotated[
    LinkPolicy | None,
    typer.Option(
        metavar="POLICY",
        help="Policy by which links sleep, in place of the platform file's [link_power].",
        show_default=False,
    ),
]
Predict = Annotated[
    bool,
    typer.Option(
        "--predict",
        help="Under the policy prewake, let every rank learn what it sends after each MPI call, "
        "and wake links in advance. Needs no recompiling.",
    ),
]
TECHNIQUES = "Techniques"
Approx = Annotated[
    Path | None,
    typer.Option(
        metavar="POLICY",
        help="File of rules that allow errors in numbers of some messages, on links whose channel "
        "has noise; or 'source', if the program allows them itself. See docs/approximate.md.",
        show_default=False,
        rich_help_panel=TECHNIQUES,
    ),
]
Matching = Annotated[
    MatchingModel | None,
    typer.Option(
        metavar="MODEL",
        help="Model of matching messages with receives, in place of the platform file's "
        "[mpi.matching]: docs/matching.md.",
        show_default=False,
        rich_help_panel=TECHNIQUES,
    ),
]
ServiceOf = Annotated[
    Service | None,
    typer.Option(
        "--service",
        metavar="SERVICE",
        help="Connections (rc), datagrams (ud), or both (hybrid, hint, hint_evict, oracle) between "
        "ranks, in place of the platform file's [mpi.service]: docs/services.md.",
        show_default=False,
        rich_help_panel=TECHNIQUES,
    ),
]
Traffic = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Result folder of an earlier run of the program with the same number of ranks and "
        "with a service, from which the service oracle knows all messages: docs/services.md.",
        show_default=False,
        rich_help_panel=TECHNIQUES,
    ),
]
Collectives = Annotated[
    CollectivesMode | None,
    typer.Option(
        "--collectives",
        metavar="MODE",
        help="Implementation of collective calls: the MPI library (library); where they fit, "
        "schedules whose steps begin by the clock (scheduled); or such schedules only in regions "
        "with the hint IN_KERNEL (hint). Replaces the platform file's [mpi.collectives]: "
        "docs/collectives.md.",
        show_default=False,
        rich_help_panel=TECHNIQUES,
    ),
]
ProfileCalls = Annotated[
    bool,
    typer.Option(
        "--profile-calls",
        help="Write call_sites.parquet: for each place that calls MPI, the number of calls, the "
        "time since the previous communication, and the messages to each rank.",
    ),
]
Hints = Annotated[
    Path | None,
    typer.Option(
        "--hints",
        metavar="FILE",
        help="Pass hints to the library at calls that the file names, as if the program did "
        "(HINT): docs/services.md.",
        show_default=False,
        rich_help_panel=TECHNIQUES,
    ),
]
Mpi = Annotated[
    MpiLibrary | None,
    typer.Option(
        help="The program's MPI library. [default: the one it is linked with; mpich for scripts]",
        show_default=False,
    ),
]
Seed = Annotated[
    int,
    # The largest one would take half of the line in a help of ranges.
    typer.Option(min=0, callback=_seed, help="Seed of all random streams."),
]
StartDate = Annotated[
    str | None,
    typer.Option(
        metavar="DATE",
        help="Date at virtual time zero, such as "
        '"2026-11-24 12:00" (UTC), or now. [default: 2000-01-01 01:00, in every run]',
        show_default=False,
    ),
]
MaxVirtualTime = Annotated[
    str | None,
    typer.Option(metavar="DURATION", help='End the run at this virtual time, as in "10 s".'),
]
StallTimeout = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        min=0,
        callback=_finite,
        help="Real time without progress that ends the run, even if a rank computes; at least 60 s "
        "while ranks start; 0: never. "
        "[default: 300 s in which no rank computes]",
        show_default=False,
    ),
]
Cores = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=0,
        max=64,
        help="Number of cores of this computer on which ranks compute in parallel; 0: all that no "
        "other run uses. More than one core pays if ranks compute for some 100 µs between "
        "messages. The number changes no result but measured times.",
    ),
]
HostSpeed = Annotated[
    str | None,
    typer.Option(
        metavar="SPEED",
        help='This computer\'s speed, as in "5 Gflop/s". [default: as calibrated]',
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no table; errors only.")]


_FIRST_DATE = datetime.datetime(2000, 1, 1, 1, tzinfo=datetime.UTC)
_LAST_DATE = datetime.datetime(2200, 1, 1, tzinfo=datetime.UTC)


def parse_date(text: str | None) -> datetime.datetime | None:
    """Return the date of --start-date, to the second.

    Raises:
        UserError: If it is no date, or out of range.
    """
    if text is None:
        return None
    if text == "now":
        return datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    try:
        date = datetime.datetime.fromisoformat(text)
    except ValueError as error:
        raise UserError(
            f'--start-date: expected a date such as "2026-11-24 12:00", or now, found {text!r}'
        ) from error
    date = date.replace(tzinfo=date.tzinfo or datetime.UTC, microsecond=0)
    if not _FIRST_DATE <= date <= _LAST_DATE:
        raise UserError(
            f"--start-date: expected a date from 2000-01-01 01:00 to 2200, found {text}"
        )
    return date


def parse(option: str, quantity: Quantity, text: str | None) -> int | None:
    """Return the value of an option with a unit.

    Raises:
        UserError: If it is not positive, or no such quantity.
    """
    if text is None:
        return None
    try:
        value = quantity.parse(text)
    except UnitError as error:
        raise UserError(f"{option}: {error}") from error
    if not 0 < value < 2**63:
        raise UserError(f"{option}: {text!r} is out of range; expected {quantity.expected()}")
    return value
