"""Keys of links as channels: what symbols carry, and how their errors are corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from kumihimo.platform.schema.key import (
    REQUIRED,
    Default,
    Follows,
    Key,
    PlainDefault,
    Required,
    Rule,
    SameAs,
    Section,
    When,
    network,
)
from kumihimo.platform.schema.values import (
    Choice,
    Count,
    Measure,
    Probability,
    Value,
    ValueType,
)
from kumihimo.units import DECIBEL, DURATION, RATE, SYMBOL_RATE


@dataclass(frozen=True)
class Modulation:
    """How bits become symbols; `_core.channel_modulations` knows the same ones.

    Attributes:
        bits: Of a symbol.
        doc: A sentence for the reference.
    """

    bits: int
    doc: str


@dataclass(frozen=True)
class FecCode:
    """A code of `word` symbols of 10 bits of which `data` carry data; as `_core` knows them.

    Attributes:
        word: Symbols of a code word.
        data: Those of them that carry data.
        doc: A sentence for the reference.
    """

    word: int
    data: int
    doc: str


MODULATIONS: Mapping[str, Modulation] = MappingProxyType(
    {
        "nrz": Modulation(1, "Two levels, also called on-off keying."),
        "pam4": Modulation(2, "Four levels."),
        **{
            f"qam{points}": Modulation(points.bit_length() - 1, f"{points} points in a square.")
            for points in (16, 64, 256, 1024, 4096)
        },
    }
)

FEC_CODES: Mapping[str, FecCode] = MappingProxyType(
    {
        "rs528": FecCode(528, 514, "Reed-Solomon (528,514), IEEE 802.3, clause 91."),
        "rs544": FecCode(544, 514, "Reed-Solomon (544,514), IEEE 802.3, clause 119."),
    }
)

# What any link may carry.
_LEAST, _MOST = "1 b/s", "1000 Tb/s"
BANDWIDTH = Measure(RATE, smallest=_LEAST, largest=_MOST)
_LATENCY = Measure(DURATION, smallest="0 ns", largest="1 s")
_RATE_KEYS = ("modulation", "symbol_rate", "lanes", "fec")


def rate_bps(modulation: str, symbol_rate: int, lanes: int, fec: str) -> int:
    """Return the rate of data of a channel in bit/s, rounded down.

    Args:
        modulation: One of `MODULATIONS`.
        symbol_rate: Of each lane, in baud.
        lanes: How many there are.
        fec: One of `FEC_CODES`, or "none".
    """
    line = symbol_rate * lanes * MODULATIONS[modulation].bits
    code = FEC_CODES.get(fec)
    return line if code is None else line * code.data // code.word


def _rate(*values: Value) -> int:
    modulation, symbol_rate, lanes, fec = values
    assert isinstance(symbol_rate, int)
    assert isinstance(lanes, int)
    return rate_bps(str(modulation), symbol_rate, lanes, str(fec))


def _is_possible(*values: Value) -> str | None:
    most = _rate(*values)
    if RATE.parse(_LEAST) <= most <= RATE.parse(_MOST):
        return None
    return f"the channel carries {RATE.format(most)}; expected from {_LEAST} to {_MOST}"


def _is_carried(*values: Value) -> str | None:
    *channel, bandwidth = values
    most = _rate(*channel)
    rates = bandwidth if isinstance(bandwidth, tuple) else (bandwidth,)
    highest = max(int(rate) for rate in rates)
    if highest <= most:
        return None
    modulation, symbol_rate, lanes, fec = channel
    assert isinstance(symbol_rate, int)
    bits = MODULATIONS[str(modulation)].bits
    code = FEC_CODES.get(str(fec))
    share = "" if code is None else f" x {code.data}/{code.word}"
    return (
        f"{RATE.format(highest)} is more than the channel carries: "
        f"{SYMBOL_RATE.format(symbol_rate)} x {lanes} (lanes) x {bits} (bits of a symbol){share} "
        f"= {RATE.format(most)}"
    )


def bandwidth_of(section: str, otherwise: PlainDefault) -> Follows:
    """Return the default of a class's bandwidth: what its channel carries, if it has one."""
    return Follows(_paths(section), _rate, f"what `[{section}.channel]` carries", otherwise)


def bandwidth_rule(section: str) -> Rule:
    """Return the rule that a class's bandwidth, if it is given, is one that its channel carries."""
    return Rule(
        (*_paths(section), f"{section}.bandwidth"),
        _is_carried,
        "With a channel, `bandwidth` is at most what that carries.",
    )


def _paths(section: str) -> tuple[str, ...]:
    return tuple(f"{section}.channel.{name}" for name in _RATE_KEYS)


def _is_one_noise(bit_error_rate: int, snr: int) -> str | None:
    if bit_error_rate == 0 or snr == 0:
        return None
    return (
        "a channel has either snr or bit_error_rate, here or from [link.channel]; "
        'say "none" for the other'
    )


def noise_of(section: str, values: Mapping[str, Value]) -> dict[str, Value] | None:
    """Return what corrupts bits on the links of a class, as `_core.Network` takes it.

    Args:
        section: That describes the class: "link".
        values: Of all keys that apply, by path.

    Returns:
        None if nothing does: without a channel, with error correction, or without noise.
    """
    bit_error, snr, mapping, modulation = (
        values.get(f"{section}.channel.{name}", 0)
        for name in ("bit_error_rate", "snr", "mapping", "modulation")
    )
    if bit_error == 0 and snr == 0:
        return None
    ratio = {"snr_mdb": snr} if snr != 0 else {"bit_error_e18": bit_error}
    return {"modulation": modulation, **ratio, "mapping": mapping}


def channel_section(
    section: str,
    doc: str,
    when: When,
    *,
    links: str = "",
    like: str | None = None,
    default_only: When | None = None,
) -> Section:
    """Return the keys of the channels of one class of links.

    Args:
        section: That describes the class: "link".
        doc: What the section is about, for the reference.
        when: Under which condition the class exists.
        links: The core's name of the class; empty if it is that of the section.
        like: The class that has the defaults.
        default_only: Where the values are only the defaults of other classes.
    """
    path = f"{section}.channel"
    is_channel = When(f"{path}.modulation", tuple(MODULATIONS))
    is_uncorrected = When(f"{path}.fec", ("none",))

    def key(
        name: str,
        type_: ValueType,
        otherwise: int | str | Literal[Required.REQUIRED],
        doc: str,
        when: When | None = is_channel,
    ) -> Key:
        default: Default = otherwise
        if like is not None:
            default = SameAs(f"{like}.channel.{name}", otherwise)
        feeds = network(links or section, "fec_latency_ps") if name == "fec_latency" else None
        return Key(
            f"{path}.{name}", type_, default, feeds, doc, when=when, default_only=default_only
        )

    return Section(
        name=path,
        doc=doc,
        keys=(
            key(
                "modulation",
                Choice(
                    {
                        "none": "Only bandwidth and latency are known.",
                        **{name: about.doc for name, about in MODULATIONS.items()},
                    }
                ),
                "none",
                'Modulation of the symbols. "none": not modelled. '
                + " ".join(
                    f'"{name}": {about.bits} bit{"s" if about.bits > 1 else ""} a symbol.'
                    for name, about in MODULATIONS.items()
                ),
                None,
            ),
            key(
                "symbol_rate",
                Measure(SYMBOL_RATE, smallest="1 Bd", largest="1 TBd"),
                REQUIRED,
                "Symbol rate of each lane, in each direction.",
            ),
            key("lanes", Count(1, 1024), 1, "Number of lanes that carry symbols in parallel."),
            key(
                "fec",
                Choice(
                    {
                        "none": "No error correction.",
                        **{name: about.doc for name, about in FEC_CODES.items()},
                    }
                ),
                "none",
                "Forward error correction. It takes part of the bandwidth and a latency at every "
                "hop. "
                + " ".join(
                    f'"{name}": {about.doc} {about.data} of {about.word} bits are data.'
                    for name, about in FEC_CODES.items()
                ),
            ),
            key(
                "fec_latency",
                _LATENCY,
                "100 ns",
                "Added to the latency of each of these links, for a code word must be there before "
                "it can be put right [Fujiwara16].",
                When(f"{path}.fec", tuple(FEC_CODES)),
            ),
            key(
                "bit_error_rate",
                Probability("1e-15", "0.1", words={"none": 0}),
                "none",
                "Share of bits that arrive wrong on each of these links, where `run --approx` "
                'allows errors. "none", without `snr`: all bits are right. Links with `fec` '
                "deliver all bits right.",
                is_uncorrected,
            ),
            key(
                "snr",
                Measure(DECIBEL, smallest="1 dB", largest="100 dB", words={"none": 0}),
                "none",
                "In place of `bit_error_rate`: energy of a symbol over noise density.",
                is_uncorrected,
            ),
            key(
                "mapping",
                Choice(
                    {
                        "in_order": "One bit of a number after the other.",
                        "important_first": "Significant bits in better positions.",
                    }
                ),
                "in_order",
                'Places of unprotected bits in symbols. "in_order": one bit of a number after the '
                'other. "important_first": the more significant bits of several numbers take the '
                "positions that are wrong least often.",
                is_uncorrected,
            ),
        ),
        when=when,
        rules=(
            Rule(_paths(section), _is_possible, ""),
            Rule(
                (f"{path}.bit_error_rate", f"{path}.snr"),
                _is_one_noise,
                "Either `bit_error_rate` or `snr` says how much noise there is.",
            ),
        ),
    )
