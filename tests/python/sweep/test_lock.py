"""One process at a time works in a folder."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kumihimo.errors import UserError
from kumihimo.study.prewake.session import StudyOptions, study
from kumihimo.sweep.lock import locked

ROOT = Path(__file__).resolve().parents[3]
HOLDING = """\
import sys
from pathlib import Path
from kumihimo.sweep.lock import locked
with locked(Path(sys.argv[1]), "sweep"):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_a_folder_is_free_again_after_the_block(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    for _ in range(2):
        with locked(folder, "sweep"):
            assert [path.name for path in folder.iterdir()] == ["lock"]
        assert list(folder.iterdir()) == []


@pytest.mark.processes
def test_a_sweep_is_refused_where_another_works(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(UserError) as error:
            study(StudyOptions(files=ROOT / "studies" / "prewake", out=tmp_path, quick=True))
        assert f"another sweep (process {process.pid} on " in error.value.message
        assert error.value.exit_code == 1
        process.kill()
    # The kernel has released the lock of the dead process; its file is taken over.
    assert (tmp_path / "lock").exists()
    with locked(tmp_path, "sweep"):
        pass


def test_file_systems_without_locks_are_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", without)
    with locked(tmp_path, "sweep"):
        told = capsys.readouterr().err
    assert told == (
        f"kumihimo: {tmp_path} is on a file system without locks (No locks available); "
        "start nothing else in it\n"
    )
