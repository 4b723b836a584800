"""The reference names every file, key and column there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic_run import SyntheticRun

from kumihimo import results
from kumihimo.results import parquet
from kumihimo.results.call_sites import CALL_SITE_COLUMNS

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "results.md"
COLUMNS = {
    "messages": parquet.MESSAGE_COLUMNS,
    "states": parquet.STATE_COLUMNS,
    "links": parquet.LINK_COLUMNS,
    "link_use": parquet.LINK_USE_COLUMNS,
    "ranks": parquet.RANK_COLUMNS,
    "link_power": parquet.LINK_POWER_COLUMNS,
    "queue_depths": parquet.QUEUE_DEPTH_COLUMNS,
    "call_sites": CALL_SITE_COLUMNS,
    "service": parquet.SERVICE_COLUMNS,
    "service_memory": parquet.SERVICE_MEMORY_COLUMNS,
    "service_traffic": parquet.SERVICE_TRAFFIC_COLUMNS,
    "approximate": parquet.APPROXIMATE_COLUMNS,
    "power_states": parquet.POWER_STATE_COLUMNS,
}


def section(heading: str) -> str:
    text = PAGE.read_text(encoding="utf-8")
    return text.split(f"# {heading}\n", 1)[1].split("\n#", 1)[0]


@pytest.mark.parametrize("table", COLUMNS)
def test_columns(table: str) -> None:
    missing = [
        name for name in COLUMNS[table].names if f"`{name}`" not in section(f"{table}.parquet")
    ]
    assert missing == []


def test_keys_and_files(ring: SyntheticRun, tmp_path: Path) -> None:
    run = results.write(tmp_path / "out", ring.info, ring.summary, ring.records)
    assert [key for key in run.document if f"`{key}`" not in section("result.json")] == []
    names = [path.name for path in (tmp_path / "out").iterdir()]
    assert [name for name in names if f"`{name}`" not in section("The result folder")] == []
