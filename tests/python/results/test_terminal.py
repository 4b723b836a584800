"""The table on the terminal."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
import synthetic_run
from rich.console import Console
from synthetic_run import SyntheticRun

from charts import tables_of
from kumihimo import results
from kumihimo.results import display
from kumihimo.results.phases import Phase, mark
from kumihimo.results.report.rank_figure import rank_figure


def printed(run: SyntheticRun, width: int | None = 100) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=width is not None, color_system=None)
    results.print_table(results.build(run.info, run.summary), console)
    return out.getvalue()


def test_every_rank_has_a_row(ring: SyntheticRun) -> None:
    text = printed(ring)
    for word in ("Virtual time", "Wall time", "CPU time", "Messages per CPU second", "1.250 s"):
        assert word in text
    rows = [line.split()[0] for line in text.splitlines() if line.endswith("KiB")]
    assert rows == ["0", "1", "2", "3"]
    assert f"event hash {ring.summary['event_hash']}" in text


def test_wall_and_cpu_time_by_phase(ring: SyntheticRun, tmp_path: Path) -> None:
    phases = (Phase("prepare", 0.25, 0.5), Phase("start", 0.75, 1.5), Phase("virtual", 2, 3))
    host = replace(ring.info.host, phases=phases, program_cpu_seconds=2.25, ended=mark())
    info = replace(ring.info, host=host)
    run = results.write(tmp_path / "out", info, ring.summary, ring.records, report=False)
    out = io.StringIO()
    results.print_table(run, Console(file=out))
    lines = [line.split() for line in out.getvalue().splitlines()]
    (wall,) = (line for line in lines if line[:1] == ["wall"])
    (cpu,) = (line for line in lines if line[:1] == ["CPU"] and line[1] != "time")
    assert wall[1:7:2] == ["0.250", "0.750", "2.000"]
    assert cpu[1:9:2] == ["0.500", "1.500", "3.000", "2.250"]
    loaded = results.load(tmp_path / "out").host
    assert list(loaded["phases"]) == ["prepare", "start", "virtual", "write"]
    assert loaded["phases"]["write"]["wall_seconds"] > 0


def test_clock_readings_are_told_apart_from_computing(
    ring: SyntheticRun, all_to_all: SyntheticRun
) -> None:
    rows = [
        {**row, "clock_reading_ps": row["compute_ps"] // 2 if row["rank"] == 1 else 0}
        for row in ring.summary["ranks"]
    ]
    run = replace(ring, summary=cast("results.Summary", {**ring.summary, "ranks": rows}))
    document = results.build(run.info, run.summary).document
    reading_ps = rows[1]["clock_reading_ps"]
    assert reading_ps > 0
    assert document["totals"]["clock_reading_ps"] == reading_ps
    (line,) = (line for line in printed(run).splitlines() if "Clock readings" in line)
    assert line.count(display.format_time(reading_ps)) == 2
    assert "most in rank 1" in line
    assert "Clock readings" not in printed(all_to_all)
    (drawn,) = tables_of(rank_figure(document).chart)
    times = {(row["row"], row["state"]): float(row["share"]) for row in drawn}
    assert times["1", "compute"] == pytest.approx(times["1", "clock readings"], abs=0.01) != 0
    assert times["0", "clock readings"] == 0


def test_many_ranks_are_summed_up(tmp_path: Path) -> None:
    run = synthetic_run.finish(synthetic_run.ring(17, 3), tmp_path / "records")
    text = printed(run)
    last = max(run.summary["ranks"], key=lambda row: (row["finish_ps"], -row["rank"]))
    for word in ("least", "median", "most", f"last to end: {last['rank']}"):
        assert word in text
    most = max(run.summary["ranks"], key=lambda row: (row["compute_ps"], -row["rank"]))
    assert f"most compute: {most['rank']}" in text
    assert len(text.splitlines()) < 30


@pytest.mark.parametrize("width", [80, 100, 200, None])
def test_lines_fit_and_nothing_is_cut(all_to_all: SyntheticRun, width: int | None) -> None:
    lines = printed(all_to_all, width).splitlines()
    assert max(map(len, lines)) <= (width or 100)
    text = "\n".join(lines)
    assert "…" not in text
    for row in all_to_all.summary["ranks"]:
        assert any(line.startswith(f"{row['rank']} ") for line in lines)


def test_a_pipe_gets_plain_text(
    ring: SyntheticRun, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    results.print_table(results.build(ring.info, ring.summary))
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert "Bytes sent" in text


def test_a_partial_result_gives_its_reason(tmp_path: Path) -> None:
    run = synthetic_run.finish(
        synthetic_run.ring(2, 2), tmp_path / "records", status="partial",
        reason="rank 1 was killed by [signal] 9",
    )  # fmt: skip
    text = printed(run)
    assert "partial result" in text
    assert "rank 1 was killed by [signal] 9" in text


def test_remarks_are_shown(ring: SyntheticRun, tmp_path: Path) -> None:
    path = ring.records / "states.bin"
    path.write_bytes(path.read_bytes()[:-1])
    run = results.write(tmp_path / "out", ring.info, ring.summary, ring.records, report=False)
    out = io.StringIO()
    results.print_table(run, Console(file=out))
    assert "Remark: states.bin: the last record was cut off" in out.getvalue()
    assert str(run.directory) in out.getvalue().replace("\n", "")


def test_busiest_links_come_first(all_to_all: SyntheticRun) -> None:
    links = all_to_all.summary["links"]
    busiest = sorted(range(len(links)), key=lambda index: (-links[index]["busy_ps"], index))[:5]
    text = printed(all_to_all)
    places = [text.index(links[index]["name"]) for index in busiest]
    assert places == sorted(places)
