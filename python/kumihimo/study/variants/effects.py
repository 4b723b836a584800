"""What a technique does alone, in the whole, and to another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo.study.variants.axes import Axis

Row = Mapping[str, Any]
QUANTITIES = ("virtual_time_ps", "link_energy_pj", "rank_memory_bytes", "wrong_bits")


def place_of(row: Row, axes: Sequence[Axis]) -> tuple[str, ...]:
    """Return the values that a point has of what is varied."""
    return tuple(str(row[axis.column]) for axis in axes)


def effects(rows: Sequence[Row], axes: Sequence[Axis], quantity: str) -> list[dict[str, Any]]:
    """Return for each axis of two values what its second value does.

    The others have their first values ("alone") or their second ones ("in the whole").

    Args:
        rows: The points.
        axes: What was varied.
        quantity: The column that is compared.

    Returns:
        Rows of technique, quantity, alone and whole: ratios to the same without it; None where a
        point is missing.
    """
    found = _values(rows, axes, quantity)
    table = []
    for number, axis in enumerate(axes):
        if len(axis.values) != 2:
            continue
        off = [each.values[0] for each in axes]
        on = [each.values[-1] for each in axes]
        ratios = []
        for place in (off, on):
            without, with_it = list(place), list(place)
            without[number], with_it[number] = axis.values
            ratios.append(_ratio(found.get(tuple(with_it)), found.get(tuple(without))))
        table.append(
            {
                "technique": _setting(axis),
                "quantity": quantity,
                "alone": ratios[0],
                "whole": ratios[1],
            }
        )
    return table


def interactions(rows: Sequence[Row], axes: Sequence[Axis], quantity: str) -> list[dict[str, Any]]:
    """Return for each pair of axes of two values how they change each other.

    Returns:
        Rows of first, second, quantity and factor: the ratio of both together over the product of
        the two alone. Below 1 they help each other, above 1 they hinder each other.
    """
    found = _values(rows, axes, quantity)
    off = [axis.values[0] for axis in axes]
    table = []
    for one, first in enumerate(axes):
        for other, second in enumerate(axes[one + 1 :], start=one + 1):
            if len(first.values) != 2 or len(second.values) != 2:
                continue

            def value(*changed: int) -> float | None:
                place = list(off)
                for number in changed:
                    place[number] = axes[number].values[1]
                return found.get(tuple(place))

            both = _ratio(value(one, other), value())
            alone = [_ratio(value(number), value()) for number in (one, other)]
            if both is None or alone[0] is None or alone[1] is None:
                continue
            table.append(
                {
                    "first": _setting(first),
                    "second": _setting(second),
                    "quantity": quantity,
                    "factor": both / (alone[0] * alone[1]),
                }
            )
    return table


def _setting(axis: Axis) -> str:
    return f"{axis.name} = {axis.shown(axis.values[1])}"


def _values(
    rows: Sequence[Row], axes: Sequence[Axis], quantity: str
) -> dict[tuple[str, ...], float]:
    return {place_of(row, axes): row[quantity] for row in rows if row[quantity] is not None}


def _ratio(value: float | None, measure: float | None) -> float | None:
    if value is None or measure is None or measure == 0:
        return None
    return value / measure
