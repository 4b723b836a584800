"""Links that are known to save power: values of [link_power] by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Preset:
    """What is known of one kind of link.

    Attributes:
        doc: A sentence or two for the reference.
        values: By the name of the key; the others have their own defaults.
    """

    doc: str
    values: Mapping[str, str]


_RELATIVE = {"power_on": "1 W", "power_low": "100 mW", "data_in_sleep": "wake_again"}
_STANDARD = (
    "Times of IEEE 802.3, clause 78 (the longer ones where it leaves a choice). The standard says "
    "no powers: an active link draws 1 W, so that energies are shares of it."
)
_FAST = {"sleep_time": "180 ns", "wake_time": "340 ns", "power_low": "700 mW"}

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "matsuyama18": Preset(
            "The links of Matsuyama et al. [Matsuyama18].",
            {
                "power_on": "12 W",
                "power_low": "1.2 W",
                "sleep_time": "3 µs",
                "wake_time": "4 µs",
                "data_in_sleep": "at_once",
            },
        ),
        "10GBASE-T": Preset(
            _STANDARD,
            {
                **_RELATIVE,
                "sleep_time": "3.2 µs",
                "wake_time": "4.48 µs",
                "early_wake_time": "7.36 µs",
                "quiet_time": "39.68 µs",
                "refresh_time": "1.28 µs",
            },
        ),
        "25GBASE-T": Preset(
            _STANDARD,
            {
                **_RELATIVE,
                "sleep_time": "900 ns",
                "wake_time": "1.79 µs",
                "early_wake_time": "2.56 µs",
            },
        ),
        "40GBASE-T": Preset(
            _STANDARD,
            {
                **_RELATIVE,
                "sleep_time": "560 ns",
                "wake_time": "1.12 µs",
                "early_wake_time": "1.6 µs",
            },
        ),
        "100GBASE-KR4": Preset(
            f"Deep sleep of a backplane. {_STANDARD}",
            {**_RELATIVE, "sleep_time": "1.1 µs", "wake_time": "5.5 µs"},
        ),
        "100GBASE-KR4-FEC": Preset(
            f"The same with forward error correction. {_STANDARD}",
            {**_RELATIVE, "sleep_time": "1.1 µs", "wake_time": "6.5 µs"},
        ),
        "fast_wake": Preset(
            "25 to 400GBASE-R, which only have the fast wake of IEEE 802.3, clause 78; asleep they "
            "draw 70 % of their power.",
            {**_RELATIVE, **_FAST},
        ),
        "dual": Preset(
            "A link with a fast wake and a deep sleep: 70 % of its power after 180 ns, 10 % after "
            "720 ns more.",
            {
                **_RELATIVE,
                **_FAST,
                "modes": "dual",
                "deep_power": "100 mW",
                "deep_sleep_time": "720 ns",
                "deep_wake_time": "5.5 µs",
            },
        ),
    }
)
