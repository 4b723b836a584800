"""The sender of a message, its communicator and its tag: from the tags on record.

What stands in a record is what the MPI library gave libfabric to match by. Layouts, from bit 0:

=========  =======================================  ========================================
 field      MPICH (ch4:ofi)                           Open MPI (mtl/ofi)
=========  =======================================  ========================================
 tag        0 to 30, of which programs have 30        0 to 31, signed: its own are below 0
 context    31 to 50; odd ones are of collectives     34 to 63
 protocol   51: acknowledges a synchronous send;      32: synchronous send;
            54: synchronous send; others unknown      33: acknowledges one
=========  =======================================  ========================================

Both have the source of a message in the remote completion data.

Open MPI's one-sided operations (osc/pt2pt) send over a communicator of their own with tags of 0 and
above: over one on which the tag of their fragments is seen, the sender of such tags is not known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kumihimo.results.model import TagLayout
from kumihimo.results.records import MESSAGE_KINDS

ORIGINS = ("program", "collective", "library", "transport")
PROGRAM, COLLECTIVE, LIBRARY, TRANSPORT = range(len(ORIGINS))
UNKNOWN = -1

_CONTROL, _PUT, _GET, _INTERNAL = (
    MESSAGE_KINDS.index(kind) for kind in ("control", "put", "get", "internal")
)

_MPICH_CONTEXT_SHIFT = 31
_MPICH_CONTEXT_MASK = (1 << 20) - 1
_MPICH_PROTOCOL_SHIFT = 51
_MPICH_ACKNOWLEDGES = 1 << 0
_MPICH_SYNCHRONOUS = 1 << 3
_MPICH_LARGEST_TAG = (1 << 30) - 1

_OPEN_MPI_PROTOCOL_SHIFT = 32
_OPEN_MPI_ACKNOWLEDGES = 2
_OPEN_MPI_CONTEXT_SHIFT = 34
_OPEN_MPI_FRAGMENT_TAG = 1 << 16

_Column = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Origins:
    """A row for each record; UNKNOWN where there is none, or where it is not known.

    Attributes:
        origin: Into ORIGINS.
        communicator: The number by which the MPI library distinguishes communicators.
        tag: Of what a program sent.
    """

    origin: _Column
    communicator: _Column
    tag: _Column


class OriginReader:
    """Finds the origin of messages."""

    def __init__(self, layout: TagLayout | None, pieces: Iterable[npt.NDArray[np.void]]) -> None:
        """Prepare for messages of a run or replay.

        Args:
            layout: What their tags say.
            pieces: All records; looked at once, piece by piece, if the layout asks for it.
        """
        self._layout = layout
        self._of_windows = np.empty(0, np.int64)
        if layout == "openmpi":
            found = [_open_mpi_windows(rows) for rows in pieces]
            self._of_windows = np.unique(np.concatenate(found)) if found else self._of_windows

    def read(self, rows: npt.NDArray[np.void]) -> Origins:
        """Return the origins of records."""
        kinds, bits = rows["kind"], np.ascontiguousarray(rows["tag"])
        if self._layout == "mpich":
            origins = _of_mpich(bits)
        elif self._layout == "openmpi":
            origins = self._of_open_mpi(bits)
        elif self._layout == "schedule":
            origins = Origins(_filled(bits, PROGRAM), _filled(bits), bits.astype(np.int64))
        else:
            origins = Origins(_filled(bits), _filled(bits), _filled(bits))
        # What has no tag to match by.
        for kind, origin in ((_CONTROL, TRANSPORT), (_PUT, PROGRAM), (_GET, UNKNOWN),
                             (_INTERNAL, LIBRARY)):  # fmt: skip
            chosen = kinds == kind
            origins.origin[chosen] = origin
            origins.communicator[chosen] = UNKNOWN
            origins.tag[chosen] = UNKNOWN
        return origins

    def _of_open_mpi(self, bits: npt.NDArray[np.uint64]) -> Origins:
        tag = _low_word(bits)
        communicator = (bits >> np.uint64(_OPEN_MPI_CONTEXT_SHIFT)).astype(np.int64)
        protocol = (bits >> np.uint64(_OPEN_MPI_PROTOCOL_SHIFT)).astype(np.int64) & 3
        origin = np.where(tag < 0, COLLECTIVE, PROGRAM)
        origin[np.isin(communicator, self._of_windows) & (tag >= 0)] = UNKNOWN
        origin[protocol == _OPEN_MPI_ACKNOWLEDGES] = LIBRARY
        origin[protocol > _OPEN_MPI_ACKNOWLEDGES] = UNKNOWN
        return _with_tags_of_programs(origin, communicator, tag)


def _of_mpich(bits: npt.NDArray[np.uint64]) -> Origins:
    tag = (bits & np.uint64((1 << _MPICH_CONTEXT_SHIFT) - 1)).astype(np.int64)
    context = (bits >> np.uint64(_MPICH_CONTEXT_SHIFT)).astype(np.int64) & _MPICH_CONTEXT_MASK
    protocol = (bits >> np.uint64(_MPICH_PROTOCOL_SHIFT)).astype(np.int64)
    origin = np.where(context & 1, COLLECTIVE, PROGRAM)
    origin[(origin == PROGRAM) & (tag > _MPICH_LARGEST_TAG)] = UNKNOWN
    origin[protocol == _MPICH_ACKNOWLEDGES] = LIBRARY
    is_known = np.isin(protocol, (0, _MPICH_ACKNOWLEDGES, _MPICH_SYNCHRONOUS))
    origin[~is_known] = UNKNOWN
    communicator = np.where(is_known, context & ~1, UNKNOWN)
    return _with_tags_of_programs(origin, communicator, tag)


def _with_tags_of_programs(origin: _Column, communicator: _Column, tag: _Column) -> Origins:
    return Origins(origin, communicator, np.where(origin == PROGRAM, tag, UNKNOWN))


def _open_mpi_windows(rows: npt.NDArray[np.void]) -> _Column:
    """Return the communicators on which there are fragments of one-sided operations."""
    bits = rows["tag"][~np.isin(rows["kind"], (_CONTROL, _PUT, _GET, _INTERNAL))]
    fragments = bits[_low_word(bits) == _OPEN_MPI_FRAGMENT_TAG]
    return np.unique((fragments >> np.uint64(_OPEN_MPI_CONTEXT_SHIFT)).astype(np.int64))


def _low_word(bits: npt.NDArray[np.uint64]) -> _Column:
    return bits.astype(np.uint32).astype(np.int32).astype(np.int64)


def _filled(like: npt.NDArray[np.uint64], value: int = UNKNOWN) -> _Column:
    return np.full(len(like), value, np.int64)
