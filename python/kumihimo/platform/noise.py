"""Noise that is too strong for what a platform assumes about its links."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping

from kumihimo.platform.schema.setting import Setting
from kumihimo.platform.schema.values import Value

MOST_WRONG = 1e-12
"""The share of wrong bits that interconnects demand, and that protected bits are to keep to."""


def noise_beyond_protection(settings: Mapping[str, Setting]) -> Iterator[tuple[str, str]]:
    """Return the keys of noise under which protected bits do not keep to `MOST_WRONG`.

    Args:
        settings: All keys that apply, by path.

    Yields:
        Path of a key that the file sets, and what follows.
    """
    for path, setting in settings.items():
        section, _, name = path.rpartition(".")
        if name not in ("bit_error_rate", "snr") or setting.is_default or setting.value == 0:
            continue
        worst = _worst_protected_bit(settings[f"{section}.modulation"].value, name, setting.value)
        if worst > MOST_WRONG:
            yield (
                path,
                f"one protected bit in {1 / worst:.1e} is wrong at each hop, more than one in "
                f"{1 / MOST_WRONG:.0e}; exact messages and control messages arrive right all the "
                "same",
            )


def _worst_protected_bit(modulation: Value, name: str, amount: Value) -> float:
    """Return the largest error rate of a protected bit; 0 where none can be protected."""
    # Imported late: reading and checking other files works without the compiled core.
    core = importlib.import_module("kumihimo._core")
    assert isinstance(amount, int)
    if name == "snr":
        snr_db = amount / 1000
    else:
        snr_db = core.snr_db_for_bit_error(str(modulation), amount / 10**18)
    channel = core.Channel(str(modulation), snr_db, 0.0, 1.0, 0.0)
    return max(channel.bit_errors(thinned=True), default=0.0)
