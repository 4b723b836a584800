"""The sender of a message: match bits of MPI libraries, as a run had them on record."""

from __future__ import annotations

import numpy as np
import pytest

from kumihimo.results.model import TagLayout
from kumihimo.results.origins import ORIGINS, UNKNOWN, OriginReader
from kumihimo.results.records import MESSAGE_KINDS, MESSAGE_RECORD

# Kind, match bits; origin, communicator, tag. The program sends with tag 7 over MPI_COMM_WORLD and
# over a copy of it, then as MPI_Ssend with tag 21.
MPICH = [
    ("eager", 0x7, "program", 0, 7),
    ("eager", 0xF800000007, "program", 0x1F0, 7),
    ("rendezvous", 0xF800000009, "program", 0x1F0, 9),
    ("control", 0xF800000009, "transport", None, None),
    ("control", 0, "transport", None, None),
    ("eager", 0x4000F800000015, "program", 0x1F0, 21),
    ("eager", 0x0800F800000015, "library", 0x1F0, None),
    ("eager", 0xF880000002, "collective", 0x1F0, None),
    ("eager", 0x8000000E, "collective", 0, None),
    ("eager", 0xF88000011F, "collective", 0x1F0, None),
    ("eager", 0xF8000F4240, "program", 0x1F0, 1_000_000),
    # Larger than MPI_TAG_UB; a protocol that is not known.
    ("eager", 0x40000001, None, 0, None),
    ("eager", 0x1000F800000015, None, None, None),
    ("put", 0, "program", None, None),
    ("get", 0, None, None, None),
    ("internal", 0, "library", None, None),
]
OPEN_MPI = [
    ("eager", 0x7, "program", 0, 7),
    ("eager", 0xC00000007, "program", 3, 7),
    ("rendezvous", 0xC00000009, "program", 3, 9),
    ("eager", 0xD00000015, "program", 3, 21),
    ("eager", 0xE00000015, "library", 3, None),
    ("eager", 0xCFFFFFFEF, "collective", 3, None),
    ("eager", 0xFFFFFFF0, "collective", 0, None),
    ("eager", 0xF00000015, None, 3, None),
    # A window's communicator.
    ("eager", 0x10FFFFFFF0, "collective", 4, None),
    ("eager", 0x1000010000, None, 4, None),
    ("eager", 0x1000000006, None, 4, None),
    ("control", 0, "transport", None, None),
]
SCHEDULE = [("eager", 5, "program", None, 5), ("control", 0, "transport", None, None)]
NOTHING_KNOWN = [("rendezvous", 5, None, None, None), ("control", 0, "transport", None, None)]


@pytest.mark.parametrize(
    ("layout", "rows"),
    [("mpich", MPICH), ("openmpi", OPEN_MPI), ("schedule", SCHEDULE), (None, NOTHING_KNOWN)],
)
def test_origin_communicator_and_tag(
    layout: TagLayout | None, rows: list[tuple[str, int, str | None, int | None, int | None]]
) -> None:
    records = np.zeros(len(rows), MESSAGE_RECORD)
    records["kind"] = [MESSAGE_KINDS.index(row[0]) for row in rows]
    records["tag"] = [row[1] for row in rows]
    # The window shows itself in another piece than the one that is read.
    origins = OriginReader(layout, [records[:1], records[1:]]).read(records)

    def known(column: np.ndarray) -> list[int | None]:
        return [None if value == UNKNOWN else int(value) for value in column]

    found = zip(known(origins.origin), known(origins.communicator), known(origins.tag), strict=True)
    for row, (origin, communicator, tag) in zip(rows, found, strict=True):
        name = None if origin is None else ORIGINS[origin]
        assert (name, communicator, tag) == row[2:], hex(row[1])
