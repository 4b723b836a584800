"""What all tests share.

Golden files hold a result that must not change unnoticed. Property tests take the same examples in
every run, and only pytest limits their time: how long an example takes says something about the
computer's other work, not about the code.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("kumihimo", deadline=None, derandomize=True)
settings.load_profile("kumihimo")

GoldenCheck = Callable[[Path, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="Write what the tests found into the golden files instead of comparing with them.",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long tests first: then they run in one worker, one after the other.

    Each worker gets a part of the tests in their order, and takes others only when it is done.
    """
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture
def check_golden(request: pytest.FixtureRequest) -> GoldenCheck:
    """Compare a text with a golden file, or write it there if that was asked for."""
    update = bool(request.config.getoption("--update-golden"))

    def check(path: Path, text: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.is_file(), f"{path} is missing; `pytest --update-golden` writes it"
        assert text == path.read_text(encoding="utf-8"), (
            f"differs from {path}; if that is meant, run pytest again with --update-golden"
        )

    return check
