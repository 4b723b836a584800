"""The core's record files, memory-mapped as numpy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

# The layouts of MessageRecord and StateRecord in src/conductor/records/records.hpp.
MESSAGE_RECORD = np.dtype(
    [
        ("sequence", "<u8"),
        ("source", "<u4"),
        ("target", "<u4"),
        ("size_bytes", "<u8"),
        ("sent_ps", "<i8"),
        ("arrived_ps", "<i8"),
        ("zero_load_ps", "<i8"),
        ("tag", "<u8"),
        ("kind", "u1"),
        ("credit_wait_ps", "u1", 7),
    ]
)
STATE_RECORD = np.dtype(
    [
        ("begin_ps", "<i8"),
        ("end_ps", "<i8"),
        ("rank", "<u4"),
        ("state", "u1"),
        ("reserved", "u1", 3),
    ]
)

# The layout of ServiceMemoryRecord in src/conductor/records/records.hpp.
SERVICE_MEMORY_RECORD = np.dtype(
    [
        ("at_ps", "<i8"),
        ("memory_bytes", "<u8"),
        ("rank", "<u4"),
        ("connections", "<u4"),
        ("refused", "<u4"),
        ("closed", "<u4"),
    ]
)

# The layout of TrafficRecord in src/conductor/records/records.hpp.
TRAFFIC_RECORD = np.dtype(
    [("source", "<u4"), ("target", "<u4"), ("messages", "<u8"), ("packets", "<u8")]
)

# The layout of QueueDepthRecord in python/bindings/queue_depths.hpp.
QUEUE_DEPTH_RECORD = np.dtype(
    [
        ("begin_ps", "<i8"),
        ("end_ps", "<i8"),
        ("rank", "<u4"),
        ("posted", "<u4"),
        ("unexpected", "<u4"),
        ("reserved", "<u4"),
    ]
)

# The layout of PowerRecord in src/network/power/power_log.hpp.
POWER_RECORD = np.dtype(
    [
        ("begin_ps", "<i8"),
        ("end_ps", "<i8"),
        ("link", "<u4"),
        ("state", "u1"),
        ("reserved", "u1", 3),
    ]
)

# In the order of the numbers in MessageKind, RankState and PowerState.
MESSAGE_KINDS = ("eager", "rendezvous", "control", "put", "get", "internal")
RANK_STATES = ("compute", "communication", "wait", "sleep")
POWER_STATES = (
    "active",
    "sleep",
    "low_power",
    "refresh",
    "wake",
    "deep_sleep",
    "deep_low_power",
    "deep_refresh",
    "deep_wake",
)
CONTROL = MESSAGE_KINDS.index("control")


@dataclass(frozen=True)
class RecordFile:
    """Whole records of one file.

    Attributes:
        rows: A read-only view of the file; its pages are read when they are touched.
        dropped_bytes: Bytes after the last whole record, left by a run that was killed while it
            wrote, or because the disk was full.
    """

    rows: npt.NDArray[np.void]
    dropped_bytes: int

    def remark(self, name: str) -> str | None:
        """Say what was dropped from the file called `name`, or None if nothing was."""
        if not self.dropped_bytes:
            return None
        return f"{name}: the last record was cut off; {self.dropped_bytes} bytes of it dropped"


def read_records(path: Path, layout: np.dtype[np.void]) -> RecordFile:
    """Map a record file into memory. A missing file counts as an empty one.

    Args:
        path: `messages.bin` or `states.bin`.
        layout: MESSAGE_RECORD or STATE_RECORD.

    Raises:
        OSError: If the file is there but cannot be read.
    """
    try:
        size_bytes = path.stat().st_size
    except FileNotFoundError:
        size_bytes = 0
    count, rest = divmod(size_bytes, layout.itemsize)
    if count == 0:
        return RecordFile(np.empty(0, dtype=layout), rest)
    return RecordFile(np.memmap(path, dtype=layout, mode="r", shape=(count,)), rest)


def sort_states(path: Path) -> None:
    """Put the records of `states.bin` into the order of their beginnings, ties by rank.

    A run writes each when its rank has got so far, which is not the same in every repeat. A missing
    file, and what follows the last whole record, stay as they are.

    Raises:
        OSError: If the file cannot be read or written.
    """
    rows = read_records(path, STATE_RECORD).rows
    if len(rows) == 0:
        return
    order = np.lexsort((rows["rank"], rows["begin_ps"]))
    sorted_rows = rows[order]
    with path.open("r+b") as file:
        sorted_rows.tofile(file)
