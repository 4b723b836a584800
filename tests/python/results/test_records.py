"""The record files of the core, as numpy sees them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumihimo.results.records import (
    MESSAGE_RECORD,
    QUEUE_DEPTH_RECORD,
    SERVICE_MEMORY_RECORD,
    STATE_RECORD,
    TRAFFIC_RECORD,
    read_records,
    sort_states,
)


def layout_of(dtype: np.dtype[np.void]) -> list[tuple[str, int, int]]:
    assert dtype.fields is not None
    fields = [(name, int(field[1]), field[0].itemsize) for name, field in dtype.fields.items()]
    return [field for field in fields if field[0] != "reserved"]


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("message", MESSAGE_RECORD),
        ("state", STATE_RECORD),
        ("traffic", TRAFFIC_RECORD),
        ("service_memory", SERVICE_MEMORY_RECORD),
        ("queue_depth", QUEUE_DEPTH_RECORD),
    ],
)
def test_layout_is_that_of_the_core(name: str, dtype: np.dtype[np.void]) -> None:
    layout = import_module("kumihimo._core").record_layout()
    assert layout_of(dtype) == [tuple(field) for field in layout[name]]
    assert dtype.itemsize == layout[f"{name}_bytes"]


def test_a_missing_file_is_empty(tmp_path: Path) -> None:
    file = read_records(tmp_path / "messages.bin", MESSAGE_RECORD)
    assert len(file.rows) == 0
    assert file.remark("messages.bin") is None


def test_an_unreadable_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "messages.bin").mkdir()
    with pytest.raises(OSError, match=r"messages\.bin"):
        read_records(tmp_path / "messages.bin", MESSAGE_RECORD)


@given(st.binary(max_size=400), st.sampled_from([MESSAGE_RECORD, STATE_RECORD]))
def test_whole_records_are_read_and_the_rest_is_counted(
    data: bytes, dtype: np.dtype[np.void]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "records.bin"
        path.write_bytes(data)
        file = read_records(path, dtype)
        whole = len(data) - len(data) % dtype.itemsize
        assert file.rows.tobytes() == data[:whole]
        assert file.dropped_bytes == len(data) - whole
        assert (file.remark("x") is None) == (file.dropped_bytes == 0)


def test_records_are_mapped_and_not_read(tmp_path: Path) -> None:
    path = tmp_path / "messages.bin"
    np.zeros(3, MESSAGE_RECORD).tofile(path)
    assert isinstance(read_records(path, MESSAGE_RECORD).rows, np.memmap)


def test_states_are_sorted_by_time_and_rank(tmp_path: Path) -> None:
    rows = np.zeros(4, STATE_RECORD)
    rows["begin_ps"] = [7, 3, 3, 0]
    rows["rank"] = [0, 2, 1, 5]
    path = tmp_path / "states.bin"
    path.write_bytes(rows.tobytes() + b"cut")
    sort_states(path)
    assert path.read_bytes() == rows[[3, 2, 1, 0]].tobytes() + b"cut"
    sort_states(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()
