"""What comes with Kumihimo is reached by its commands, from any folder."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from kumihimo.cli.main import app
from kumihimo.sweep.reader import load_sweep

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_platforms_are_listed_and_shown_by_name() -> None:
    listed = CliRunner().invoke(app, ["platform", "list"])
    assert "\nstar64 " in listed.output
    shown = CliRunner().invoke(app, ["platform", "show", "star64"])
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith("star64: ")


def test_an_unknown_platform_is_refused() -> None:
    result = CliRunner().invoke(app, ["platform", "show", "nosuch"])
    assert result.exit_code == 2
    assert "`kumihimo platform list` lists them" in result.output


def test_a_name_with_a_suffix_is_explained(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["platform", "show", "star64.toml"])
    assert result.exit_code == 2
    assert "the platform that comes with Kumihimo is called star64" in result.output
    # In another folder, or of another name, it is a file that is missing.
    for missing in ("none.toml", "folder/star64.toml"):
        result = CliRunner().invoke(app, ["platform", "show", missing])
        assert f"cannot read the platform file {missing}: No such file" in result.output
    (tmp_path / "star64.toml").write_text("hosts = 0")
    assert (
        "star64.toml:1: hosts"
        in CliRunner().invoke(app, ["platform", "show", "star64.toml"]).output
    )


def test_a_replay_takes_a_platform_by_name() -> None:
    pattern = ["--pattern", "barrier/dissemination", "-n", "4"]
    result = CliRunner().invoke(app, ["replay", *pattern, "-p", "star4", "--detail", "none"])
    assert result.exit_code == 0, result.output


def test_a_sweep_takes_a_platform_by_name() -> None:
    text = 'platform = "star4"\nranks = 4\npatterns = "barrier/dissemination"\n'
    Path("sweep.toml").write_text(text)
    choices = load_sweep(Path("sweep.toml")).platforms
    assert [choice.platform.name for choice in choices] == ["star4"]


def test_examples_are_listed_and_copied() -> None:
    listed = CliRunner().invoke(app, ["examples"])
    assert "demo/heat.c" in listed.output.splitlines()
    assert "demo/run.sh" not in listed.output.splitlines()  # works in the source tree only
    assert CliRunner().invoke(app, ["examples", "mine"]).exit_code == 0
    assert sorted(listed.output.splitlines()) == sorted(
        str(path.relative_to("mine")) for path in Path("mine").rglob("*") if path.is_file()
    )
    heat = Path("examples/demo/heat.c")
    assert Path("mine/demo/heat.c").read_text() == (ROOT / heat).read_text()
    again = CliRunner().invoke(app, ["examples", "mine"])
    assert again.exit_code == 2
    assert "already there" in again.output


def test_parameters_of_studies_come_with_kumihimo() -> None:
    result = CliRunner().invoke(app, ["study", "prewake", "--help"])
    assert "come with Kumihimo" in " ".join(result.output.split())
