"""What a sweep says on the terminal."""

from __future__ import annotations

import pytest

from kumihimo.sweep.display import Progress
from kumihimo.sweep.execute import failure
from kumihimo.sweep.points import Point


def point() -> Point:
    return Point("0", {"kind": "pattern", "command": "x"}, "", "star.toml", (), "", keeps=False)


def test_of_a_long_error_both_ends_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    row = failure("begin " + "middle " * 1000 + "end")
    assert str(row["error"]).startswith("begin ")
    Progress(1, kept=0, quiet=False).step(point(), row)
    told = capsys.readouterr().err
    assert told.startswith("kumihimo: failed: kind pattern, command x: begin middle")
    assert told.endswith("middle end\n")
    assert len(told) < 400


def test_a_dead_worker_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    Progress(1, kept=0, quiet=False).again(point())
    assert capsys.readouterr().err == (
        "kumihimo: a worker died; its point runs again: kind pattern, command x\n"
    )
    Progress(1, kept=0, quiet=True).again(point())
    assert capsys.readouterr().err == ""
