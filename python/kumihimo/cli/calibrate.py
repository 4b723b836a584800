"""`kumihimo calibrate`."""

from __future__ import annotations

from kumihimo.errors import UserError
from kumihimo.platform.units import SPEED
from kumihimo.run.host import host_file, measure, save_host_speed

_STEP_FLOPS = 1_000_000


def calibrate_command() -> None:
    """Measure the speed of this computer once more, and keep it.

    `kumihimo run --compute measured` scales measured computing time by this speed over that of the
    platform's nodes. It calibrates by itself the first time; call this after the computer or its
    clock frequency has changed.
    """
    speed = measure()
    path = host_file()
    try:
        save_host_speed(path, speed)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}", exit_code=1) from error
    shown = SPEED.format(max(speed.flops // _STEP_FLOPS, 1) * _STEP_FLOPS)
    print(f"{shown} per core of {speed.processor}, kept in {path}")
