"""What tests of whole runs share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def all_cores_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs on several cores use them from the start.

    Most of them are over before it is measured whether several cores pay.
    """
    monkeypatch.setenv("KUMI_CORE_TRIAL", "off")
