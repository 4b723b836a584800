"""What the keys of a link's power must keep to together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from kumihimo.platform.schema.key import Rule
from kumihimo.units import DURATION, POWER

if TYPE_CHECKING:
    from kumihimo.platform.schema.setting import Setting


def _no_more(what: str, than: str) -> Callable[[int, int], str | None]:
    """Return a check that a power is not above another."""

    def check(limit: int, value: int) -> str | None:
        if value <= limit:
            return None
        return f"{what}, {POWER.format(value)}, is above {than}, {POWER.format(limit)}"

    return check


def _no_shorter(than: str) -> Callable[[int, int], str | None]:
    """Return a check that a time is not below another."""

    def check(limit: int, value: int) -> str | None:
        if value >= limit:
            return None
        return f"{DURATION.format(value)} is less than {than}, {DURATION.format(limit)}"

    return check


def _is_quiet(quiet_time: int, refresh_time: int) -> str | None:
    if refresh_time == 0 or quiet_time > 0:
        return None
    return "a link that refreshes needs a quiet_time in between"


def keys_without_effect(settings: Mapping[str, Setting]) -> Iterator[tuple[str, str]]:
    """Return the keys that a platform file sets in vain: path, and why."""
    asleep = settings.get("link_power.data_in_sleep")
    if asleep is None or asleep.value != "at_once":
        return
    for path in ("link_power.early_wake_time", "link_power.deep_early_wake_time"):
        if path in settings and not settings[path].is_default:
            yield path, 'has no effect with data_in_sleep = "at_once"'


RULES = (
    Rule(
        ("link_power.power_on", "link_power.power_low"),
        _no_more("a sleeping link's power", "an active link's"),
        "A link that sleeps draws no more than an active one, and in the deeper mode no more "
        "than in the first.",
    ),
    Rule(
        ("link_power.power_low", "link_power.deep_power"),
        _no_more("the deeper mode's power", "the first mode's"),
        "",
    ),
    Rule(
        ("link_power.wake_time", "link_power.early_wake_time"),
        _no_shorter("wake_time"),
        "A wake on the way to sleep takes no less time than one from sleep, and one from the "
        "deeper mode no less than one from the first.",
    ),
    Rule(
        ("link_power.wake_time", "link_power.deep_wake_time"),
        _no_shorter("wake_time"),
        "",
    ),
    Rule(
        ("link_power.deep_wake_time", "link_power.deep_early_wake_time"),
        _no_shorter("deep_wake_time"),
        "",
    ),
    Rule(("link_power.quiet_time", "link_power.refresh_time"), _is_quiet, ""),
    Rule(("link_power.deep_quiet_time", "link_power.deep_refresh_time"), _is_quiet, ""),
)
