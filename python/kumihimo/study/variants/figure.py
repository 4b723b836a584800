"""The picture of all combinations: a bar for each, a part for each quantity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

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
    parts: list[alt.Chart] = []
    for column, heading, unit in _QUANTITIES:
        values = [row[column] for row in rows]
        if len(set(values)) < 2 and column != "virtual_time_ps":
            continue
        points = [
            {"variant": name, "value": (value or 0) / unit, "is_first": number == 0}
            for number, (name, value) in enumerate(zip(names, values, strict=True))
        ]
        labels = alt.Axis(labelLimit=2 * _WIDTH) if not parts else None
        parts.append(
            alt.Chart(alt.InlineData(values=points), width=_WIDTH, height={"step": _STEP})
            .mark_bar()
            .encode(
                x=alt.X("value:Q", title=heading, axis=alt.Axis(format=",.5~g", tickCount=4)),
                y=alt.Y("variant:N", title=None, sort=names, axis=labels),
                color=alt.condition("datum.is_first", alt.value(_MEASURE), alt.value(_BAR)),
            )
        )
    chart = alt.hconcat(*parts)
    title = "Every combination; the first one, in grey, is the measure"
    return finished("variants", title, chart.to_dict(validate=False))
