"""Numbers with units: exact in, exact out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumihimo.units import DECIBEL, DURATION, RATE, SIZE, SPEED, Quantity, UnitError

QUANTITIES = (DECIBEL, DURATION, RATE, SIZE, SPEED)


@pytest.mark.parametrize(
    ("quantity", "text", "value"),
    [
        (RATE, "5 Gb/s", 5_000_000_000),
        (RATE, "12.5 GB/s", 100_000_000_000),
        (RATE, "1 KiB/s", 8 * 1024),
        (RATE, "1 kB/s", 8 * 1000),
        (RATE, "10 Gbit/s", 10_000_000_000),
        (DURATION, "100 ns", 100_000),
        (DURATION, "2.5 us", 2_500_000),
        (DURATION, "2.5 \u00b5s", 2_500_000),
        (DURATION, "2.5 \u03bcs", 2_500_000),
        (DURATION, "0.001 ns", 1),
        (DURATION, "1e-12 s", 1),
        (DURATION, "-3 ns", -3_000),
        (SIZE, "64 KiB", 65_536),
        (SIZE, "4 KiB", 4_096),
        (SIZE, "4 kB", 4_000),
        (SIZE, "4 KB", 4_000),
        (SIZE, "0.5 KiB", 512),
        (SIZE, "1_000 B", 1_000),
        (SPEED, "4.8 Gflop/s", 4_800_000_000),
        (SPEED, "  4.8Gflop/s ", 4_800_000_000),
    ],
)
def test_parse(quantity: Quantity, text: str, value: int) -> None:
    assert quantity.parse(text) == value


@pytest.mark.parametrize(
    ("quantity", "text", "message"),
    [
        (DURATION, "0.3 ps", '"0.3 ps" is not a whole number of picoseconds'),
        (SIZE, "1.5 B", '"1.5 B" is not a whole number of bytes'),
        (RATE, "0.5 b/s", '"0.5 b/s" is not a whole number of bits per second'),
        (DURATION, "100", '"100" has no unit'),
        (RATE, "5 gb/s", "did you mean Gb/s or GB/s?"),
        (RATE, "5 Gbps", "did you mean Gb/s"),
        (RATE, "100 ns", 'unknown unit "ns"'),
        (SIZE, "4 Kib", "did you mean KiB?"),
        (SIZE, "", "expected a size such as"),
        (SIZE, "many", "expected a size such as"),
        (DURATION, "1,5 us", "unknown unit"),
        (DURATION, "1.2.3 us", "unknown unit"),
        (DURATION, "\u0661 ns", "expected a duration"),
        (DURATION, "nan s", "expected a duration"),
        (DURATION, "1e999 s", "unknown unit"),
        (DURATION, "9" * 100 + " s", "102 characters"),
    ],
)
def test_refuse(quantity: Quantity, text: str, message: str) -> None:
    with pytest.raises(UnitError) as caught:
        quantity.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("quantity", "value", "text"),
    [
        (RATE, 5_000_000_000, "5 Gb/s"),
        (RATE, 100_000_000_000, "100 Gb/s"),
        (DURATION, 100_000, "100 ns"),
        (DURATION, 2_500_000, "2.5 µs"),
        (DURATION, 1_838_400, "1.8384 µs"),
        (DURATION, 0, "0 ns"),
        (DURATION, -1_500, "-1.5 ns"),
        (SIZE, 65_536, "64 KiB"),
        (SIZE, 1_536, "1536 B"),
        (SIZE, 1_000_000, "1 MB"),
        (SIZE, 0, "0 B"),
        (SPEED, 4_800_000_000, "4.8 Gflop/s"),
    ],
)
def test_format(quantity: Quantity, value: int, text: str) -> None:
    assert quantity.format(value) == text


@given(st.sampled_from(QUANTITIES), st.integers(-(10**24), 10**24))
def test_what_is_printed_is_read_back(quantity: Quantity, value: int) -> None:
    assert quantity.parse(quantity.format(value)) == value


@given(
    st.sampled_from(QUANTITIES),
    st.data(),
    st.integers(0, 10**9),
    st.integers(0, 10**6 - 1),
    st.integers(-9, 9),
)
def test_parsing_is_exact_or_refused(
    quantity: Quantity, data: st.DataObject, whole: int, decimals: int, exponent: int
) -> None:
    unit = data.draw(st.sampled_from(sorted(quantity.units)))
    number = f"{whole}.{decimals:06}e{exponent}"
    exact = (whole + Fraction(decimals, 10**6)) * Fraction(10) ** exponent * quantity.units[unit]
    if exact.denominator == 1:
        assert quantity.parse(f"{number} {unit}") == exact
    else:
        with pytest.raises(UnitError, match="not a whole number"):
            quantity.parse(f"{number} {unit}")


@given(st.sampled_from(QUANTITIES), st.text(max_size=70))
def test_any_text_is_read_or_refused(quantity: Quantity, text: str) -> None:
    try:
        value = quantity.parse(text)
    except UnitError:
        return
    assert quantity.parse(quantity.format(value)) == value


def test_decimal_and_binary_prefixes_differ() -> None:
    for prefix in "kMGT":
        binary = prefix.upper() + "iB"
        assert SIZE.parse(f"1 {prefix}B") < SIZE.parse(f"1 {binary}")


def test_a_byte_is_eight_bits() -> None:
    for prefix in ("", "k", "M", "G", "T"):
        assert RATE.parse(f"1 {prefix}B/s") == 8 * RATE.parse(f"1 {prefix}b/s")
