"""What commands leave in the folder they are called in is not offered to the repository."""

import inspect
import subprocess
from pathlib import Path

from kumihimo.cli.study import prewake_command
from kumihimo.replay.options import ReplayOptions
from kumihimo.run.options import RunOptions
from sources import ROOT


def is_ignored(folder: Path) -> bool:
    command = ["git", "-c", "safe.directory=*", "check-ignore", "--quiet", f"{folder}/"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def test_result_folders_are_ignored() -> None:
    platform = Path("star4.toml")
    run = RunOptions(ranks=4, platform=platform, command=("./heat",)).result_directory()
    replay = ReplayOptions(platform=platform, file=Path("halo.bin")).result_directory(4)
    study = inspect.signature(prewake_command).parameters["out"].default
    assert run is not None
    assert replay is not None
    staged = run.with_name(f".{run.name}.new")
    for folder in (run, replay, study, Path("kumi-sweep-sweep"), staged):
        assert is_ignored(folder), folder
    assert not is_ignored(Path("platforms"))
