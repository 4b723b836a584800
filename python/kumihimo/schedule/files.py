"""Schedules in files, with errors for users."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from kumihimo._core import Schedule
from kumihimo.errors import UserError
from kumihimo.schedule.watch import watched

Form = Literal["goal", "portable", "binary"]

_FORMS: dict[str, Form] = {".goal": "goal", ".bin": "binary"}
# What portable GOAL cannot say, by the core's names.
_LOSSES = {
    "rounded": "times rounded to nanoseconds: {:,}",
    "waits": "waits until a point of time, written as calc 0: {:,}",
    "synchronisations": "synchronisations of all ranks, written as calc 0: {:,}",
    "waits_after": "waits until a time after a synchronisation, written as calc 0: {:,}",
    "hints": "hints, written as calc 0: {:,}",
    "software": "times of the MPI library, written as the program's: {:,}",
    "sleeps": "sleeps, written as computing: {:,}",
    "bare": "messages of a recorded run without overheads and matching, which a reader adds: {:,}",
    "approximate": "messages that may arrive with errors, written as exact ones: {:,}",
    "recorded_order": "polls and wildcards of recorded calls, which are left out: {:,}",
}


def read_schedule(path: Path) -> Schedule:
    """Read a schedule in either form.

    Raises:
        UserError: If the file cannot be read or is no schedule, or if a signal asks to end.
    """
    try:
        if path.is_file() and path.stat().st_size == 0:
            raise UserError(f"{path} is empty: expected a schedule, as text or binary")
        with watched(f"reading {path}") as look:
            return Schedule.read(str(path), look)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise UserError(str(error)) from error


def write_schedule(schedule: Schedule, path: Path, form: Form) -> None:
    """Write a schedule: the file appears whole, or not at all.

    What portable GOAL cannot say is reported on standard error.

    Raises:
        UserError: If it cannot be written, or if a signal asks to end.
    """
    try:
        with watched(f"writing {path}", schedule.operations) as look:
            schedule.write(str(path), form, look)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}", exit_code=1) from error
    if form != "portable":
        return
    for name, count in schedule.portable_losses().items():
        if count > 0:
            print(f"kumihimo: warning: {path}: {_LOSSES[name].format(count)}", file=sys.stderr)


def join_schedules(schedules: Sequence[Schedule], *, in_kernel: bool = False) -> Schedule:
    """Return one schedule after the other, each between the hints IN_KERNEL if that is asked for.

    Raises:
        UserError: If they have different numbers of ranks, or are too large together, or if a
            signal asks to end.
    """
    try:
        operations = sum(schedule.operations for schedule in schedules)
        with watched("joining schedules", operations) as look:
            return Schedule.join([(schedule, in_kernel) for schedule in schedules], look)
    except OSError as error:
        raise UserError(f"cannot join schedules: {error.strerror}", exit_code=1) from error
    except ValueError as error:
        raise UserError(str(error)) from error


def order_text(polls: int, wildcards: int) -> str | None:
    """Return in words what in recorded calls may have depended on time; None if nothing.

    Args:
        polls: Of `Schedule.recorded_order`, or "recorded_polls" of its summary.
        wildcards: Likewise.
    """
    counts = (polls, wildcards)
    if not any(counts):
        return None
    kinds = ("poll", "wildcard")
    return ", ".join(
        f"{count:,} {kind}" + ("" if count == 1 else "s")
        for kind, count in zip(kinds, counts, strict=True)
    )


def form_of(path: Path, wanted: Form | None, *, portable: bool = False) -> Form:
    """Return the form to write `path` in: what was asked for, else what its name says.

    Args:
        path: The file.
        wanted: The form, if it was named.
        portable: Whether GOAL is to be for other readers.

    Raises:
        UserError: If neither says, or if a binary file is to be portable.
    """
    form = wanted or _FORMS.get(path.suffix)
    if form is None:
        raise UserError(
            f"{path}: expected a name that ends in {' or '.join(_FORMS)}, or --format goal "
            "or binary"
        )
    if portable and form != "goal":
        raise UserError(f"{path}: --portable is for GOAL text, not for the form {form}")
    return "portable" if portable else form


def check_writable(path: Path) -> None:
    """Check that a file can be put where `path` is, before long work is done for it.

    Raises:
        UserError: If its folder does not exist, or a folder is in its place.
    """
    if path.is_dir():
        raise UserError(f"{path}: is a folder, not a file that could take the schedule")
    if not path.absolute().parent.is_dir():
        raise UserError(f"{path}: there is no folder {path.absolute().parent}")
