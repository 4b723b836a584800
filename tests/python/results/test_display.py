"""Numbers for people."""

from __future__ import annotations

import pytest

from kumihimo.results import display


@pytest.mark.parametrize(
    ("span_ps", "text"),
    [
        (0, "0 s"),
        (1, "1 ps"),
        (999, "999 ps"),
        (1_000, "1 ns"),
        (1_500, "1.5 ns"),
        (12_345_678, "12.35 µs"),
        (134_252_800, "134.3 µs"),
        (10**12, "1 s"),
        (3_600 * 10**12, "3,600 s"),
    ],
)
def test_times(span_ps: int, text: str) -> None:
    assert display.format_time(span_ps) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (1, "1 B"), (1023, "1,023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"),
     (1 << 40, "1 TiB")],
)  # fmt: skip
def test_bytes(count: int, text: str) -> None:
    assert display.format_bytes(count) == text


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0"), (9_999, "9,999"), (10_000, "10 k"), (15_360, "15.36 k"),
                        (1_234_567, "1.235 M")]
)  # fmt: skip
def test_short_counts(count: int, text: str) -> None:
    assert display.format_short_count(count) == text


def test_rates_and_shares() -> None:
    assert display.format_rate(12_500_000_000) == "12.5 Gb/s"
    assert display.format_percent(1, 3) == "33.3 %"
    assert display.format_percent(1, 0) == "–"
    assert display.format_seconds(1.25) == "1.250 s"
    assert display.format_seconds(1234.5) == "1,234.5 s"


def test_long_texts_lose_their_middle() -> None:
    assert display.shorten("abcdefghij", 10) == "abcdefghij"
    assert display.shorten("abcdefghijk", 7) == "abc…ijk"
