"""What a run is recorded of, and the schedule that this makes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from kumihimo import _core
from kumihimo.errors import UserError
from kumihimo.platform import Platform
from kumihimo.platform.schema.collectives import BY_LIBRARY, MODE_PATH
from kumihimo.run.options import RunOptions
from kumihimo.schedule.files import order_text


def check_recordable(options: RunOptions, described: Platform) -> None:
    """Check that the run can be recorded over this platform.

    Raises:
        UserError: If it cannot.
    """
    message = _why_not(options, described)
    if message is not None:
        raise UserError(f"{options.platform}: {message}")


def _why_not(options: RunOptions, described: Platform) -> str | None:
    if described["mpi.send_completion"] != "sent":
        return 'a schedule knows sends with mpi.send_completion = "sent" only'
    if described[MODE_PATH] != BY_LIBRARY:
        return f'a run is recorded with {MODE_PATH} = "{BY_LIBRARY}" only'
    if options.schedule_of == "messages" and described["mpi.service.kind"] != "none":
        return (
            "a schedule of messages knows no services; expected "
            'mpi.service.kind = "none", or kumihimo record --of calls'
        )
    if options.schedule_of == "calls" and options.approx is not None:
        return "kumihimo record --of calls knows no errors in messages; expected no --approx"
    return None


def recorded_schedule(
    options: RunOptions, records: Path, errors: dict[str, Any] | None
) -> _core.Schedule:
    """Return the schedule of a run that has come to its end.

    Args:
        options: Of the run.
        records: The folder with its records.
        errors: What a schedule needs to know of errors in messages; None if none were allowed.
    """
    if options.schedule_of == "messages":
        return _core.Schedule.from_run(options.ranks, str(records / "operations.bin"), errors)
    schedule = _core.Schedule.from_calls(options.ranks, str(records / "calls.bin"))
    counts = order_text(*schedule.recorded_order)
    if counts is not None:
        print(f"kumihimo: warning: order may depend on time: {counts}", file=sys.stderr)
    return schedule
