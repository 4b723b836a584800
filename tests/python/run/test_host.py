"""The speed of this computer, kept between runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from kumihimo.cli.calibrate import calibrate_command
from kumihimo.run import host
from kumihimo.run.host import HostSpeed, host_file, host_speed, load_host_speed, save_host_speed


def test_the_file_is_where_configurations_are() -> None:
    assert host_file({"XDG_CONFIG_HOME": "/c"}) == Path("/c/kumihimo/host.toml")
    assert host_file({"HOME": "/h"}) == Path("/h/.config/kumihimo/host.toml")


def test_what_was_kept_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "processor_name", lambda: 'A "fast" \\ one')
    path = tmp_path / "new" / "host.toml"
    speed = HostSpeed('A "fast" \\ one', 4_800_000_000)
    save_host_speed(path, speed)
    assert load_host_speed(path) == speed
    assert [entry.name for entry in path.parent.iterdir()] == ["host.toml"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not toml",
        'processor = "mine"\n',
        'processor = "mine"\nflops = 0\n',
        'processor = "mine"\nflops = "fast"\n',
        'processor = "of another computer"\nflops = 5\n',
        "\xff",
    ],
)
def test_anything_else_is_measured_anew(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "processor_name", lambda: "mine")
    path = tmp_path / "host.toml"
    path.write_text(text, encoding="latin-1")
    assert load_host_speed(path) is None
    monkeypatch.setattr(host, "measure", lambda: HostSpeed("mine", 7))
    assert host_speed(path).flops == 7
    assert load_host_speed(path) == HostSpeed("mine", 7)


def test_a_folder_that_cannot_be_written_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "measure", lambda: HostSpeed("mine", 7))
    (tmp_path / "file").write_text("")
    assert host_speed(tmp_path / "file" / "host.toml").flops == 7


def test_calibrate_measures_and_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    calibrate_command()
    kept = load_host_speed(tmp_path / "kumihimo" / "host.toml")
    assert kept is not None
    assert 10**7 < kept.flops < 10**12
    assert "flop/s per core of" in capsys.readouterr().out
