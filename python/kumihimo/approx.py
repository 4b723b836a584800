"""Numbers that links without error correction carry: unimportant bits may arrive wrong.

A program says of a datatype of mpi4py that its messages may arrive with errors, as by
kumihimo/approx.h::

    halo = approx_type(MPI.DOUBLE, protected_bits=16)
    world.Send([rows, halo], dest=right)

Arrays as links deliver them, without MPI and outside of runs. What a link spoils depends on seed,
message and hop alone, so that every repeat gives the same bits::

    channel = Channel("qam1024", bit_error_rate=1e-5)
    received = spoil(sent, channel, protected_bits=16, seed=1, hops=4)
    print(received.array, received.wrong_bits)
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from kumihimo import _core
from kumihimo.shim import shim_function

if TYPE_CHECKING:
    from mpi4py.MPI import Datatype
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Channel", "Spoiled", "approx_type", "spoil"]

_KINDS = "fc"


class Channel:
    """A link's modulation and noise [Cho02], with or without bursts [Elliott63].

    Attributes:
        modulation: As it was named.
        snr_db: Energy per symbol over noise density outside of bursts, in dB.
    """

    def __init__(
        self,
        modulation: str,
        *,
        snr_db: float | None = None,
        bit_error_rate: float | None = None,
        burst_share: float = 0.0,
        burst_length: float = 1.0,
        burst_snr_db: float | None = None,
    ) -> None:
        """Makes a channel.

        Args:
            modulation: "nrz", "pam4", or "qam16" to "qam4096".
            snr_db: Energy per symbol over noise density, in dB.
            bit_error_rate: In its place: the share of bits that are wrong, outside of bursts.
            burst_share: Share of a symbol's axes that lie in bursts, from 0 to below 1.
            burst_length: Mean length of bursts, in axes of symbols.
            burst_snr_db: As `snr_db`, within bursts; needed where there are any.

        Raises:
            TypeError: If an argument is no number, or `modulation` no text.
            ValueError: If not exactly one of `snr_db` and `bit_error_rate` is given, or if there is
                no such channel.
        """
        if not isinstance(modulation, str):
            raise TypeError(f"modulation must be a text, not {modulation!r}")
        for name, value in (
            ("snr_db", snr_db),
            ("bit_error_rate", bit_error_rate),
            ("burst_share", burst_share),
            ("burst_length", burst_length),
            ("burst_snr_db", burst_snr_db),
        ):
            is_absent = value is None and not name.startswith(("burst_share", "burst_length"))
            if not is_absent and not _is_number(value):
                raise TypeError(f"{name} must be a number, not {value!r}")
        if (snr_db is None) == (bit_error_rate is None):
            raise ValueError("a channel needs either snr_db or bit_error_rate")
        if (burst_share > 0) != (burst_snr_db is not None):
            raise ValueError("bursts need both burst_share and burst_snr_db")
        if bit_error_rate is not None:
            snr_db = _core.snr_db_for_bit_error(modulation, bit_error_rate)
        assert snr_db is not None
        self.modulation = modulation
        self.snr_db = float(snr_db)
        self._bursts = ""
        if burst_snr_db is not None:
            self._bursts = (
                f", burst_share={burst_share:g}, burst_length={burst_length:g}, "
                f"burst_snr_db={burst_snr_db:g}"
            )
        self._channel = _core.Channel(
            modulation, snr_db, burst_share, burst_length, burst_snr_db or 0.0
        )

    def __repr__(self) -> str:
        """Return what makes such a channel."""
        return f"Channel({self.modulation!r}, snr_db={self.snr_db:.6g}{self._bursts})"

    @property
    def bit_error_rates(self) -> tuple[float, ...]:
        """The error rate of each bit of an axis of a symbol, the most significant first."""
        return tuple(self._channel.bit_errors(thinned=False))

    @property
    def protected_bit_error_rates(self) -> tuple[float, ...]:
        """The same of protected bits; empty if the modulation has no levels to leave out."""
        return tuple(self._channel.bit_errors(thinned=True))

    def bandwidth_share(self, dtype: Any, protected_bits: int) -> float:  # noqa: ANN401
        """Return the rate of payload over the link's rate, in (0, 1].

        Raises:
            TypeError: If the bits of the type cannot be wrong, or `protected_bits` is no integer.
            ValueError: If the type has too few bits for `protected_bits`.
        """
        word_bits = _word_bits(np.dtype(dtype))
        protected_bits = _checked("protected_bits", protected_bits, word_bits)
        return self._channel.bandwidth_share(word_bits, protected_bits)


@dataclass(frozen=True, eq=False, repr=False)
class Spoiled:
    """What arrives.

    Attributes:
        array: A copy, of the same shape, type and order in memory.
        by_bit: How often each bit was wrong, the most significant first; of complex numbers both
            parts together. A bit that two hops turned round counts twice.
        nan: Numbers that became NaN (complex ones: either part).
        inf: Numbers that became infinite.
    """

    array: NDArray[Any]
    by_bit: NDArray[np.uint64]
    nan: int
    inf: int

    def __repr__(self) -> str:
        """Return what happened, without the numbers."""
        return (
            f"Spoiled({self.array.dtype} {self.array.shape}, {self.wrong_bits} wrong bits, "
            f"{self.nan} NaN, {self.inf} infinite)"
        )

    @property
    def wrong_bits(self) -> int:
        """How many bits were wrong in all hops together."""
        return int(self.by_bit.sum())


def spoil(
    array: ArrayLike,
    channel: Channel | Sequence[Channel],
    *,
    protected_bits: int,
    seed: int,
    message: int = 0,
    hops: int | None = None,
    order: Literal["in_order", "important_first"] = "in_order",
    force: bool = False,
) -> Spoiled:
    """Return an array as it arrives after some hops.

    Which bits are wrong does not depend on how the array lies in memory: numbers cross the links in
    the order of their indices, the last one fastest.

    Args:
        array: Of float16, float32, float64, complex64 or complex128, of any shape; or what NumPy
            makes such an array of, as a list of floats.
        channel: Of each link, or a list of those that are crossed one after the other.
        protected_bits: Of each number, from the sign on; of complex ones, of either part.
        seed: Of the run, from 0 to 2^64 - 1.
        message: Number of the message, in the same range.
        hops: How many links of one channel are crossed, 0 or more, 1 by default; not with a list.
        order: How unprotected bits are put in symbols: one after the other, or so that the more
            significant bits of several words take the positions that are wrong least often.
        force: Whether integers may be spoilt too.

    Raises:
        TypeError: If the array is of a type whose bits must not be wrong, or another argument is of
            a wrong type.
        ValueError: If an argument is out of range.
    """
    sent = np.asarray(array)
    word_bits = _word_bits(sent.dtype, force=force)
    if order not in ("in_order", "important_first"):
        raise ValueError(f'order must be "in_order" or "important_first", not {order!r}')
    protected_bits = _checked("protected_bits", protected_bits, word_bits)
    seed = _checked("seed", seed, 2**64 - 1)
    message = _checked("message", message, 2**64 - 1)
    arrived = np.array(sent, order="C", copy=True)
    by_bit = np.zeros(word_bits, dtype=np.uint64)
    payload = arrived.reshape(-1).view(np.uint8) if arrived.size > 0 else None
    for hop, link in enumerate(_links(channel, hops)):
        if protected_bits > 0 and not link.protected_bit_error_rates:
            raise ValueError(
                f"two levels cannot be thinned: {link!r} protects no bits, not {protected_bits}"
            )
        if payload is not None:
            wrong = link._channel.spoil(
                *(payload, word_bits, protected_bits, order == "important_first"),
                *(seed, message, hop),
            )
            by_bit += np.array(wrong, dtype=np.uint64)
    nan, inf = (_made(test, sent, arrived) for test in (np.isnan, np.isinf))
    if not sent.flags.c_contiguous:
        in_its_order = np.empty_like(sent, subok=False)
        in_its_order[...] = arrived
        arrived = in_its_order
    return Spoiled(arrived, by_bit, nan, inf)


def _links(channel: Channel | Sequence[Channel], hops: int | None) -> Sequence[Channel]:
    """Return the channel of each hop."""
    if isinstance(channel, Channel):
        return [channel] * (1 if hops is None else _checked("hops", hops, 2**31 - 1))
    if not isinstance(channel, Sequence) or not all(isinstance(each, Channel) for each in channel):
        raise TypeError(f"channel must be a Channel or a list of them, not {channel!r}")
    if hops is not None and hops != len(channel):
        raise ValueError(f"hops must be left out with a list of {len(channel)} channels")
    return channel


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _checked(name: str, value: object, largest: int) -> int:
    """Return an argument that must be a whole number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if not 0 <= value <= largest:
        raise ValueError(f"{name} must be from 0 to {largest}, not {value}")
    return int(value)


def _word_bits(dtype: np.dtype[Any], *, force: bool = False) -> int:
    """Return the bits of what is protected by itself: a number, or a part of a complex one."""
    if not dtype.isnative or dtype.itemsize // (2 if dtype.kind == "c" else 1) > 8:
        raise TypeError(f"numbers of type {dtype} cannot be spoilt; expected float16 to complex128")
    if dtype.kind in _KINDS:
        return dtype.itemsize * 8 // (2 if dtype.kind == "c" else 1)
    if dtype.kind not in "iu":
        raise TypeError(f"values of type {dtype} cannot be spoilt; expected float16 to complex128")
    if not force:
        raise TypeError(f"integers ({dtype}) may be counts or places: spoil them with force=True")
    return dtype.itemsize * 8


def _made(test: Any, before: NDArray[Any], after: NDArray[Any]) -> int:  # noqa: ANN401
    if before.dtype.kind not in _KINDS:
        return 0
    return int(np.count_nonzero(test(after) & ~test(before)))


def approx_type(datatype: Datatype, protected_bits: int, *, force: bool = False) -> Datatype:
    """Return a committed duplicate of a datatype whose messages may arrive with errors.

    Outside of a run it is a plain duplicate. Types that are made of it have the same meaning.

    Args:
        datatype: Of mpi4py: of floating-point numbers of one kind, complex or not.
        protected_bits: Of each number, from the sign on, that always arrive right; of complex ones,
            of either part.
        force: Whether integers may arrive with errors too. They may be counts or places.

    Raises:
        mpi4py.MPI.Exception: If nothing may go wrong in such a type (`MPI.ERR_TYPE`), or its
            numbers have too few bits to protect (`MPI.ERR_ARG`).
    """
    from mpi4py import MPI

    make = shim_function(
        "kumi_approx_make_type",
        *(ctypes.c_int, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_void_p),
    )
    if make is None:
        return datatype.Dup().Commit()
    made = MPI.Datatype()
    word = ctypes.c_uint32 if MPI._sizeof(datatype) == 4 else ctypes.c_uint64
    handle = word.from_address(MPI._addressof(datatype)).value
    code = int(make(handle, protected_bits, int(force), MPI._addressof(made)))
    if code != MPI.SUCCESS:
        raise MPI.Exception(code)
    return made
