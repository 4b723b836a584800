"""Runs one point, in a worker of the cluster."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from kumihimo.sweep.points import Point
from kumihimo.sweep.processes import PointProcess, await_end
from kumihimo.sweep.techniques import TECHNIQUE_COLUMNS, technique_columns

Row = dict[str, Any]

# What a row has besides the columns that say what the point is; None where it has none.
OUTCOME_COLUMNS = (
    *("status", "exit_status", "error", "virtual_time_ps", "events", "event_hash"),
    *("messages", "bytes", "control_messages", "control_bytes"),
    *("compute_ps", "communication_ps", "wait_ps"),
    *TECHNIQUE_COLUMNS,
    "program_error",
    *("wall_seconds", "cpu_seconds", "host"),
)
# What a program printed, in its result folder.
OUTPUT_FILE = "output.txt"
_LONGEST_ERROR = 2000
_PID_FILE = "pid"


def execute(point: Point, out: str) -> Row:
    """Run a point and return what came out; a failure is a row too.

    Args:
        point: What to run.
        out: The folder of the sweep, the same for all workers.
    """
    work = Path(out) / "work" / f"{point.identity}-{socket.gethostname()}-{os.getpid()}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        return _run(point, work, Path(out) / "results" / point.identity)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def await_abandoned(out: Path) -> None:
    """Wait until runs on this computer have ended whose workers are gone.

    The end of its worker ends a run; that takes a moment.
    """
    for file in (out / "work").glob(f"*-{socket.gethostname()}-*/{_PID_FILE}"):
        with suppress(OSError, ValueError):
            await_end(int(file.read_text(encoding="utf-8")))


def forget_start(point: Point, out: str) -> bool:
    """Remove what a worker left that died in the middle of a point; return whether one did."""
    left = list((Path(out) / "work").glob(f"{point.identity}-*"))
    for folder in left:
        shutil.rmtree(folder, ignore_errors=True)
    return bool(left)


def failure(message: str, exit_status: int | None = None) -> Row:
    """Return the outcome of a point that gave no result."""
    empty = dict.fromkeys(OUTCOME_COLUMNS)
    half = _LONGEST_ERROR // 2
    is_short = len(message) <= _LONGEST_ERROR
    error = message if is_short else f"{message[:half]}\n...\n{message[-half:]}"
    return {**empty, "status": "failed", "exit_status": exit_status, "error": error}


def _run(point: Point, work: Path, kept: Path) -> Row:
    platform = work / "platform.toml"
    platform.write_text(point.platform, encoding="utf-8")
    command, *rest = point.arguments
    places = ["--platform", str(platform), "--out", str(work / "result"), "--quiet"]
    began_s = time.monotonic()
    for name in ("output", "errors"):
        (work / name).touch()
    process = PointProcess(
        {
            "arguments": [command, *places, *rest],
            "folder": point.folder,
            "output": str(work / "output"),
            "errors": str(work / "errors"),
        }
    )
    (work / _PID_FILE).write_text(str(process.pid), encoding="utf-8")
    exit_status = process.wait()
    wall_s = time.monotonic() - began_s
    row = _outcome(work, exit_status)
    if point.error and row["status"] == "complete":
        row["program_error"] = found_number(point.error, work / "output")
    if row["error"] is not None:
        row["error"] = row["error"].replace(str(platform), point.platform_file)
    row["wall_seconds"] = round(wall_s, 6)
    row["host"] = socket.gethostname()
    if point.keeps and (work / "result").is_dir():
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(kept, ignore_errors=True)
        if point.values["kind"] == "program":
            (work / "output").rename(work / "result" / OUTPUT_FILE)
        (work / "result").rename(kept)
    return row


def found_number(expression: str, output: Path) -> float | None:
    """Return what a program printed: the number in the group of an expression's last match.

    Args:
        expression: A regular expression with one group.
        output: The file with what the program printed.
    """
    found = re.findall(expression, output.read_text(encoding="utf-8", errors="replace"))
    try:
        return float(found[-1]) if found else None
    except ValueError:
        return None


def _outcome(work: Path, exit_status: int) -> Row:
    if exit_status != 0:
        told = (work / "errors").read_text(encoding="utf-8", errors="replace").strip()
        return failure(told or f"ended with status {exit_status}", exit_status)
    document = json.loads((work / "result" / "result.json").read_text(encoding="utf-8"))
    host = json.loads((work / "result" / "host.json").read_text(encoding="utf-8"))
    row: Row = dict.fromkeys(OUTCOME_COLUMNS)
    row.update({name: value for name, value in document["totals"].items() if name in row})
    for name in ("virtual_time_ps", "events", "event_hash"):
        row[name] = document[name]
    row.update(technique_columns(document))
    return {**row, "status": "complete", "exit_status": 0, "cpu_seconds": host["cpu_seconds"]}
