"""Tests that start processes are marked, so that `make check` can leave them out.

A test without the mark that starts one fails here: else the quick loop becomes slow unnoticed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

_STARTS = frozenset({"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"})
_started: list[str] = []


def _note_start(event: str, details: tuple[object, ...]) -> None:
    if event == "subprocess.Popen" or event in _STARTS:
        _started.append(f"{event} of {details[0]}" if details else event)


sys.addaudithook(_note_start)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forget what plug-ins and tests of other folders started: it is not this test's business."""
    _started.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Run a test; fail it if it, or one of its fixtures, started a process without the mark."""
    try:
        yield
    finally:
        started = _started.copy()
        _started.clear()
    if started and item.get_closest_marker("processes") is None:
        pytest.fail(f"mark it with pytest.mark.processes, it starts one: {started[0]}")
