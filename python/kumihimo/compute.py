"""Explicit compute time for programs that run under `kumihimo run`, as in kumihimo/compute.h.

A program that knows how much it computes can say so, and its virtual time is then the same in every
run and on every host. Outside of a run these functions do nothing, so that the same script also
runs natively. NumPy is not needed, nor is MPI.
"""

from __future__ import annotations

import ctypes
import math

from kumihimo.shim import shim_function

__all__ = ["compute_flops", "compute_seconds", "is_simulated", "virtual_seconds"]

_INVALID = -1
_WRONG_THREAD = -2
_LONGEST_S = 1e6


def compute_seconds(seconds: float) -> None:
    """Computes for some virtual time.

    Args:
        seconds: How long, from 0 to 1e6 s.

    Raises:
        ValueError: If `seconds` is negative, not a number, or too long.
        RuntimeError: If the calling thread is neither the one that called MPI last nor one that the
            program has made.
    """
    if not 0 <= seconds <= _LONGEST_S:
        raise ValueError(f"compute time must be 0 to {_LONGEST_S:g} s, not {seconds!r}")
    _call("kumi_compute_seconds", seconds)


def compute_flops(flops: float) -> None:
    """Computes some floating-point operations at the speed of the platform's nodes.

    Args:
        flops: How many; not negative, and not more than a node computes in 1e6 s.

    Raises:
        ValueError: If `flops` is negative, not finite, or too many.
        RuntimeError: As `compute_seconds`.
    """
    if not (flops >= 0 and math.isfinite(flops)):
        raise ValueError(f"operations must be 0 or more, and finite, not {flops!r}")
    _call("kumi_compute_flops", flops)


def virtual_seconds() -> float:
    """Returns the virtual time in s since all ranks left MPI_Init; 0 where there is none.

    Unlike MPI_Wtime, looking costs no virtual time.
    """
    look = shim_function("kumi_virtual_seconds", ctypes.c_double)
    return 0.0 if look is None else float(look())


def is_simulated() -> bool:
    """Returns whether the program runs in virtual time just now: between MPI's start and end."""
    ask = shim_function("kumi_is_simulated", ctypes.c_int)
    return ask is not None and bool(ask())


def _call(name: str, amount: float) -> None:
    function = shim_function(name, ctypes.c_int, ctypes.c_double)
    code = 0 if function is None else function(amount)
    if code == _INVALID:
        raise ValueError(f"{amount!r} is more than {_LONGEST_S:g} s of computing")
    if code == _WRONG_THREAD:
        raise RuntimeError("compute time can only be spent by the thread that called MPI last")
