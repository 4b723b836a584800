"""What the study of matching says of its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kumihimo.study.contents import Line, Numbers
from kumihimo.study.matching.cases import HOST, IN_ORDER, INTERFACE, LIST, MISSED, SLINGSHOT
from kumihimo.study.matching.depths import READ_AT, UNEXPECTED

Row = Mapping[str, Any]
_PS_PER_NS = 1000
_LITTLE = 0.01


@dataclass(frozen=True)
class Slopes:
    """Times of each message that waits, in ns.

    Attributes:
        components: By closed form, by what the way of matching is called.
        runs: The same, as runs show it.
    """

    components: Mapping[str, float]
    runs: Mapping[str, float]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Slopes:
        """Return the times at a depth that fits into all buffers, where the host matches."""
        found = [
            row
            for row in rows
            if row["queue"] == UNEXPECTED
            and row["by"] == HOST
            and row["depth"] == row["length"] == READ_AT
        ]

        def times(column: str) -> dict[str, float]:
            return {row["model"]: row[column] / READ_AT / _PS_PER_NS for row in found}

        return cls(times("expected_more_ps"), times("more_ps"))

    def time(self, model: str) -> tuple[float, float]:
        """Return a time in ns by components and by runs."""
        return self.components[model], self.runs[model]

    def ratio(self, slow: str, fast: str) -> tuple[float, float]:
        """Return a ratio by components and by runs."""
        components = self.components[slow] / self.components[fast]
        return components, self.runs[slow] / self.runs[fast]


def _both(values: tuple[float, float], unit: str = "") -> str:
    components, runs = (f"{value:.4g}{unit}" for value in values)
    return f"{components} by components, {runs} in runs"


def paper_lines(rows: Sequence[Row]) -> list[Line]:
    """Return the publication compared with what was found."""
    slopes = Slopes.of(rows)
    return [
        Line(
            "time for each waiting message, without head separation",
            "634 ns",
            _both(slopes.time("dimmnet2"), " ns"),
            "A vector load of 626.2 ns, and 7.8 ns of comparing. The division is ours.",
            Numbers(634, slopes.time("dimmnet2")[1], "ns"),
        ),
        Line(
            "with head separation",
            "14.8 ns",
            _both(slopes.time("lhs"), " ns"),
            "7 ns from the host's cache, and 7.8 ns of comparing. The division is ours.",
            Numbers(14.8, slopes.time("lhs")[1], "ns"),
        ),
        Line(
            "ratio of these",
            "43",
            _both(slopes.ratio("dimmnet2", "lhs")),
            "The publication rounds.",
            Numbers(43, slopes.ratio("dimmnet2", "lhs")[1], "ratio"),
        ),
        Line(
            "QsNET-II, and its ratio to head separation",
            "100 ns, 6.8",
            f"{_both(slopes.time('elan4'), ' ns')}; {_both(slopes.ratio('elan4', 'lhs'))}",
            "An access to the interface's memory for each message, which hides the comparing.",
            Numbers(6.8, slopes.ratio("elan4", "lhs")[1], "ratio"),
        ),
        Line(
            "of the ratio, by the slow memory",
            "about 6",
            _both(slopes.ratio("dimmnet2", MISSED)),
            "To heads in pinned memory of the host, each of which is a miss: 100 ns and 7.8 ns.",
            Numbers(6, slopes.ratio("dimmnet2", MISSED)[1], "ratio"),
        ),
        Line(
            "of the ratio, by cache and prefetching",
            "about 7",
            _both(slopes.ratio(MISSED, "lhs")),
            "From each a miss to 14.8 ns.",
            Numbers(7, slopes.ratio(MISSED, "lhs")[1], "ratio"),
        ),
        Line(
            "ordinary interface with the buffer in pinned host memory",
            "about 7",
            _both(slopes.ratio(MISSED, IN_ORDER)),
            "The same heads in order on neighbouring lines: all but the first are prefetched.",
            Numbers(7, slopes.ratio(MISSED, IN_ORDER)[1], "ratio"),
        ),
    ]


def depths_findings(rows: Sequence[Row]) -> list[str]:
    """Return what deep queues show."""
    slopes = Slopes.of(rows)
    exact = sum(row["more_ps"] == row["expected_more_ps"] for row in rows)
    replayed = sum(row["replayed_more_ps"] == row["expected_more_ps"] for row in rows)
    slow, fast = slopes.runs["dimmnet2"], slopes.runs["lhs"]
    found = [
        f"Each message in front of the one looked for takes {slow:.4g} ns without head separation "
        f"and {fast:.4g} ns with it, as runs of a program show: {slow / fast:.3g} times less. The "
        "publication measured 634 ns, 14.8 ns and 43.",
        f"{exact:,} of {len(rows):,} runs, and {replayed:,} of as many replays of schedules, take "
        "the time of their closed form, to the picosecond.",
    ]
    deepest = max(row["depth"] for row in rows if row["model"] != SLINGSHOT)
    if deepest > READ_AT:
        at_deepest = [
            f"{row['model']} {row['each_ps'] / _PS_PER_NS:.3g} ns"
            for row in sorted(rows, key=lambda row: -(row["each_ps"] or 0))
            if row["queue"] == UNEXPECTED
            and row["by"] == HOST
            and row["depth"] == row["length"] == deepest
            and row["model"] not in (LIST, MISSED, IN_ORDER)
        ]
        found.append(
            f"A buffer or cells that are full lose their lead: with {deepest:,} messages in front, "
            f"each takes on average {', '.join(at_deepest)}."
        )
    return found


def programs_findings(rows: Sequence[Row]) -> list[str]:
    """Return where matching costs in programs, and where it does not."""
    ranks = max(row["ranks"] for row in rows)
    found = [row for row in rows if row["ranks"] == ranks and row["model"] != LIST]
    little = sum(abs(row["slower"]) < _LITTLE for row in found)
    worst = [_worst(found, model) for model in dict.fromkeys(row["model"] for row in found)]
    gains = [row for row in found if row["slower"] < 0]
    texts = [
        f"Compared with matching by the host that takes no time, on {ranks} ranks, a model costs "
        f"most in: {'; '.join(worst)}.",
        f"{little} of {len(found)} runs with a model on {ranks} ranks are less than {_LITTLE:.0%} "
        f"away from matching that takes no time. {_queues(found, ranks)}",
    ]
    if gains:
        best = min(gains, key=lambda row: row["slower"])
        texts.append(
            f"{len(gains)} runs are faster than with matching by the host that takes no time, "
            f"{best['program']} with {best['model']} by the {best['by']} most "
            f"({best['slower']:+.1%}): where an interface matches, a rank pays the receive "
            "overhead of an unexpected message only when it receives it."
        )
    return texts


def _worst(rows: Sequence[Row], model: str) -> str:
    texts = []
    for by in (HOST, INTERFACE):
        of_model = [row for row in rows if (row["model"], row["by"]) == (model, by)]
        row = max(of_model, key=lambda row: row["slower"])
        texts.append(f"{row['program']} by the {by} ({row['slower']:+.1%})")
    return f"{model}: {', '.join(texts)}"


def _queues(rows: Sequence[Row], ranks: int) -> str:
    """Return how deep queues are, and how much of them is searched."""

    def most(column: str) -> Row:
        return max(rows, key=lambda row: row[column])

    unexpected, posted = most("unexpected_deepest"), most("posted_deepest")
    searched, received = most("posted_searched"), most("unexpected_searched")
    costliest = most("matching_ps")
    each_ns = costliest["matching_ps"] * ranks / costliest["arrivals"] / _PS_PER_NS
    return (
        f"Queues hold at most {unexpected['unexpected_deepest']} unexpected messages "
        f"({unexpected['program']}) and {posted['posted_deepest']} posted receives "
        f"({posted['program']}), but little of them is searched: a message looks at "
        f"{searched['posted_searched']:.2f} receives at most on average ({searched['program']}), "
        f"and a receive at {received['unexpected_searched']:.2f} messages ({received['program']}). "
        f"The largest cost is {each_ns:,.0f} ns a message ({costliest['program']}, "
        f"{costliest['model']}), of which reading its head takes "
        f"{costliest['head_ps'] / _PS_PER_NS:,.0f} ns, and reading a payload that has not come "
        f"with the head {costliest['payload_ps'] / _PS_PER_NS:,.0f} ns more."
    )
