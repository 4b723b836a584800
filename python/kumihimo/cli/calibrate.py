"""`kumihimo calibrate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kumihimo.compilers.model_file import save_processor_model
from kumihimo.errors import UserError
from kumihimo.run.host import host_file, measure, save_host_speed
from kumihimo.units import SPEED

_STEP_FLOPS = 1_000_000


def calibrate_command(
    processor_model: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Instead, write a processor model for kumihimo cc, from measured costs of the "
            "processor's operations.",
        ),
    ] = None,
) -> None:
    """Measure the speed of this computer once more, and keep it.

    `kumihimo run --compute measured` scales measured computing time by this speed over that of the
    platform's nodes. It calibrates by itself the first time; call this after the computer or its
    clock frequency has changed.
    """
    if processor_model is not None:
        _write_model(processor_model)
        return
    speed = measure()
    path = host_file()
    try:
        save_host_speed(path, speed)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}", exit_code=1) from error
    shown = SPEED.format(max(speed.flops // _STEP_FLOPS, 1) * _STEP_FLOPS)
    print(f"{shown} per core of {speed.processor}, kept in {path}")


def _write_model(path: Path) -> None:
    try:
        lines = save_processor_model(path)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}", exit_code=1) from error
    print("\n".join(lines))
