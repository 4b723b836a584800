"""Writes a result folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kumihimo.results.canonical import canonical_json, readable_json
from kumihimo.results.document import host_document, result_document
from kumihimo.results.folder import (
    HOST_FILE,
    REPORT_FILE,
    RESULT_FILE,
    TRACE_FILE,
    replace_file,
    staged_folder,
)
from kumihimo.results.model import RunInfo
from kumihimo.results.phases import WRITE, mark, phase_between, phases_document
from kumihimo.results.run import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumihimo.results.records import RecordFile
    from kumihimo.results.summary import CallSiteSums, Summary


def write_result(
    directory: Path,
    info: RunInfo,
    summary: Summary,
    record_directory: Path | None,
    *,
    overwrite: bool,
    report: bool,
    trace: bool,
) -> Run:
    """Write a result folder; see `kumihimo.results.write`."""
    document = result_document(info, summary)
    host = host_document(info, summary)
    with staged_folder(directory, overwrite=overwrite) as stage:
        (stage / RESULT_FILE).write_text(canonical_json(document), encoding="utf-8")
        run = Run(document, host, stage)
        if record_directory is not None:
            host["remarks"] += _write_tables(run, info, summary, record_directory)
            if trace:
                host["remarks"] += _write_trace(run)
        if "call_sites" in summary:
            _write_call_sites(run, summary["call_sites"])
        if record_directory is not None and report:
            write_report(run)
        # Last, since it names how long the others took.
        if info.host.ended is not None:
            written = phase_between(WRITE, info.host.ended, mark())
            host.setdefault("phases", {}).update(phases_document([written]))
        (stage / HOST_FILE).write_text(readable_json(host), encoding="utf-8")
    return replace(run, directory=directory)


def _write_tables(run: Run, info: RunInfo, summary: Summary, record_directory: Path) -> list[str]:
    from kumihimo.results import parquet
    from kumihimo.results.damage import check_records
    from kumihimo.results.records import (
        MESSAGE_RECORD,
        SERVICE_MEMORY_RECORD,
        STATE_RECORD,
        TRAFFIC_RECORD,
        read_records,
    )

    metadata = _metadata(run)
    messages = read_records(record_directory / "messages.bin", MESSAGE_RECORD)
    states = read_records(record_directory / "states.bin", STATE_RECORD)
    check_records(messages.rows, states.rows, info.ranks)
    tables = [
        (
            "messages",
            parquet.MESSAGE_COLUMNS,
            parquet.message_batches(messages.rows, info.tag_layout),
        ),
        ("states", parquet.STATE_COLUMNS, parquet.state_batches(states.rows)),
        ("links", parquet.LINK_COLUMNS, parquet.link_batches(summary)),
        ("link_use", parquet.LINK_USE_COLUMNS, parquet.link_use_batches(summary)),
        ("ranks", parquet.rank_columns(summary), parquet.rank_batches(summary)),
    ]
    if "matching" in summary:
        rows = parquet.matching_batches(summary["matching"])
        tables.append(("matching", parquet.MATCHING_COLUMNS, rows))
    if "queue_depths" in summary:
        rows = parquet.queue_depth_batches(summary["queue_depths"])
        tables.append(("queue_depths", parquet.QUEUE_DEPTH_COLUMNS, rows))
    remarks: list[str] = []
    files = [("messages.bin", messages), ("states.bin", states)]
    if "link_power" in summary:
        power = summary["link_power"]
        tables.append(("link_power", parquet.LINK_POWER_COLUMNS, parquet.link_power_batches(power)))
        log = parquet.power_state_batches(power.get("log", b""))
        tables.append(("power_states", parquet.POWER_STATE_COLUMNS, log))
        if power.get("log_is_cut", False):
            remarks.append("power_states.parquet: only the first stretches of links are in it")
    if "service" in summary:
        batches = parquet.service_batches(summary["service"])
        tables.append(("service", parquet.SERVICE_COLUMNS, batches))
        memory = read_records(record_directory / "service_memory.bin", SERVICE_MEMORY_RECORD)
        files.append(("service_memory.bin", memory))
        batches = parquet.service_memory_batches(memory.rows)
        tables.append(("service_memory", parquet.SERVICE_MEMORY_COLUMNS, batches))
        traffic = read_records(record_directory / "service_traffic.bin", TRAFFIC_RECORD)
        files.append(("service_traffic.bin", traffic))
        batches = parquet.service_traffic_batches(traffic.rows)
        tables.append(("service_traffic", parquet.SERVICE_TRAFFIC_COLUMNS, batches))
    if "approximate" in run.document:
        batches = parquet.approximate_batches(run.document["approximate"])
        tables.append(("approximate", parquet.APPROXIMATE_COLUMNS, batches))
    for name, columns, batches in tables:
        parquet.write_table(run.table_path(name), columns, batches, metadata)
    return remarks + _dropped(files)


def _write_call_sites(run: Run, rows: Sequence[CallSiteSums]) -> None:
    from kumihimo.results import parquet
    from kumihimo.results.call_sites import CALL_SITE_COLUMNS, call_site_batches, merged_call_sites

    batches = call_site_batches(merged_call_sites(rows))
    parquet.write_table(run.table_path("call_sites"), CALL_SITE_COLUMNS, batches, _metadata(run))


def _dropped(files: list[tuple[str, RecordFile]]) -> list[str]:
    remarks = (file.remark(name) for name, file in files)
    return [remark for remark in remarks if remark is not None]


def _metadata(run: Run) -> dict[str, str]:
    keys = ("configuration_hash", "event_hash", "format", "status", "version")
    return {f"kumihimo.{key}": str(run.document[key]) for key in keys}


def _write_trace(run: Run) -> list[str]:
    from kumihimo.results.trace import write_trace

    assert run.directory is not None
    return write_trace(run, run.directory / TRACE_FILE)


def write_report(run: Run) -> Path:
    """Write the report of a result that is in a folder, in place of an earlier report.

    Returns:
        The path of the report.

    Raises:
        UserError: If it cannot be written.
    """
    from kumihimo.results.report import report_page

    assert run.directory is not None
    path = run.directory / REPORT_FILE
    replace_file(path, report_page(run))
    return path
