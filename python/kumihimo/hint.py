"""Hints of programs that run under `kumihimo run`, as in kumihimo/hint.h.

Hints change no result and no matching of messages. Outside of a run, and where nobody can use them,
these functions do nothing. Neither NumPy nor MPI is needed.
"""

from __future__ import annotations

import ctypes
from functools import cache

from kumihimo.shim import shim_function

__all__ = ["wake", "wake_next"]

_UNKNOWN = -1


def wake(*ranks: int) -> None:
    """Wakes the sleeping links on the way to some ranks: this one is going to send there.

    The wake frames leave at once, and the rank goes on.

    Args:
        ranks: In MPI_COMM_WORLD.

    Raises:
        ValueError: If there is no such rank. The links to those before it have been woken.
    """
    function = shim_function("kumi_wake_rank", ctypes.c_int, ctypes.c_int)
    if function is None:
        return
    for rank in ranks:
        if function(rank) == _UNKNOWN:
            raise ValueError(f"there is no rank {rank}")


def wake_next(place: str) -> None:
    """Wakes, in time, the links that the next MPI calls will use.

    These are the links to the ranks to which this one sent after it had been here before, whatever
    algorithm the MPI library uses. The first time nothing is known yet.

    Args:
        place: A name for this place in the program, of its own.
    """
    function = shim_function("kumi_wake_next", None, ctypes.c_void_p)
    if function is not None:
        function(_address_of(place))


@cache
def _address_of(place: str) -> ctypes.Array[ctypes.c_char]:
    """Returns something that has an address of its own for each place."""
    return ctypes.create_string_buffer(place.encode())
