"""Runs and replays under a limit on address space."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from jobs import BIN, JOB_LIMIT_S, MPICH, PLATFORMS, command_of

TOO_LITTLE_KIB = 200_000
GOAL = "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n"


@pytest.mark.parametrize("command", ["run", "replay"])
def test_too_little_memory_for_a_result_is_one_error(command: str, tmp_path: Path) -> None:
    (tmp_path / "two.goal").write_text(GOAL)
    (tmp_path / "temporary").mkdir()
    arguments = {
        "run": ["-n", "2", "--compute", "none", "--", *command_of(MPICH, "ring")],
        "replay": [str(tmp_path / "two.goal")],
    }[command]
    platform = ("-p", str(PLATFORMS / "star4.toml"), "--out", str(tmp_path / "result"))
    limited = f'ulimit -v {TOO_LITTLE_KIB} && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", limited, "sh", str(BIN / "kumihimo"), command, *platform, *arguments],
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
        capture_output=True,
        text=True,
        timeout=JOB_LIMIT_S,
        check=False,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(
        f"kumihimo: error: the limit on address space (ulimit -v {TOO_LITTLE_KIB}) is too small"
    )
    assert done.stdout == ""
    assert not list((tmp_path / "temporary").iterdir())
    assert not (tmp_path / "result").exists()
