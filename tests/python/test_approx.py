"""`kumihimo.approx`: arrays as channels deliver them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kumihimo import approx


@pytest.fixture
def noisy() -> approx.Channel:
    return approx.Channel("qam1024", bit_error_rate=1e-3)


def test_rates_are_the_formulas() -> None:
    channel = approx.Channel("qam1024", bit_error_rate=1e-5)
    assert channel.snr_db == pytest.approx(37.47, abs=0.006)
    assert channel.bit_error_rates == pytest.approx(
        (1.61e-6, 3.23e-6, 6.45e-6, 1.29e-5, 2.58e-5), rel=5e-3
    )
    assert np.mean(channel.bit_error_rates) == pytest.approx(1e-5)
    assert max(channel.protected_bit_error_rates) < 1e-12
    assert len(channel.protected_bit_error_rates) == 4
    assert approx.Channel("nrz", snr_db=9.59).protected_bit_error_rates == ()
    assert channel.bandwidth_share(np.float64, 16) == pytest.approx(256 / 272)
    assert channel.bandwidth_share(np.complex64, 12) == pytest.approx(128 / 140)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex64, np.complex128])
def test_counts_are_those_of_the_array(dtype: Any, noisy: approx.Channel) -> None:  # noqa: ANN401
    sent = np.random.default_rng(1).normal(size=(300, 70)).astype(dtype)
    received = approx.spoil(sent, noisy, protected_bits=12, seed=3)
    words = np.uint16 if dtype is np.float16 else np.uint32
    if dtype in (np.float64, np.complex128):
        words = np.uint64
    differing = sent.view(words) ^ received.array.view(words)
    width = words().itemsize * 8
    found = [
        int(np.count_nonzero(differing >> words(width - 1 - bit) & words(1)))
        for bit in range(width)
    ]
    assert received.array.shape == sent.shape
    assert received.array.dtype == sent.dtype
    assert received.by_bit.tolist() == found
    assert sum(found[:12]) == 0
    expected = sent.size * sent.itemsize * 8 * (width - 12) / width * 1e-3
    assert received.wrong_bits == pytest.approx(expected, abs=5 * expected**0.5)


def test_repeats_are_equal_and_messages_are_not(noisy: approx.Channel) -> None:
    sent = np.linspace(1, 2, 10_000)
    one, same, other, further = (
        approx.spoil(sent, noisy, protected_bits=16, seed=1, message=message, hops=hops).array
        for message, hops in ((5, 1), (5, 1), (6, 1), (5, 2))
    )
    assert one.tobytes() == same.tobytes()
    assert one.tobytes() != other.tobytes()
    # Bits that the second hop turned round, and the first one's.
    both = approx.spoil(sent, noisy, protected_bits=16, seed=1, message=5, hops=2)
    assert both.array.tobytes() == further.tobytes()
    assert (
        both.wrong_bits > approx.spoil(sent, noisy, protected_bits=16, seed=1, message=5).wrong_bits
    )
    exact = approx.spoil(sent, noisy, protected_bits=16, seed=1, hops=0)
    assert exact.array.tobytes() == sent.tobytes()


def test_errors_are_as_large_as_protection_allows(noisy: approx.Channel) -> None:
    sent = np.linspace(1, 2, 100_000, endpoint=False)
    for protected_bits in (12, 16, 32):
        received = approx.spoil(sent, noisy, protected_bits=protected_bits, seed=1).array
        largest = np.abs(received - sent).max()
        # Of 64 bits 12 are sign and exponent: the first unprotected one is worth this.
        assert 0 < largest < 2.0 ** (12 - protected_bits)


def test_important_bits_first_is_more_accurate(noisy: approx.Channel) -> None:
    sent = np.linspace(1, 2, 200_000, endpoint=False)
    errors = {
        order: float(
            np.abs(
                approx.spoil(sent, noisy, protected_bits=12, seed=1, order=order).array - sent
            ).sum()
        )
        for order in ("in_order", "important_first")
    }
    # The first bits count most, and their positions are 6.2 times better than the mean of all.
    assert errors["important_first"] < errors["in_order"] / 3


def test_nan_and_infinity_are_counted(noisy: approx.Channel) -> None:
    sent = np.ones(100_000, dtype=np.float16)
    sent[0] = np.nan
    received = approx.spoil(
        sent, approx.Channel("qam16", bit_error_rate=0.1), protected_bits=0, seed=1
    )
    assert received.nan == np.isnan(received.array[1:]).sum() > 0
    assert received.inf == np.isinf(received.array).sum()
    assert np.isfinite(approx.spoil(sent[1:], noisy, protected_bits=6, seed=1).array).all()


def test_an_array_that_is_not_contiguous(noisy: approx.Channel) -> None:
    sent = np.arange(20_000, dtype=np.float64).reshape(100, 200)
    turned = approx.spoil(sent.T, noisy, protected_bits=16, seed=2)
    straight = approx.spoil(np.ascontiguousarray(sent.T), noisy, protected_bits=16, seed=2)
    assert turned.wrong_bits > 0
    assert turned.array.tobytes() == straight.array.tobytes()
    assert approx.spoil(sent[:0], noisy, protected_bits=16, seed=2).wrong_bits == 0


def test_bursts_come_together() -> None:
    sent = np.zeros(100_000)
    channel = approx.Channel(
        "pam4", snr_db=40, burst_share=0.01, burst_length=2_000, burst_snr_db=5
    )
    received = approx.spoil(sent, channel, protected_bits=0, seed=4)
    touched = np.count_nonzero(received.array.view(np.uint64))
    assert 0 < touched < 5_000
    assert received.wrong_bits > 4 * touched


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"protected_bits": 65}, "protected_bits must be from 0 to 64, not 65"),
        ({"protected_bits": -1}, "protected_bits must be from 0 to 64, not -1"),
        ({"seed": -1}, "seed must be from 0"),
        ({"hops": -1}, "hops must be from 0"),
        ({"message": 2**64}, "message must be from 0"),
        ({"order": "random"}, "order must be"),
    ],
)
def test_what_is_refused(change: dict[str, Any], message: str, noisy: approx.Channel) -> None:
    arguments = {"channel": noisy, "protected_bits": 16, "seed": 1, **change}
    with pytest.raises(ValueError, match=message):
        approx.spoil(np.ones(4), **arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"protected_bits": 1.5}, "protected_bits must be a whole number, not 1.5"),
        ({"protected_bits": "16"}, "protected_bits must be a whole number, not '16'"),
        ({"seed": None}, "seed must be a whole number, not None"),
        ({"message": 1.0}, "message must be a whole number, not 1.0"),
        ({"hops": True}, "hops must be a whole number, not True"),
        ({"channel": "qam16"}, "channel must be a Channel or a list of them, not 'qam16'"),
        ({"channel": [1]}, r"channel must be a Channel or a list of them, not \[1\]"),
        ({"array": ["a"]}, "cannot be spoilt"),
        ({"array": [1, 2]}, "force=True"),
    ],
)
def test_types_of_arguments_are_named(
    change: dict[str, Any], message: str, noisy: approx.Channel
) -> None:
    arguments = {"array": np.ones(4), "channel": noisy, "protected_bits": 16, "seed": 1, **change}
    with pytest.raises(TypeError, match=message):
        approx.spoil(**arguments)


def test_lists_and_numbers_are_arrays(noisy: approx.Channel) -> None:
    numbers = [[float(row), row + 0.5] for row in range(4_000)]
    received = approx.spoil(numbers, noisy, protected_bits=16, seed=1)
    same = approx.spoil(np.array(numbers), noisy, protected_bits=np.int64(16), seed=np.uint64(1))
    assert received.wrong_bits > 0
    assert received.array.shape == (4_000, 2)
    assert received.array.tobytes() == same.array.tobytes()
    assert approx.spoil(1.5, noisy, protected_bits=64, seed=1).array == 1.5


def test_the_order_in_memory_is_kept(noisy: approx.Channel) -> None:
    sent = np.asfortranarray(np.linspace(1, 2, 30_000).reshape(30, 50, 20))
    received = approx.spoil(sent, noisy, protected_bits=16, seed=1)
    assert received.wrong_bits > 0
    assert received.array.flags.f_contiguous
    straight = approx.spoil(np.ascontiguousarray(sent), noisy, protected_bits=16, seed=1)
    assert straight.array.flags.c_contiguous
    assert (received.array.view(np.uint64) == straight.array.view(np.uint64)).all()


def test_each_link_may_have_its_own_channel(noisy: approx.Channel) -> None:
    sent = np.linspace(1, 2, 30_000)
    quiet = approx.Channel("qam16", bit_error_rate=1e-15)
    arguments: dict[str, Any] = {"protected_bits": 16, "seed": 1}
    alike = approx.spoil(sent, [noisy, noisy], **arguments)
    assert alike.array.tobytes() == approx.spoil(sent, noisy, hops=2, **arguments).array.tobytes()
    first = approx.spoil(sent, [noisy, quiet], **arguments)
    assert first.array.tobytes() == approx.spoil(sent, noisy, **arguments).array.tobytes()
    second = approx.spoil(sent, (quiet, noisy), hops=2, **arguments)
    assert second.array.tobytes() != first.array.tobytes()
    assert (second.by_bit + first.by_bit == alike.by_bit).all()
    assert approx.spoil(sent, [], **arguments).wrong_bits == 0
    with pytest.raises(ValueError, match="left out with a list of 2 channels"):
        approx.spoil(sent, [noisy, quiet], hops=1, **arguments)
    with pytest.raises(ValueError, match=r"two levels cannot be thinned: Channel\('nrz'"):
        approx.spoil(sent, [noisy, approx.Channel("nrz", snr_db=5)], **arguments)


def test_what_is_printed() -> None:
    channel = approx.Channel("qam1024", bit_error_rate=1e-5)
    assert repr(channel) == "Channel('qam1024', snr_db=37.4728)"
    bursts = approx.Channel("pam4", snr_db=40, burst_share=0.01, burst_length=20, burst_snr_db=5)
    text = "Channel('pam4', snr_db=40, burst_share=0.01, burst_length=20, burst_snr_db=5)"
    assert repr(bursts) == text
    received = approx.spoil(np.ones((3, 4)), channel, protected_bits=64, seed=1)
    assert repr(received) == "Spoiled(float64 (3, 4), 0 wrong bits, 0 NaN, 0 infinite)"
    assert received != approx.spoil(np.ones((3, 4)), channel, protected_bits=64, seed=1)


def test_two_levels_protect_nothing() -> None:
    channel = approx.Channel("nrz", snr_db=5)
    with pytest.raises(ValueError, match="two levels cannot be thinned"):
        approx.spoil(np.ones(4), channel, protected_bits=1, seed=1)
    assert approx.spoil(np.ones(4_000), channel, protected_bits=0, seed=1).wrong_bits > 0


def test_types_that_are_refused(noisy: approx.Channel) -> None:
    for array in (np.ones(4, dtype=object), np.ones(4, dtype="<U3"), np.ones(4, dtype=bool)):
        with pytest.raises(TypeError, match="cannot be spoilt"):
            approx.spoil(array, noisy, protected_bits=0, seed=1, force=True)
    with pytest.raises(TypeError, match="cannot be spoilt"):
        approx.spoil(np.ones(4, dtype=">f8"), noisy, protected_bits=0, seed=1)
    with pytest.raises(TypeError, match="cannot be spoilt"):
        approx.spoil(np.ones(4, dtype=np.longdouble), noisy, protected_bits=0, seed=1)
    with pytest.raises(TypeError, match="force=True"):
        approx.spoil(np.ones(4, dtype=np.int32), noisy, protected_bits=0, seed=1)
    forced = approx.spoil(
        np.ones(9_999, dtype=np.int32), noisy, protected_bits=0, seed=1, force=True
    )
    assert forced.wrong_bits > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"modulation": "qam512", "snr_db": 3}, "no modulation 'qam512'"),
        ({"modulation": "pam4"}, "either snr_db or bit_error_rate"),
        ({"modulation": "pam4", "snr_db": 3, "bit_error_rate": 0.1}, "either"),
        ({"modulation": "pam4", "bit_error_rate": 0.7}, "no noise makes"),
        ({"modulation": "pam4", "bit_error_rate": float("nan")}, "no noise makes"),
        ({"modulation": "pam4", "snr_db": float("nan")}, "snr_db must be"),
        ({"modulation": "pam4", "snr_db": 3, "burst_share": 0.1}, "both"),
        (
            {"modulation": "pam4", "snr_db": 3, "burst_share": 0.9, "burst_snr_db": 1},
            "bursts need a length",
        ),
    ],
)
def test_channels_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        approx.Channel(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"modulation": 16, "snr_db": 3}, "modulation must be a text, not 16"),
        ({"modulation": "pam4", "snr_db": "3"}, "snr_db must be a number, not '3'"),
        ({"modulation": "pam4", "bit_error_rate": []}, "bit_error_rate must be a number"),
        ({"modulation": "pam4", "snr_db": 3, "burst_share": None}, "burst_share must be a number"),
    ],
)
def test_types_of_channels_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        approx.Channel(**arguments)


def test_shares_of_bandwidth_that_cannot_be() -> None:
    channel = approx.Channel("qam16", snr_db=10)
    with pytest.raises(ValueError, match="protected_bits must be from 0 to 32, not 33"):
        channel.bandwidth_share(np.float32, 33)
    with pytest.raises(TypeError, match="protected_bits must be a whole number"):
        channel.bandwidth_share(np.float32, 8.0)  # type: ignore[arg-type]
