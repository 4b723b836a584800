"""The line on the terminal."""

from __future__ import annotations

import io

import pytest
from doubles import FakeRun

from kumihimo.progress.status_line import StatusLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def test_a_terminal_shows_where_the_run_stands(seconds: list[float]) -> None:
    terminal = Terminal()
    line = StatusLine(4, quiet=False, stream=terminal)
    run = FakeRun(numbers={"virtual_ps": 1_234_000_000, "slowest_rank": 3, "messages": 5000})
    line.show(run.progress())
    assert terminal.getvalue() == "", "not before there is something to see"
    seconds[0] = 0.5
    line.show(run.progress())
    text = "virtual time 1.234 ms (slowest: rank 3), 5,000 messages, 10,000/s"
    assert terminal.getvalue().endswith(text)
    line.clear()
    assert terminal.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize(("stream", "quiet"), [(io.StringIO(), False), (Terminal(), True)])
def test_nothing_is_shown_where_it_is_not_wanted(
    stream: io.StringIO, quiet: bool, seconds: list[float]
) -> None:
    line = StatusLine(4, quiet=quiet, stream=stream)
    seconds[0] = 10
    line.show(FakeRun().progress())
    line.clear()
    assert stream.getvalue() == ""
