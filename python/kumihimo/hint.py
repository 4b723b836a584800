"""Hints of programs that run under `kumihimo run`, as in kumihimo/hint.h.

Hints change no result and no matching of messages. Outside of a run, and where none can use them,
these functions do nothing. Neither NumPy nor MPI is needed, but mpi4py by those that take its
communicators.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING

from kumihimo.hint_keys import NAMES
from kumihimo.shim import shim_function

__all__ = ["hint", "wake", "wake_all", "wake_member", "wake_members", "wake_next"]

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

_UNKNOWN = -1


def hint(key: str, value: str) -> int:
    """Passes a hint, as HINT of kumihimo/hint.h does.

    Args:
        key: One of those of docs/reference/hints.md, such as "IN_KERNEL".
        value: As that page says for the key, such as "1" or "64 MiB".

    Returns:
        0, or -1 if the key or the value is not known; nothing was done then.
    """
    function = shim_function(
        "kumi_hint", ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p
    )
    if function is None:
        return 0 if key in NAMES else _UNKNOWN
    return int(function(key.encode(), value.encode(), None))


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


def wake_all() -> None:
    """Wakes the links to all other ranks."""
    function = shim_function(
        "kumi_hint", ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p
    )
    if function is not None:
        function(b"WAKE", b"all", None)


def wake_member(communicator: Comm, rank: int) -> None:
    """As wake, for a rank of a communicator.

    Args:
        communicator: Of mpi4py. If it has two groups, its remote one counts.
        rank: In the communicator.

    Raises:
        ValueError: If there is no such rank, or the communicator is MPI.COMM_NULL.
    """
    function = shim_function("kumi_wake_member", ctypes.c_int, ctypes.c_size_t, ctypes.c_int)
    if function is not None and function(_handle_of(communicator), rank) == _UNKNOWN:
        raise ValueError(f"there is no rank {rank} in this communicator")


def wake_members(communicator: Comm) -> None:
    """As wake, for all ranks of a communicator.

    Args:
        communicator: Of mpi4py. If it has two groups, its remote one counts.

    Raises:
        ValueError: If it is MPI.COMM_NULL.
    """
    function = shim_function("kumi_wake_members", ctypes.c_int, ctypes.c_size_t)
    if function is not None and function(_handle_of(communicator)) == _UNKNOWN:
        raise ValueError("there is no communicator")


def wake_next(place: str) -> None:
    """Wakes, in time, the links that the next MPI calls will use.

    These are the links to the ranks to which this one sent after it had been here before, whatever
    algorithm the MPI library uses. The first time nothing is known yet.

    Args:
        place: A name that only this place in the program has.
    """
    function = shim_function("kumi_wake_next", None, ctypes.c_void_p)
    if function is not None:
        function(_address_of(place))


def _handle_of(communicator: Comm) -> int:
    """Returns what C programs call a communicator: a number of 32 bits, or a pointer."""
    from mpi4py import MPI

    word = ctypes.c_uint32 if MPI._sizeof(communicator) == 4 else ctypes.c_uint64
    return word.from_address(MPI._addressof(communicator)).value


@cache
def _address_of(place: str) -> ctypes.Array[ctypes.c_char]:
    """Returns something with a different address for each place."""
    return ctypes.create_string_buffer(place.encode())
