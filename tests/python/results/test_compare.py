"""`kumihimo compare` and `kumihimo report`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import synthetic_run
from typer.testing import CliRunner

from kumihimo import results
from kumihimo.cli.main import app
from kumihimo.results.comparison import differences


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Two rings that differ in one option, and an all-to-all."""
    runs = {
        "first": synthetic_run.finish(synthetic_run.ring(3, 3), tmp_path / "r1"),
        "second": synthetic_run.finish(
            synthetic_run.ring(3, 3), tmp_path / "r2",
            options={"compute": "measured", "mpi": "mpich", "detail": "full"},
        ),
        "third": synthetic_run.finish(
            synthetic_run.all_to_all(4, 2), tmp_path / "r3", status="partial", reason="rank 2 died"
        ),
    }  # fmt: skip
    for name, run in runs.items():
        results.write(tmp_path / name, run.info, run.summary, run.records, report=False)
    return [tmp_path / name for name in runs]


def compare(*arguments: Path | str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["compare", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_equal_runs(folders: list[Path]) -> None:
    status, out, _ = compare(folders[0], folders[0])
    assert status == 0
    assert "the same in all" in out
    assert "Program and configuration are the same." in out


def test_one_option_differs(folders: list[Path]) -> None:
    status, out, _ = compare(folders[0], folders[1])
    assert status == 0
    assert "the same in all" in out
    (line,) = [line for line in out.splitlines() if line.startswith("options.")]
    assert line.split() == ["options.compute", "none", "measured"]
    assert "options.mpi" not in out


def test_three_results_as_json(folders: list[Path]) -> None:
    status, out, _ = compare("--json", *folders)
    assert status == 0
    comparison = json.loads(out)
    first, second, third = comparison["results"]
    assert first["time_ratio"] == second["time_ratio"] == 1
    assert third["time_ratio"] == round(third["virtual_time_ps"] / first["virtual_time_ps"], 6)
    assert third["status"] == "partial"
    assert comparison["same_event_hash"] is False
    assert comparison["differences"]["platform.topology.hosts"] == [3, 3, 4]
    assert comparison["differences"]["options.compute"] == ["none", "measured", "none"]


def test_table_shows_units_and_partial_results(folders: list[Path]) -> None:
    status, out, _ = compare(*folders)
    assert status == 0
    assert "third is partial: rank 2 died" in out
    assert "Event hashes differ" in out
    assert max(map(len, out.splitlines())) <= 100


def test_the_rank_that_ends_last_need_not_be_the_one_that_computes_longest(
    tmp_path: Path,
) -> None:
    model = synthetic_run.StarModel(3)
    model.spend(1, synthetic_run.COMPUTE, 9_000_000)
    model.spend(2, synthetic_run.COMPUTE, 1_000_000)
    model.spend(2, synthetic_run.WAIT, 20_000_000)
    run = synthetic_run.finish(model, tmp_path / "records")
    results.write(tmp_path / "r", run.info, run.summary, run.records, report=False)
    _, out, _ = compare("--json", tmp_path / "r", tmp_path / "r")
    facts = json.loads(out)["results"][0]
    assert (facts["last_rank_to_finish"], facts["rank_with_most_compute"]) == (2, 1)
    _, out, _ = compare(tmp_path / "r", tmp_path / "r")
    rows = [line.split() for line in out.splitlines()]
    assert ["Rank", "that", "ends", "last", "2", "2"] in rows
    assert ["Rank", "that", "computes", "longest", "1", "1"] in rows


def test_the_page_says_what_differs(folders: list[Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert compare(*folders, "--report", str(page))[0] == 0
    section = page.read_text(encoding="utf-8").split("What differs")[1].split("</section>")[0]
    assert "<th>options.compute</th><td>none</td><td>measured</td><td>none</td>" in section
    assert "<th>platform.topology.hosts</th><td>3</td><td>3</td><td>4</td>" in section
    assert "options.mpi" not in section
    assert "Event hashes differ" in section
    assert compare(folders[0], folders[0], "--report", str(page))[0] == 0
    section = page.read_text(encoding="utf-8").split("What differs")[1].split("</section>")[0]
    assert "Program and configuration are the same." in section


def test_refuses_a_folder_that_is_no_result(folders: list[Path], tmp_path: Path) -> None:
    status, out, error = compare(folders[0], tmp_path / "r1")
    assert status == 2
    assert out == ""
    assert "r1: is not a result folder" in error


def test_refuses_a_single_folder(folders: list[Path]) -> None:
    status, _, error = compare(folders[0])
    assert status == 2
    assert "at least two" in error


def test_report_is_written_again(folders: list[Path]) -> None:
    path = folders[2] / "report.html"
    assert not path.exists()
    done = CliRunner().invoke(app, ["report", str(folders[2])])
    assert done.exit_code == 0
    assert done.stdout.strip() == str(path)
    assert "Partial result" in path.read_text(encoding="utf-8")
    assert not [name for name in folders[2].iterdir() if name.name.startswith(".")]


def test_report_refuses_what_is_no_result(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["report", str(tmp_path)])
    assert done.exit_code == 2
    assert "is not a result folder" in done.stderr


def test_differences_name_keys_that_only_one_has() -> None:
    found = differences([{"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}])
    assert found == {"a.c": [2, None, 2]}
