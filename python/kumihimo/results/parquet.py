"""Parquet tables of a result: typed columns with units in their names, written in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from kumihimo.errors import UserError
from kumihimo.results.approximate import bits_of_functions
from kumihimo.results.model import TagLayout
from kumihimo.results.origins import ORIGINS, UNKNOWN, OriginReader
from kumihimo.results.records import (
    MESSAGE_KINDS,
    POWER_RECORD,
    POWER_STATES,
    QUEUE_DEPTH_RECORD,
    RANK_STATES,
)
from kumihimo.results.service import memory_bytes
from kumihimo.results.summary import (
    LinkPower,
    LinkSummary,
    MatchingColumns,
    RankSummary,
    Service,
    ServiceRow,
    Summary,
)

# Rows that are in memory at a time: 16 MiB of messages.
CHUNK_ROWS = 1 << 18

_NAME = pa.dictionary(pa.int8(), pa.string())

MESSAGE_COLUMNS = pa.schema(
    [
        ("source", pa.uint32()),
        ("target", pa.uint32()),
        ("sequence", pa.uint64()),
        ("kind", _NAME),
        ("origin", _NAME),
        ("communicator", pa.uint32()),
        ("tag", pa.uint32()),
        ("size_bytes", pa.uint64()),
        ("sent_ps", pa.int64()),
        ("arrived_ps", pa.int64()),
        ("zero_load_ps", pa.int64()),
        ("queueing_ps", pa.int64()),
        ("credit_wait_ps", pa.int64()),
    ]
)
STATE_COLUMNS = pa.schema(
    [("rank", pa.uint32()), ("state", _NAME), ("begin_ps", pa.int64()), ("end_ps", pa.int64())]
)
_LINK_TYPES = {
    "link": pa.uint32(),
    "name": pa.string(),
    "source": pa.string(),
    "target": pa.string(),
}
LINK_COLUMNS = pa.schema(
    [(key, _LINK_TYPES.get(key, pa.int64())) for key in LinkSummary.__annotations__]
)
LINK_USE_COLUMNS = pa.schema(
    [
        ("link", pa.uint32()),
        ("begin_ps", pa.int64()),
        ("end_ps", pa.int64()),
        ("busy_ps", pa.int64()),
    ]
)
_ENERGY = pa.decimal128(38, 0)
LINK_POWER_COLUMNS = pa.schema(
    [("link", pa.uint32())]
    + [(f"{state}_ps", pa.int64()) for state in POWER_STATES]
    + [(name, pa.int64()) for name in ("wakes", "wake_stall_ps", "frame_wait_ps")]
    + [("energy_aj", _ENERGY), ("oracle_energy_aj", _ENERGY)]
)
POWER_STATE_COLUMNS = pa.schema(
    [
        ("link", pa.uint32()),
        ("power_state", _NAME),
        ("begin_ps", pa.int64()),
        ("end_ps", pa.int64()),
    ]
)
SERVICE_COLUMNS = pa.schema(
    [(key, pa.int64()) for key in (*ServiceRow.__annotations__, "memory_bytes")]
)
SERVICE_MEMORY_COLUMNS = pa.schema(
    [
        ("at_ps", pa.int64()),
        ("rank", pa.uint32()),
        ("memory_bytes", pa.uint64()),
        ("connections", pa.uint32()),
        ("refused", pa.uint32()),
        ("closed", pa.uint32()),
    ]
)
SERVICE_TRAFFIC_COLUMNS = pa.schema(
    [
        ("source", pa.uint32()),
        ("target", pa.uint32()),
        ("messages", pa.uint64()),
        ("packets", pa.uint64()),
    ]
)
APPROXIMATE_COLUMNS = pa.schema(
    [
        ("function", pa.string()),
        ("datatype", pa.string()),
        ("position", pa.uint32()),
        ("wrong_bits", pa.int64()),
    ]
)
RANK_COLUMNS = pa.schema([(key, pa.int64()) for key in RankSummary.__annotations__])
MATCHING_COLUMNS = pa.schema(
    [
        (key, pa.list_(pa.int64()) if key.endswith("_depths") else pa.int64())
        for key in MatchingColumns.__annotations__
    ]
)

QUEUE_DEPTH_COLUMNS = pa.schema(
    [
        ("rank", pa.uint32()),
        ("begin_ps", pa.int64()),
        ("end_ps", pa.int64()),
        ("posted", pa.uint32()),
        ("unexpected", pa.uint32()),
    ]
)

# Columns of names, with the names in the order of their numbers.
_NAMES = {
    "kind": MESSAGE_KINDS,
    "origin": ORIGINS,
    "state": RANK_STATES,
    "power_state": POWER_STATES,
}

# Numbers that mostly grow from row to row take a fraction of the space as differences.
_GROWING = ("sequence", "sent_ps", "arrived_ps", "begin_ps", "end_ps", "at_ps")


def write_table(
    path: Path, columns: pa.Schema, batches: Iterator[pa.RecordBatch], metadata: dict[str, str]
) -> None:
    """Write batches as one Parquet file, each batch a row group of its own.

    Args:
        path: The file to be.
        columns: Names and types.
        batches: Consumed one by one; only one is in memory.
        metadata: Kept in the file's schema.
    """
    names = [field.name for field in columns]
    growing = {name: "DELTA_BINARY_PACKED" for name in _GROWING if name in names}
    schema = columns.with_metadata(metadata)
    with pq.ParquetWriter(
        path,
        schema,
        compression="zstd",
        use_dictionary=[name for name in names if name not in growing],
        column_encoding=growing or None,
    ) as writer:
        for batch in batches:
            writer.write_batch(batch.replace_schema_metadata(schema.metadata))


@contextmanager
def _damage_told(path: Path) -> Iterator[None]:
    try:
        yield
    except pa.ArrowInvalid as error:
        raise UserError(f"{path}: is damaged: {error}") from error


def read_table(path: Path) -> pa.Table:
    """Read a whole table.

    Raises:
        UserError: If the file is no Parquet table. The functions below raise it, too.
    """
    with _damage_told(path):
        return pq.read_table(path)


def read_chunks(path: Path, columns: Sequence[str]) -> Iterator[dict[str, npt.NDArray[Any]]]:
    """Read some columns of a table piece by piece, as numpy arrays.

    Columns of names come as indices: "kind" into MESSAGE_KINDS, "origin" into ORIGINS, "state" into
    RANK_STATES, "power_state" into POWER_STATES. What is not known comes as UNKNOWN, -1.
    """
    with _damage_told(path), pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=CHUNK_ROWS, columns=list(columns)):
            yield {name: _numbers(batch.column(name), name) for name in columns}


def count_rows(path: Path) -> int:
    """Return the number of rows of a table, from its footer alone."""
    with _damage_told(path):
        return int(pq.read_metadata(path).num_rows)


def message_batches(
    rows: npt.NDArray[np.void], layout: TagLayout | None
) -> Iterator[pa.RecordBatch]:
    """Turn message records, whose tags have this layout, into batches of MESSAGE_COLUMNS."""
    origins = OriginReader(layout, _pieces(rows))
    return _batches(rows, lambda part: _message_batch(part, origins))


def state_batches(rows: npt.NDArray[np.void]) -> Iterator[pa.RecordBatch]:
    """Turn state records into batches of STATE_COLUMNS."""
    return _batches(rows, lambda part: _stretch_batch(part, STATE_COLUMNS, RANK_STATES))


def service_memory_batches(rows: npt.NDArray[np.void]) -> Iterator[pa.RecordBatch]:
    """Turn records of memory into batches of SERVICE_MEMORY_COLUMNS, by instant and rank.

    A run writes each when its rank has got so far; those of a rank are in order.
    """
    order = np.lexsort((rows["rank"], rows["at_ps"]))
    return _batches(rows[order], lambda part: _plain_batch(part, SERVICE_MEMORY_COLUMNS))


def service_traffic_batches(rows: npt.NDArray[np.void]) -> Iterator[pa.RecordBatch]:
    """Turn records of traffic into batches of SERVICE_TRAFFIC_COLUMNS."""
    return _batches(rows, lambda part: _plain_batch(part, SERVICE_TRAFFIC_COLUMNS))


def link_batches(summary: Summary) -> Iterator[pa.RecordBatch]:
    """Turn the links of a summary into one batch of LINK_COLUMNS."""
    yield pa.RecordBatch.from_pylist([*summary["links"]], schema=LINK_COLUMNS)


def rank_columns(summary: Summary) -> pa.Schema:
    """Return the columns of the ranks' table: the keys that the summary's rows have."""
    first = next(iter(summary["ranks"]), RankSummary.__annotations__)
    return pa.schema([field for field in RANK_COLUMNS if field.name in first])


def rank_batches(summary: Summary) -> Iterator[pa.RecordBatch]:
    """Turn the ranks of a summary into one batch of `rank_columns`."""
    yield pa.RecordBatch.from_pylist([*summary["ranks"]], schema=rank_columns(summary))


def matching_batches(columns: MatchingColumns) -> Iterator[pa.RecordBatch]:
    """Turn what matching did at each rank into one batch of MATCHING_COLUMNS."""
    yield pa.RecordBatch.from_pydict(dict(columns), schema=MATCHING_COLUMNS)


def queue_depth_batches(records: bytes) -> Iterator[pa.RecordBatch]:
    """Turn the depths of queues of a summary into batches of QUEUE_DEPTH_COLUMNS."""
    return _batches(
        np.frombuffer(records, dtype=QUEUE_DEPTH_RECORD),
        lambda part: _plain_batch(part, QUEUE_DEPTH_COLUMNS),
    )


def service_batches(service: Service) -> Iterator[pa.RecordBatch]:
    """Turn what ranks had with their peers into one batch of SERVICE_COLUMNS."""
    rows = [{**row, "memory_bytes": memory_bytes(row)} for row in service["ranks"]]
    yield pa.RecordBatch.from_pylist(rows, schema=SERVICE_COLUMNS)


def approximate_batches(found: Mapping[str, Any]) -> Iterator[pa.RecordBatch]:
    """Turn the part "approximate" of `result.json` into one batch of APPROXIMATE_COLUMNS."""
    rows = [
        dict(zip(APPROXIMATE_COLUMNS.names, row, strict=True)) for row in bits_of_functions(found)
    ]
    yield pa.RecordBatch.from_pylist(rows, schema=APPROXIMATE_COLUMNS)


def link_use_batches(summary: Summary) -> Iterator[pa.RecordBatch]:
    """Turn the use of links over time into batches of LINK_USE_COLUMNS, without idle bins."""
    use = summary["link_use"]
    bin_ps = use["bin_ps"]
    numbers = [link["link"] for link in summary["links"]]
    table = np.frombuffer(use["busy_ps"], dtype=np.int64).reshape(len(numbers), use["bins"])
    parts: list[npt.NDArray[np.int64]] = []
    rows = 0
    for link, busy_ps in zip(numbers, table, strict=True):
        bins = np.flatnonzero(busy_ps)
        columns = [np.full(bins.size, link), bins * bin_ps, (bins + 1) * bin_ps, busy_ps[bins]]
        parts.append(np.stack(columns))
        rows += bins.size
        # Many links share a batch: each becomes a row group, which costs much more than rows.
        if rows >= CHUNK_ROWS:
            yield _link_use_batch(parts)
            parts, rows = [], 0
    if rows:
        yield _link_use_batch(parts)


def link_power_batches(power: LinkPower) -> Iterator[pa.RecordBatch]:
    """Turn the power of links into one batch of LINK_POWER_COLUMNS."""
    rows = [
        {f"{state}_ps": span for state, span in zip(POWER_STATES, row["times_ps"], strict=True)}
        | dict(row)
        for row in power["links"]
    ]
    yield pa.RecordBatch.from_pylist(rows, schema=LINK_POWER_COLUMNS)


def power_state_batches(log: bytes) -> Iterator[pa.RecordBatch]:
    """Turn the log of power states into batches of POWER_STATE_COLUMNS."""
    return _batches(
        np.frombuffer(log, dtype=POWER_RECORD),
        lambda part: _stretch_batch(part, POWER_STATE_COLUMNS, POWER_STATES),
    )


def _link_use_batch(parts: list[npt.NDArray[np.int64]]) -> pa.RecordBatch:
    columns = np.concatenate(parts, axis=1)
    arrays = [
        pa.array(column.astype(np.uint32) if field.name == "link" else column)
        for field, column in zip(LINK_USE_COLUMNS, columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=LINK_USE_COLUMNS)


def _batches(
    rows: npt.NDArray[np.void], convert: Callable[[npt.NDArray[np.void]], pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for piece in _pieces(rows):
        yield convert(piece)


def _pieces(rows: npt.NDArray[np.void]) -> Iterator[npt.NDArray[np.void]]:
    for begin in range(0, len(rows), CHUNK_ROWS):
        yield rows[begin : begin + CHUNK_ROWS]


def _message_batch(rows: npt.NDArray[np.void], origin_reader: OriginReader) -> pa.RecordBatch:
    arrays = {
        name: pa.array(np.ascontiguousarray(rows[name]))
        for name in ("source", "target", "sequence", "size_bytes", "sent_ps", "arrived_ps",
                     "zero_load_ps")
    }  # fmt: skip
    arrays["kind"] = _names(rows["kind"], MESSAGE_KINDS)
    origins = origin_reader.read(rows)
    arrays["origin"] = _names(origins.origin, ORIGINS)
    arrays["communicator"] = _known(origins.communicator)
    arrays["tag"] = _known(origins.tag)
    queueing = rows["arrived_ps"] - rows["sent_ps"] - rows["zero_load_ps"]
    arrays["queueing_ps"] = pa.array(queueing)
    # Waits for room that the message's own packets took are no loss where those had to wait anyway.
    credit_wait = _seven_bytes(rows["credit_wait_ps"])
    arrays["credit_wait_ps"] = pa.array(np.minimum(credit_wait, np.maximum(queueing, 0)))
    return pa.RecordBatch.from_arrays(
        [arrays[field.name] for field in MESSAGE_COLUMNS], schema=MESSAGE_COLUMNS
    )


def _seven_bytes(columns: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return little-endian numbers of seven bytes, shape (rows, 7)."""
    wide = np.zeros((len(columns), 8), dtype=np.uint8)
    wide[:, :7] = columns
    return wide.view("<i8").reshape(-1)


def _stretch_batch(
    rows: npt.NDArray[np.void], columns: pa.Schema, names: Sequence[str]
) -> pa.RecordBatch:
    """Turn records of ranks or links, their states and times into a batch of `columns`."""
    track = columns.names[0]
    arrays = [
        pa.array(np.ascontiguousarray(rows[track])),
        _names(rows["state"], names),
        pa.array(np.ascontiguousarray(rows["begin_ps"])),
        pa.array(np.ascontiguousarray(rows["end_ps"])),
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def _plain_batch(rows: npt.NDArray[np.void], columns: pa.Schema) -> pa.RecordBatch:
    """Turn records into a batch of `columns`, which are their fields."""
    arrays = [pa.array(np.ascontiguousarray(rows[name])) for name in columns.names]
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def _names(indices: npt.NDArray[Any], names: Sequence[str]) -> pa.Array:
    if indices.size and int(indices.max()) >= len(names):
        raise ValueError(f"a record holds the number {int(indices.max())}, known are {names}")
    unknown = indices.astype(np.int64) == UNKNOWN
    return pa.DictionaryArray.from_arrays(
        pa.array(indices.astype(np.int8), mask=unknown), pa.array(names)
    )


def _known(numbers: npt.NDArray[np.int64]) -> pa.Array:
    return pa.array(numbers.astype(np.uint32), mask=numbers == UNKNOWN)


def _numbers(column: pa.Array, name: str) -> npt.NDArray[Any]:
    if not pa.types.is_dictionary(column.type):
        return _filled(column)
    # The order of a dictionary read back is the file's own, so it is mapped to the known one.
    known = _NAMES[name]
    mapping = np.array([known.index(str(entry)) for entry in column.dictionary], dtype=np.int8)
    # Behind the last entry: where a missing one leads to.
    mapping = np.append(mapping, np.int8(UNKNOWN))
    return np.asarray(mapping[_filled(column.indices)])


def _filled(column: pa.Array) -> npt.NDArray[Any]:
    """Return the numbers of a column, UNKNOWN for those that are missing.

    pyarrow's functions for that take as long to load as a small table takes to read.
    """
    if not column.null_count:
        return np.asarray(column.to_numpy(zero_copy_only=False))
    validity, values = column.buffers()
    numbers = pa.Array.from_buffers(column.type, len(column), [None, values], offset=column.offset)
    bits = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little")
    is_known = bits[column.offset :][: len(column)].astype(bool)
    return np.where(is_known, numbers.to_numpy().astype(np.int64), UNKNOWN)
