"""What links drew, as it stands in a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kumihimo.results.summary import LinkPower, LinkPowerRow, Summary


JOULE_AJ = 10**18


def power_document(power: LinkPower, links: int, used: Sequence[int]) -> dict[str, Any]:
    """Return the part "link_power" of `result.json`.

    Args:
        power: What the core knows.
        links: Number of links of the network.
        used: Numbers of the links to list: those that carried something.
    """
    _check(power, links)
    listed = set(used)
    return {
        "policy": power["policy"],
        "end_ps": power["end_ps"],
        "wake_frames": power["wake_frames"],
        "power_uw": dict(zip(power["states"], power["power_uw"], strict=True)),
        "total": {
            **_row(power, power["total"]),
            "always_on_energy_aj": power["power_uw"][0] * power["end_ps"] * links,
        },
        "per_link": [
            {"link": row["link"], **_row(power, row)}
            for row in power["links"]
            if row["link"] in listed
        ],
        "idle_times": [list(row) for row in power["idle_times"]],
    }


def saving(document: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the shares of energy that links saved, and that an oracle would have saved.

    Of what links that are always on draw in the time of this run. None if links have no power
    model, or there was no time.
    """
    power = document.get("link_power")
    if power is None or power["total"]["always_on_energy_aj"] == 0:
        return None
    total = power["total"]
    always = total["always_on_energy_aj"]
    return 1 - total["energy_aj"] / always, 1 - total["oracle_energy_aj"] / always


def waits_in_vain(summary: Summary) -> bool:
    """Return whether links took wake frames, and no rank sent any."""
    power = summary.get("link_power")
    return power is not None and power["policy"] == "prewake" and power["wake_frames"] == 0


def _row(power: LinkPower, row: LinkPowerRow) -> dict[str, Any]:
    return {
        "times_ps": dict(zip(power["states"], row["times_ps"], strict=True)),
        "wakes": row["wakes"],
        "wake_stall_ps": row["wake_stall_ps"],
        "frame_wait_ps": row["frame_wait_ps"],
        "energy_aj": row["energy_aj"],
        "oracle_energy_aj": row["oracle_energy_aj"],
    }


def _check(power: LinkPower, links: int) -> None:
    """Check that every state's time was counted once, and weighed by what it costs."""
    for row, count in [*((row, 1) for row in power["links"]), (power["total"], links)]:
        if sum(row["times_ps"]) != count * power["end_ps"]:
            raise AssertionError(f"the times of power states do not add up: {row}")
        weighed = zip(row["times_ps"], power["power_uw"], strict=True)
        if sum(span * watts for span, watts in weighed) != row["energy_aj"]:
            raise AssertionError(f"the energy is not that of the states: {row}")
