"""How large messages were, how long ranks waited, how long messages queued."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kumihimo import vega
from kumihimo.results import display
from kumihimo.results.binning import Histogram, union_span
from kumihimo.results.report.figure import KIND_COLOURS, STATE_COLOURS, Figure, rows_data
from kumihimo.results.report.statistics import MessageStatistics, StateStatistics

_COLUMNS = {"series": "string", "bin": "string", "range": "string", "count": "number",
            "sum": "number", "text": "string"}  # fmt: skip
_PANEL_WIDTH = 380
_BEHIND_OTHERS = "behind others"
_FOR_CREDIT = "for credit"
# From here on counts are written with "k" and "M".
_MANY = 1_000_000


@dataclass(frozen=True)
class _Words:
    """What a histogram's values are called, and how they are written."""

    value_name: str
    count_name: str
    sum_name: str
    write: Callable[[float], str]
    unit: Callable[[float], tuple[int, str]]
    halves: str
    legend: str = ""


_WAIT_WORDS = _Words(
    "Length of the wait",
    "Waits",
    "Time",
    display.format_time,
    display.time_unit,
    "On the left how many there were, on the right how much time they took together.",
)
_QUEUE_WORDS = _Words(
    "Queueing delay",
    "Messages",
    "Time",
    display.format_time,
    display.time_unit,
    "On the left how many messages, on the right how much delay they had together.",
)
_SIZE_WORDS = _Words(
    "Payload",
    "Messages",
    "Payload",
    display.format_bytes,
    display.byte_unit,
    "On the left how many there were, on the right how much they carried together.",
    legend="Kind",
)


def size_figure(messages: MessageStatistics) -> Figure:
    """Draw the histogram of message sizes."""
    series = {kind: histogram for kind, histogram in messages.sizes.items() if histogram.total}
    return _histogram_figure(
        "sizes",
        "Message sizes",
        "MPI messages by payload. A bar takes messages from its size to below the next one's.",
        series,
        {kind: KIND_COLOURS[kind] for kind in series},
        _SIZE_WORDS,
    )


def wait_figure(states: StateStatistics) -> Figure:
    """Draw the histogram of waits."""
    return _histogram_figure(
        "waits",
        "Waits of ranks",
        "Stretches in which a rank was blocked until something arrived, by their length, without "
        "sleeps. A wait ends where its call ends; in replays, where an operation begins.",
        {"wait": states.waits},
        {"wait": STATE_COLOURS["compute"]},
        _WAIT_WORDS,
    )


def queueing_figure(messages: MessageStatistics) -> Figure:
    """Draw the histogram of queueing delays, of waits for credit apart if there were any."""
    sentence = (
        "Delay of MPI messages compared with an idle network, because other messages used their "
        "links. Messages without contention are the bar at 0 s."
    )
    series = {_BEHIND_OTHERS: messages.queueing}
    colours = {_BEHIND_OTHERS: STATE_COLOURS["compute"]}
    words = _QUEUE_WORDS
    if messages.credit.sums.any():
        sentence = (
            "How much later than in an idle network an MPI message arrived: because others were "
            "using its links, and because there was no room in the buffer behind a free link. "
            "Every message counts once for either; the bar at 0 s are those that did not wait so."
        )
        series[_FOR_CREDIT] = messages.credit
        colours[_FOR_CREDIT] = STATE_COLOURS["wait"]
        words = replace(words, legend="Waited")
    return _histogram_figure("queueing", "Queueing of messages", sentence, series, colours, words)


def _histogram_figure(
    name: str,
    title: str,
    sentence: str,
    series: dict[str, Histogram],
    colours: dict[str, str],
    words: _Words,
) -> Figure:
    bins = union_span(list(series.values()))
    if not any(histogram.total for histogram in series.values()):
        return Figure(name, title, sentence, None, 0)
    edges = next(iter(series.values())).edges.tolist()
    # An empty bin on either side keeps a lonely bar from filling the figure; far from the others, 0
    # stands alone.
    shown = list(range(max(0, bins.start - 1), min(len(edges), bins.stop + 1)))
    if any(histogram.counts[0] for histogram in series.values()):
        shown = sorted({0, *shown}) if bins else [0, 1, 2]
    ticks = [words.write(edges[index]) for index in shown]
    greatest = max(float(each.sums.max()) for each in series.values())
    unit, unit_name = words.unit(greatest)
    rows = list(_rows(series, words, unit))
    base = vega.Chart(rows_data(_COLUMNS, rows), width=_PANEL_WIDTH, height=220)
    colour = vega.field(
        "series:N",
        scale=vega.scale(domain=list(colours), range=list(colours.values())),
        legend=vega.legend(title=None, orient="top") if words.legend else None,
    )
    most = max(int(each.counts.max()) for each in series.values())
    count_axis = vega.axis(format=",d" if most < _MANY else "~s", tickCount=min(5, most))
    count = vega.field("count:Q", title=words.count_name, stack="zero", axis=count_axis)
    total = vega.field(
        "sum:Q",
        title=f"{words.sum_name} in all ({unit_name})",
        stack="zero",
        axis=vega.axis(format=",.4~g", tickCount=5),
    )
    # If all values are 0, the right half would be empty.
    values = [count, total] if greatest > 0 else [count]
    panels = [_panel(base, value, ticks, words, colour) for value in values]
    chart = vega.hconcat(*panels, spacing=40).resolve_scale(color="shared")
    if greatest > 0:
        sentence += f" {words.halves}"
    return Figure(name, title, sentence, chart, len(panels) * len(rows))


def _rows(series: dict[str, Histogram], words: _Words, unit: int) -> Iterator[tuple[object, ...]]:
    for label, histogram in series.items():
        edges = histogram.edges.tolist()
        for index in np.flatnonzero(histogram.counts).tolist():
            count, total = int(histogram.counts[index]), float(histogram.sums[index])
            begin = words.write(edges[index])
            above = words.write(edges[index + 1]) if index + 1 < len(edges) else "more"
            span = begin if edges[index] == 0 else f"{begin} to below {above}"
            yield label, begin, span, count, f"{total / unit:.6g}", words.write(total)


def _panel(
    base: vega.Chart,
    value: vega.Spec,
    ticks: Sequence[str],
    words: _Words,
    colour: vega.Spec,
) -> vega.Chart:
    tooltip = [
        vega.field("range:N", title=words.value_name),
        vega.field("count:Q", title=words.count_name, format=",d"),
        vega.field("text:N", title=f"{words.sum_name} in all"),
    ]
    if words.legend:
        tooltip.insert(0, vega.field("series:N", title=words.legend))
    return base.mark("bar").encode(
        x=vega.field(
            "bin:N",
            title=f"{words.value_name} (from)",
            sort=list(ticks),
            scale=vega.scale(domain=list(ticks), paddingInner=0.08),
            axis=vega.axis(labelAngle=-50, ticks=False, values=ticks[:: -(-len(ticks) // 16)]),
        ),
        y=value,
        color=colour,
        tooltip=tooltip,
    )
