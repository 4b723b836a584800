"""The picture of all combinations: a bar for each, a part for each quantity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo import vega
from kumihimo.sweep.figures import Figure, finished

_WIDTH, _STEP = 200, 18
_BAR, _MEASURE = "#0072B2", "#999999"
# Quantities of the picture: the column, its heading, and what a value is divided by.
_QUANTITIES = (
    ("virtual_time_ps", "virtual time (µs)", 10**6),
    ("link_energy_pj", "link energy (mJ)", 10**9),
    ("rank_memory_bytes", "memory of a rank (KiB)", 1024),
    ("wrong_bits", "wrong bits", 1),
    ("matching_ps", "matching, all ranks (µs)", 10**6),
    ("program_error", "error of the program", 1),
)


def variants_figure(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Return the picture; of quantities that differ only.

    Args:
        rows: With a name, "variant", each.
    """
    names = [row["variant"] for row in rows]
    parts: list[vega.Chart] = []
    for column, heading, unit in _QUANTITIES:
        values = [row[column] for row in rows]
        if len(set(values)) < 2 and column != "virtual_time_ps":
            continue
        points = [
            {"variant": name, "value": (value or 0) / unit, "is_first": number == 0}
            for number, (name, value) in enumerate(zip(names, values, strict=True))
        ]
        labels = vega.axis(labelLimit=2 * _WIDTH) if not parts else None
        parts.append(
            vega.Chart(vega.rows(points), width=_WIDTH, height={"step": _STEP})
            .mark("bar")
            .encode(
                x=vega.field("value:Q", title=heading, axis=vega.axis(format=",.5~g", tickCount=4)),
                y=vega.field("variant:N", title=None, sort=names, axis=labels),
                color=vega.condition("datum.is_first", vega.value(_MEASURE), vega.value(_BAR)),
            )
        )
    chart = vega.hconcat(*parts)
    title = "Every combination; the first one, in grey, is the measure"
    return finished("variants", title, chart.document())
