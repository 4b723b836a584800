"""The bytes that each rank sent to each other rank."""

from __future__ import annotations

import numpy as np

from kumihimo import vega
from kumihimo.results import display
from kumihimo.results.report.figure import (
    EMPTY_COLOUR,
    HEAT_COLOURS,
    Figure,
    heat_legend,
    rows_data,
)
from kumihimo.results.report.statistics import MessageStatistics
from kumihimo.results.report.timeline_figure import row_labels

_MOST_SIDE, _LEAST_SIDE = 560, 240
# Ratio of the largest to the smallest pair from which on the colours are logarithmic.
_WIDE = 50


def matrix_figure(messages: MessageStatistics) -> Figure:
    """Draw the bytes of MPI messages from each rank to each other as a heat map."""
    labels = row_labels(messages.bounds)
    unit, name = display.byte_unit(float(messages.bytes_matrix.max(initial=0)))
    filled = np.nonzero(messages.count_matrix)
    rows = [
        (
            labels[source],
            labels[target],
            f"{messages.bytes_matrix[source, target] / unit:.6g}",
            int(messages.count_matrix[source, target]),
            display.format_bytes(float(messages.bytes_matrix[source, target])),
        )
        for source, target in zip(*(index.tolist() for index in filled), strict=True)
    ]
    is_wide = _is_wide(messages)
    columns = {"source": "string", "target": "string", "bytes": "number", "count": "number",
               "text": "string"}  # fmt: skip
    shown = labels if len(labels) <= 32 else labels[:: -(-len(labels) // 16)]
    side = max(_LEAST_SIDE, min(_MOST_SIDE, 36 * len(labels)))
    grouped = any(first != last for first, last in messages.bounds)
    axis = vega.axis(labelAngle=0, ticks=False, values=shown, domain=False)
    # Names of groups are too wide to lie side by side.
    slanted = vega.axis(labelAngle=-50 if grouped else 0, ticks=False, values=shown, domain=False)
    scale = vega.scale(domain=labels, padding=0.04)
    chart = (
        vega.Chart(rows_data(columns, rows), width=side, height=side)
        .mark("rect")
        .encode(
            x=vega.field("target:N", title="To rank", sort=labels, scale=scale, axis=slanted),
            y=vega.field("source:N", title="From rank", sort=labels, scale=scale, axis=axis),
            color=vega.field("bytes:Q", legend=heat_legend(f"Bytes ({name})"),
                             scale=_colour_scale(is_wide)),
            tooltip=[
                vega.field("source:N", title="From rank"),
                vega.field("target:N", title="To rank"),
                vega.field("text:N", title="Bytes"),
                vega.field("count:Q", title="Messages", format=",d"),
            ],
        )
        .properties(view=vega.background(fill=EMPTY_COLOUR, stroke=None),
                    usermeta={"keepsAspect": True})
    )  # fmt: skip
    what = "groups of neighbouring ranks" if grouped else "ranks"
    return Figure(
        "matrix",
        "Communication matrix",
        f"Payload bytes of MPI messages between {what}; pairs left grey sent each other nothing."
        + (" The colours are on a logarithmic scale." if is_wide else ""),
        chart if rows else None,
        len(rows),
    )


def _is_wide(messages: MessageStatistics) -> bool:
    """Whether pairs differ so much that most would have the palest colour on a linear scale."""
    some = messages.bytes_matrix[messages.bytes_matrix > 0]
    empty = (messages.count_matrix > 0) & (messages.bytes_matrix == 0)
    return bool(some.size and some.max() > _WIDE * some.min() and not empty.any())


def _colour_scale(is_wide: bool) -> vega.Spec:
    if is_wide:
        return vega.scale(range=HEAT_COLOURS[1:], type="log")
    return vega.scale(range=HEAT_COLOURS[1:], zero=True)
