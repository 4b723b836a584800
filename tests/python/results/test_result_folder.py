"""The result folder comes into being whole, or not at all."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import synthetic_run
from synthetic_run import SyntheticRun

from kumihimo import results
from kumihimo.errors import UserError
from kumihimo.results import parquet
from kumihimo.results.writer import write_report

GOLDEN = Path(__file__).parent / "golden"
ALL_FILES = {
    "host.json", "link_use.parquet", "links.parquet", "messages.parquet", "ranks.parquet",
    "report.html", "result.json", "states.parquet", "trace.json.gz",
}  # fmt: skip


def write(run: SyntheticRun, folder: Path, **options: Any) -> results.Run:  # noqa: ANN401
    return results.write(folder, run.info, run.summary, run.records, **options)


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("kind", ["ring", "all_to_all"])
def test_golden_result(kind: str, tmp_path: Path, check_golden: Any) -> None:  # noqa: ANN401
    model = getattr(synthetic_run, kind)(3, 3)
    run = synthetic_run.finish(model, tmp_path / "records")
    write(run, tmp_path / "out", report=False, trace=False)
    text = (tmp_path / "out" / "result.json").read_text(encoding="utf-8")
    check_golden(GOLDEN / f"{kind}.json", text)


def test_all_files_are_there_and_nothing_beside_them(ring: SyntheticRun, tmp_path: Path) -> None:
    write(ring, tmp_path / "results" / "out")
    assert names_in(tmp_path / "results" / "out") == ALL_FILES
    assert names_in(tmp_path / "results") == {"out"}


def test_only_the_host_file_depends_on_the_host(ring: SyntheticRun, tmp_path: Path) -> None:
    write(ring, tmp_path / "a", report=False)
    host = results.HostInfo(wall_seconds=9, cpu_seconds=8, date="2027-01-01", host="elsewhere")
    other = dataclasses.replace(ring, info=dataclasses.replace(ring.info, host=host))
    write(other, tmp_path / "b", report=False)
    different = {
        name
        for name in names_in(tmp_path / "a")
        if (tmp_path / "a" / name).read_bytes() != (tmp_path / "b" / name).read_bytes()
    }
    assert different == {"host.json"}


def test_loaded_is_what_was_written(ring: SyntheticRun, tmp_path: Path) -> None:
    written = write(ring, tmp_path / "out", report=False)
    assert results.load(tmp_path / "out") == written
    assert written.directory == tmp_path / "out"
    assert written.is_complete


def test_summary_alone_writes_two_small_files(ring: SyntheticRun, tmp_path: Path) -> None:
    results.write(tmp_path / "out", ring.info, ring.summary, None)
    assert names_in(tmp_path / "out") == {"host.json", "result.json"}


@pytest.mark.processes
def test_writing_a_summary_imports_nothing_heavy(ring: SyntheticRun, tmp_path: Path) -> None:
    code = (
        "import sys, pickle, pathlib\n"
        "from kumihimo import results\n"
        "info, summary = pickle.loads(sys.stdin.buffer.read())\n"
        "results.print_table(results.write(pathlib.Path(sys.argv[1]), info, summary, None))\n"
        "heavy = {'numpy', 'pyarrow', 'jinja2'} & set(sys.modules)\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)\n"
    )
    import pickle

    given = pickle.dumps((ring.info, ring.summary))
    command = [sys.executable, "-c", code, str(tmp_path / "out")]
    done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()


def test_a_cut_record_is_dropped_and_told(ring: SyntheticRun, tmp_path: Path) -> None:
    path = ring.records / "messages.bin"
    path.write_bytes(path.read_bytes()[:-10])
    run = write(ring, tmp_path / "out", report=False, trace=False)
    assert run.messages.num_rows == len(ring.messages) - 1
    (remark,) = run.host["remarks"]
    assert "messages.bin" in remark
    assert "54 bytes" in remark


def test_a_partial_result_says_so(tmp_path: Path) -> None:
    run = synthetic_run.finish(
        synthetic_run.ring(3, 2), tmp_path / "records", status="partial", reason="rank 1 crashed"
    )
    write(run, tmp_path / "out", report=False)
    loaded = results.load(tmp_path / "out")
    assert not loaded.is_complete
    assert loaded.document["reason"] == "rank 1 crashed"


def test_a_run_in_which_nothing_happened(tmp_path: Path) -> None:
    run = synthetic_run.finish(
        synthetic_run.StarModel(2), tmp_path / "records", status="partial", reason="rank 0 died"
    )
    write(run, tmp_path / "out")
    assert names_in(tmp_path / "out") == ALL_FILES


def fail_with(number: int) -> Any:  # noqa: ANN401
    def failing(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return failing


def test_no_space_leaves_nothing(
    ring: SyntheticRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "write_table", fail_with(errno.ENOSPC))
    target = tmp_path / "results" / "out"
    with pytest.raises(UserError, match="no space left on the disk"):
        write(ring, target)
    assert names_in(tmp_path / "results") == set()


def test_a_failure_leaves_the_earlier_result(
    ring: SyntheticRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "results" / "out"
    write(ring, target, report=False)
    before = {path.name: path.read_bytes() for path in target.iterdir()}
    monkeypatch.setattr(parquet, "write_table", fail_with(errno.ENOSPC))
    with pytest.raises(UserError):
        write(ring, target, overwrite=True)
    assert {path.name: path.read_bytes() for path in target.iterdir()} == before
    assert names_in(tmp_path / "results") == {"out"}


def test_a_defect_of_ours_leaves_nothing_either(
    ring: SyntheticRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "message_batches", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write(ring, tmp_path / "results" / "out")
    assert names_in(tmp_path / "results") == set()


def test_an_earlier_result_is_replaced_only_if_asked(ring: SyntheticRun, tmp_path: Path) -> None:
    target = tmp_path / "results" / "out"
    write(ring, target, report=False)
    (target / "link_power.parquet").write_text("stale")
    for call in (write, lambda _, folder: results.prepare(folder)):
        with pytest.raises(UserError, match="holds an earlier result"):
            call(ring, target)
    results.prepare(target, overwrite=True)
    write(ring, target, report=False, overwrite=True)
    assert "link_power.parquet" not in names_in(target)
    assert names_in(tmp_path / "results") == {"out"}


def test_a_folder_of_something_else_is_never_replaced(ring: SyntheticRun, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.mkdir()
    (target / "thesis.txt").write_text("years of work")
    with pytest.raises(UserError, match="not a result of Kumihimo"):
        write(ring, target, overwrite=True)
    assert names_in(target) == {"thesis.txt"}


def test_what_somebody_has_put_into_a_result_is_kept(ring: SyntheticRun, tmp_path: Path) -> None:
    target = tmp_path / "out"
    write(ring, target)
    before = names_in(target)
    (target / "notes.txt").write_text("what I saw")
    for call in (
        lambda: write(ring, target, overwrite=True),
        lambda: results.prepare(target, overwrite=True),
    ):
        with pytest.raises(UserError, match=r"and notes\.txt, which would be lost"):
            call()
    assert names_in(target) == before | {"notes.txt"}
    (target / "notes.txt").unlink()
    write(ring, target, overwrite=True)
    assert names_in(target) == before


def test_an_empty_folder_is_used(ring: SyntheticRun, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write(ring, tmp_path / "out", report=False)
    assert "result.json" in names_in(tmp_path / "out")


def test_a_link_to_a_result_is_followed(ring: SyntheticRun, tmp_path: Path) -> None:
    write(ring, tmp_path / "first", report=False)
    (tmp_path / "latest").symlink_to("first")
    write(ring, tmp_path / "latest", report=False, overwrite=True)
    assert (tmp_path / "latest").is_symlink()
    assert "result.json" in names_in(tmp_path / "first")


@pytest.mark.parametrize("place", ["file/out", "file"])
def test_a_place_that_cannot_be_written_is_refused(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="file"):
        results.prepare(tmp_path / place)
    assert (tmp_path / "file").read_text() == ""


def test_a_folder_without_permission_is_refused() -> None:
    # Also root may not write there.
    with pytest.raises(UserError, match="cannot be written"):
        results.prepare(Path("/proc/kumihimo/out"))


def test_load_refuses_other_folders(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such result folder"):
        results.load(tmp_path / "nowhere")
    with pytest.raises(UserError, match=r"holds no result\.json"):
        results.load(tmp_path)
    path = tmp_path / "result.json"
    for text, message in [
        ("{", r"result\.json:1: is not JSON"),
        ("[]", "expected an object, found list"),
        ('{"format": "kumihimo-result/99"}', 'expected "kumihimo-result/4"'),
        ('{"format": "kumihimo-result/4"}', 'key "configuration": is missing'),
    ]:
        path.write_text(text)
        with pytest.raises(UserError, match=message):
            results.load(tmp_path)


def test_result_holds_integers_only(all_to_all: SyntheticRun, tmp_path: Path) -> None:
    write(all_to_all, tmp_path / "out", report=False)

    def refuse(text: str) -> None:
        raise AssertionError(f"{text} is no integer")

    json.loads((tmp_path / "out" / "result.json").read_text(), parse_float=refuse)


@pytest.mark.parametrize("name", ["messages", "states"])
def test_a_damaged_table_is_told(ring: SyntheticRun, tmp_path: Path, name: str) -> None:
    write(ring, tmp_path / "out")
    run = results.load(tmp_path / "out")
    run.table_path(name).write_text("x")
    for read in (lambda: getattr(run, name), lambda: write_report(run)):
        with pytest.raises(UserError, match=rf"{name}\.parquet: is damaged: "):
            read()
