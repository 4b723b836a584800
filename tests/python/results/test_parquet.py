"""Record files to Parquet and back."""

from __future__ import annotations

import struct
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic_run import SyntheticRun

from kumihimo import results
from kumihimo.results import parquet
from kumihimo.results.records import MESSAGE_KINDS, MESSAGE_RECORD, RANK_STATES, STATE_RECORD
from kumihimo.results.summary import LinkUse

TIMES = st.integers(min_value=0, max_value=2**62)
MESSAGES = st.tuples(
    st.integers(0, 2**63),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**40),
    TIMES,
    TIMES,
    st.integers(0, 2**40),
    st.integers(0, 2**32 - 2),
    st.integers(0, len(MESSAGE_KINDS) - 1),
    st.integers(0, 2**56 - 1),
)
STATES = st.tuples(TIMES, TIMES, st.integers(0, 2**32 - 1), st.integers(0, len(RANK_STATES) - 1))


@given(st.lists(MESSAGES, max_size=20), st.integers(1, 7))
def test_messages_survive(rows: list[tuple[int, ...]], chunk_rows: int) -> None:
    records = np.array(
        [(*row[:-1], tuple(row[-1].to_bytes(7, "little"))) for row in rows], dtype=MESSAGE_RECORD
    )
    with TemporaryDirectory() as folder, patch.object(parquet, "CHUNK_ROWS", chunk_rows):
        path = Path(folder) / "messages.parquet"
        batches = parquet.message_batches(records, "schedule")
        parquet.write_table(path, parquet.MESSAGE_COLUMNS, batches, {})
        chunks = list(parquet.read_chunks(path, parquet.MESSAGE_COLUMNS.names))
        assert parquet.count_rows(path) == len(rows)

        def found(name: str) -> list[int]:
            return [value for chunk in chunks for value in chunk[name].tolist()]

        same = ("sequence", "source", "target", "size_bytes", "sent_ps", "arrived_ps", "kind")
        for name in (*same, "zero_load_ps"):
            assert found(name) == records[name].tolist()
        has_tag = [MESSAGE_KINDS[row[8]] in ("eager", "rendezvous") for row in rows]
        assert found("tag") == [
            row[7] if has else -1 for row, has in zip(rows, has_tag, strict=True)
        ]
        delays = [row[5] - row[4] - row[6] for row in rows]
        assert found("queueing_ps") == delays
        assert found("credit_wait_ps") == [
            min(row[9], max(delay, 0)) for row, delay in zip(rows, delays, strict=True)
        ]


@given(st.lists(STATES, max_size=20), st.integers(1, 7))
def test_states_survive(rows: list[tuple[int, ...]], chunk_rows: int) -> None:
    records = np.array([(*row, (0,) * 3) for row in rows], dtype=STATE_RECORD)
    with TemporaryDirectory() as folder, patch.object(parquet, "CHUNK_ROWS", chunk_rows):
        path = Path(folder) / "states.parquet"
        parquet.write_table(path, parquet.STATE_COLUMNS, parquet.state_batches(records), {})
        chunks = list(parquet.read_chunks(path, ["begin_ps", "end_ps", "rank", "state"]))
        columns = ([value for chunk in chunks for value in chunk[name].tolist()]
                   for name in ("begin_ps", "end_ps", "rank", "state"))  # fmt: skip
        assert list(zip(*columns, strict=True)) == rows


def test_a_record_of_no_known_kind_is_refused() -> None:
    records = np.zeros(1, MESSAGE_RECORD)
    records["kind"] = len(MESSAGE_KINDS)
    with pytest.raises(ValueError, match="a record holds the number 6"):
        list(parquet.message_batches(records, None))


def test_tables_of_a_run(all_to_all: SyntheticRun, tmp_path: Path) -> None:
    summary = all_to_all.summary
    run = results.write(tmp_path / "out", all_to_all.info, summary, all_to_all.records)
    assert run.messages.num_rows == len(all_to_all.messages)
    assert run.states.num_rows == len(all_to_all.states)
    assert run.ranks.to_pylist() == summary["ranks"]
    links = run.links.to_pylist()
    assert links == summary["links"]
    busy = [0] * len(links)
    for row in run.link_use.to_pylist():
        assert 0 < row["busy_ps"] <= row["end_ps"] - row["begin_ps"]
        busy[row["link"]] += row["busy_ps"]
    assert busy == [row["busy_ps"] for row in summary["links"]]


def test_tables_name_their_configuration(ring: SyntheticRun, tmp_path: Path) -> None:
    run = results.write(tmp_path / "out", ring.info, ring.summary, ring.records)
    for name in ("messages", "states", "links", "link_use", "ranks"):
        file = pq.ParquetFile(run.table_path(name))
        metadata = file.schema_arrow.metadata
        expected = run.document["configuration_hash"].encode()
        assert metadata[b"kumihimo.configuration_hash"] == expected
        assert metadata[b"kumihimo.status"] == b"complete"
        assert file.metadata.row_group(0).column(0).compression == "ZSTD"
        file.close()


def _busy_bins(use: LinkUse) -> list[list[int]]:
    bins = use["bins"]
    busy = [number for (number,) in struct.iter_unpack("=q", use["busy_ps"])]
    return [busy[begin : begin + bins] for begin in range(0, len(busy), bins)]


@pytest.mark.parametrize(("chunk_rows", "most_groups"), [(1 << 18, 1), (100, 100)])
def test_the_use_of_many_links_is_in_few_groups(
    chunk_rows: int, most_groups: int, all_to_all: SyntheticRun, tmp_path: Path
) -> None:
    use = all_to_all.summary["link_use"]
    path = tmp_path / "link_use.parquet"
    with patch.object(parquet, "CHUNK_ROWS", chunk_rows):
        batches = parquet.link_use_batches(all_to_all.summary)
        parquet.write_table(path, parquet.LINK_USE_COLUMNS, batches, {})
    assert 1 <= pq.read_metadata(path).num_row_groups <= most_groups
    rows = [
        (link, index * use["bin_ps"], busy)
        for link, bins in enumerate(_busy_bins(use))
        for index, busy in enumerate(bins)
        if busy > 0
    ]
    table = parquet.read_table(path).to_pylist()
    assert [(row["link"], row["begin_ps"], row["busy_ps"]) for row in table] == rows
