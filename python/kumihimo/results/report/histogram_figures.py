"""How large messages were, how long ranks waited, how long messages queued."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import altair as alt

from kumihimo.results import display
from kumihimo.results.binning import Histogram, union_span
from kumihimo.results.report.figure import KIND_COLOURS, STATE_COLOURS, Figure, rows_data
from kumihimo.results.report.statistics import MessageStatistics, StateStatistics

_COLUMNS = {"series": "string", "bin": "string", "range": "string", "count": "number",
            "sum": "number", "text": "string"}  # fmt: skip
_PANEL_WIDTH = 380


def size_figure(messages: MessageStatistics) -> Figure:
    """Draw the histogram of message sizes."""
    series = {kind: histogram for kind, histogram in messages.sizes.items() if histogram.total}
    return _histogram_figure(
        "sizes",
        "Message sizes",
        "MPI messages by payload: on the left how many there were, on the right how many bytes "
        "they carried together. A bar takes messages from its size to below the next one's.",
        series,
        {kind: KIND_COLOURS[kind] for kind in series},
        ("Payload", "Messages", "bytes"),
        display.format_bytes,
    )


def wait_figure(states: StateStatistics) -> Figure:
    """Draw the histogram of waits."""
    return _histogram_figure(
        "waits",
        "Waits of ranks",
        "Stretches in which a rank was blocked until something arrived, by their length: on the "
        "left how many there were, on the right how much time they took together.",
        {"wait": states.waits},
        {"wait": STATE_COLOURS["compute"]},
        ("Length of the wait", "Waits", "time"),
        display.format_time,
    )


def queueing_figure(messages: MessageStatistics) -> Figure:
    """Draw the histogram of queueing delays."""
    return _histogram_figure(
        "queueing",
        "Queueing of messages",
        "How much later than in an idle network an MPI message arrived, because others were using "
        "its links. The bar at 0 are messages that met nobody.",
        {"delay": messages.queueing},
        {"delay": STATE_COLOURS["compute"]},
        ("Queueing delay", "Messages", "time"),
        display.format_time,
    )


def _histogram_figure(
    name: str,
    title: str,
    sentence: str,
    series: dict[str, Histogram],
    colours: dict[str, str],
    words: tuple[str, str, str],
    write: Callable[[float], str],
) -> Figure:
    bins = union_span(list(series.values()))
    if not bins:
        return Figure(name, title, sentence, None, 0)
    value_word, count_word, sum_kind = words
    edges = next(iter(series.values())).edges.tolist()
    names = [write(edges[index]) for index in bins]
    greatest = max(float(histogram.sums.max()) for histogram in series.values())
    unit, unit_name = _sum_unit(greatest, sum_kind)
    rows = []
    for label, histogram in series.items():
        for index in bins:
            count, total = int(histogram.counts[index]), float(histogram.sums[index])
            if count:
                above = write(edges[index + 1]) if index + 1 < len(edges) else "more"
                span = (
                    write(edges[index]) if edges[index] == 0 else f"{write(edges[index])} – {above}"
                )
                rows.append((label, write(edges[index]), span, count, f"{total / unit:.6g}",
                             write(total)))  # fmt: skip
    base = alt.Chart(rows_data(_COLUMNS, rows), width=_PANEL_WIDTH, height=220)
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    colour = alt.Color("series:N", scale=scale, legend=_legend(colours))
    sum_title = f"{'Bytes' if sum_kind == 'bytes' else 'Time'} in all ({unit_name})"
    panels = [
        _panel(base, "count:Q", count_word, names, words, colour),
        _panel(base, "sum:Q", sum_title, names, words, colour),
    ]
    chart = alt.hconcat(*panels, spacing=40).resolve_scale(color="shared")
    return Figure(name, title, f"{sentence}", chart, 2 * len(rows))


def _panel(
    base: alt.Chart,
    field: str,
    title: str,
    names: Sequence[str],
    words: tuple[str, str, str],
    colour: alt.Color,
) -> alt.Chart:
    value_word, count_word, _ = words
    return base.mark_bar().encode(
        x=alt.X("bin:N", title=f"{value_word} (from)", sort=list(names),
                scale=alt.Scale(domain=list(names), paddingInner=0.08),
                axis=alt.Axis(labelAngle=-50, ticks=False)),
        y=alt.Y(field, title=title, stack="zero", axis=alt.Axis(format="~s")),
        color=colour,
        tooltip=[
            alt.Tooltip("series:N", title="Kind"),
            alt.Tooltip("range:N", title=value_word),
            alt.Tooltip("count:Q", title=count_word, format=",d"),
            alt.Tooltip("text:N", title="In all"),
        ],
    )  # fmt: skip


def _legend(colours: dict[str, str]) -> alt.Legend | None:
    if set(colours) <= set(KIND_COLOURS):
        return alt.Legend(title=None, orient="top")
    return None


def _sum_unit(greatest: float, kind: str) -> tuple[int, str]:
    if kind == "time":
        return display.time_unit(int(greatest))
    for power, name in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if greatest >= 1 << power:
            return 1 << power, name
    return 1, "B"
