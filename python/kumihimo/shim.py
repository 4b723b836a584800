"""Finds what the library that a run loads before a program offers to it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def shim_function(name: str, result: type | None, *arguments: type) -> Callable[..., Any] | None:
    """Returns the function `name` of the shim that the run has loaded; None outside of a run.

    Args:
        name: As it is exported.
        result: Its type, of ctypes; None if there is none.
        arguments: Their types.
    """
    function = getattr(ctypes.CDLL(None), name, None)
    if function is None:
        return None
    function.restype = result
    function.argtypes = arguments
    found: Callable[..., Any] = function
    return found
