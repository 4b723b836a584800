"""The parameter files of the study of sleeping links."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from kumihimo.cli.main import app
from kumihimo.errors import UserError
from kumihimo.study.prewake.parameters import load_parameters

FILES = Path(__file__).resolve().parents[3] / "studies" / "prewake"


@pytest.mark.parametrize("name", ["study.toml", "quick.toml"])
def test_the_files_that_come_along(name: str) -> None:
    parameters = load_parameters(FILES / name)
    assert parameters.file("benchmark.source").is_file()
    assert parameters.file("benchmark.platform").is_file()
    folder = parameters.file("applications.folder")
    programs = parameters.texts("applications.programs")
    assert [line for line in programs if not (folder / f"{line.split()[0]}.c").is_file()] == []
    for section in ("applications", "networks"):
        platforms = parameters.texts(f"{section}.platforms")
        assert [file for file in platforms if not (FILES / file).is_file()] == []
    assert min(parameters.numbers("applications.ranks")) >= 4


def test_everything_wrong_is_told(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    text = (FILES / "study.toml").read_text()
    file.write_text(text.replace("inner = 10000", "inner = 0").replace("outer =", "outter ="))
    with pytest.raises(UserError) as told:
        load_parameters(file)
    message = told.value.message
    assert "benchmark.inner: expected" in message
    assert "benchmark.outter: unknown key; did you mean benchmark.outer?" in message


def test_away_from_the_source_tree(tmp_path: Path) -> None:
    files, out = tmp_path / "none", tmp_path / "out"
    words = ["study", "prewake", "--files", str(files), "--out", str(out)]
    finished = CliRunner().invoke(app, words)
    assert finished.exit_code == 2
    assert f"cannot read the study's parameters {files / 'study.toml'}" in finished.stderr
    assert "--files" in finished.stderr
    assert not out.exists()
