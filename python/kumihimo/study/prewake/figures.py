"""The figures of the study."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kumihimo import vega
from kumihimo.study.prewake.applications import Case
from kumihimo.study.prewake.findings import Findings, Outcome
from kumihimo.sweep.figures import Figure, finished

_WIDTH, _HEIGHT = 640, 320
_HAND, _FRAMES = "dummy messages at P", "wake frames at P"
_MODE_NAMES = {
    "always_on": "always on (NORMAL)",
    "on_off": "ON/OFF",
    "threshold": "threshold 50 µs",
    "perfbound": "perfbound",
    "ideal": "ideal",
}
# From the palette of Okabe and Ito, which colour-blind readers can tell apart. A policy has one
# colour in all figures.
_POLICY_COLOURS = {
    "always_on": "#000000",
    "on_off": "#D55E00",
    "threshold": "#E69F00",
    "perfbound": "#CC79A7",
    "prewake": "#009E73",
    "prewake, hop by hop": "#882255",
    "ideal": "#999999",
}
_BY_HAND, _BY_FRAMES = "#0072B2", "#56B4E9"
# What the compiler has woken is of policy prewake; by how the broadcast is done.
_COMPILER_COLOURS = (_POLICY_COLOURS["prewake"], "#44AA77", "#117733", "#6B8E23")
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right",
           "triangle-left", "stroke")  # fmt: skip
_SLOWDOWNS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500)
_PS_PER_US = 10**6
_PS_PER_NS = 1000


def place_figure(findings: Findings, quantity: str) -> Figure:
    """Return time or energy over the place P, with what other modes give as lines across.

    Args:
        findings: What was found.
        quantity: "time" or "energy".
    """
    points = [
        {"place": place, "value": getattr(outcome, quantity), "how": how}
        for how, outcomes in ((_HAND, findings.by_messages), (_FRAMES, findings.by_frames))
        for place, outcome in sorted(outcomes.items())
    ]
    across = [
        {"value": getattr(outcome, quantity), "how": how}
        for how, outcome in _others(findings).items()
    ]
    edges = [
        {"place": findings.predicted.first, "what": "closed form of the window"},
        {"place": findings.predicted.last, "what": "closed form of the window"},
        {"place": findings.best, "what": "best P"},
        {"place": findings.theory, "what": "P by the paper's theory"},
    ]
    names = [_HAND, *([_FRAMES] if findings.by_frames else []), *_others(findings)]
    colour = vega.field(
        "how:N",
        title=None,
        sort=names,
        scale=vega.scale(domain=names, range=[_colours(findings)[name] for name in names]),
        legend=_below(columns=2, symbolType="stroke", symbolStrokeWidth=4),
    )
    y = vega.field("value:Q", title=f"{quantity} / always on", scale=vega.scale(zero=False))
    title = f"P, step of {findings.steps.inner:,} at which links are woken"
    x = vega.field("place:Q", title=title)
    lines = vega.Chart(vega.rows(points), width=_WIDTH, height=_HEIGHT).mark(
        "line", interpolate="linear", point=len(points) < 100
    )
    rules = vega.Chart(vega.rows(across)).mark("rule", strokeDash=[4, 3])
    marks = vega.Chart(vega.rows(edges)).mark("rule", opacity=0.6)
    dash = vega.field(
        "what:N", title=None, legend=_below(columns=1, symbolType="stroke", symbolSize=300)
    )
    chart = (
        lines.encode(x=x, y=y, color=colour)
        + rules.encode(y="value:Q", color=colour)
        + marks.encode(x="place:Q", strokeDash=dash)
    )
    title = f"{quantity.capitalize()} over the place of the wake-up"
    return _figure(f"{quantity}-by-place", title, chart)


def _others(findings: Findings) -> dict[str, Outcome]:
    named = {_MODE_NAMES.get(mode, mode): found for mode, found in findings.modes.items()}
    automatic = {f"compiler, {how}": found.outcome for how, found in findings.automatic.items()}
    return {**named, **automatic}


def _colours(findings: Findings) -> dict[str, str]:
    """Return the colour of everything that figures of the benchmark name."""
    found = {_HAND: _BY_HAND, _FRAMES: _BY_FRAMES, _best_by_hand(findings): _BY_HAND}
    found |= {
        _MODE_NAMES.get(mode, mode): _POLICY_COLOURS.get(mode, "#777777") for mode in findings.modes
    }
    shades = itertools.cycle(_COMPILER_COLOURS)
    return found | {f"compiler, {how}": next(shades) for how in findings.automatic}


def _best_by_hand(findings: Findings) -> str:
    return f"by hand, P = {findings.best:,}"


def mode_figure(findings: Findings) -> Figure:
    """Return energy over time of all modes."""
    best = findings.by_messages[findings.best]
    outcomes = {**_others(findings), _best_by_hand(findings): best}
    names = list(outcomes)
    shapes = [_SHAPES[place % len(_SHAPES)] for place in range(len(names))]
    points = [
        {"time": found.time, "energy": found.energy, "how": how} for how, found in outcomes.items()
    ]
    chart = (
        vega.Chart(vega.rows(points), width=_WIDTH, height=_HEIGHT)
        .mark("point", filled=True, size=90)
        .encode(
            x=vega.field("time:Q", title="time / always on",
                         scale=vega.scale(zero=False, padding=20), axis=vega.axis(tickCount=8)),
            y=vega.field("energy:Q", title="energy / always on"),
            # One legend for both, since they have the same domain.
            color=vega.field("how:N", title=None, legend=_below(columns=2),
                             scale=vega.scale(domain=names,
                                              range=[_colours(findings)[name] for name in names])),
            shape=vega.field("how:N", title=None, legend=_below(columns=2),
                             scale=vega.scale(domain=names, range=shapes)),
        )
    )  # fmt: skip
    return _figure("modes", "Energy and time of every mode", chart)


def idle_figure(results: Mapping[str, Path]) -> Figure:
    """Return how often links were idle for how long.

    Args:
        results: The result files of runs, by what they are.
    """
    bars = []
    for what, path in results.items():
        document = json.loads(path.read_text(encoding="utf-8"))
        for begin_ps, end_ps, count, _ in document["link_power"]["idle_times"]:
            # From a nanosecond: a logarithm has no place for less.
            begin_us = max(begin_ps, _PS_PER_NS) / _PS_PER_US
            end_us = max(end_ps, 2 * _PS_PER_NS) / _PS_PER_US
            bars.append({"what": what, "begin": begin_us, "end": end_us, "count": count})
    chart = (
        vega.Chart(vega.rows(bars), width=_WIDTH, height=_HEIGHT // 2)
        .mark("bar")
        .encode(
            x=vega.field("begin:Q", title="idle time (µs)", scale=vega.scale(type="log")),
            x2="end:Q",
            y=vega.field("count:Q", title="idle times of links"),
            y2=vega.datum(0),
            row=vega.field(
                "what:N", title=None, sort=list(results), header=vega.header(orient="top")
            ),
        )
    )
    return _figure("idle-times", "Idle times of links at the best P and at the theory's", chart)


def application_figure(cases: Sequence[Case], platform: str) -> Figure:
    """Return energy over slowdown of all applications on a platform, a part for each rank count."""
    chosen = [case for case in cases if case.platform == platform]
    order = [f"{ranks} ranks" for ranks in sorted({case.ranks for case in chosen})]
    chart = _energy_delay([(f"{case.ranks} ranks", case) for case in chosen], order)
    title = f"Applications on {platform}: energy and slowdown under every policy"
    return _figure(f"applications-{platform}", title, chart)


def network_figure(cases: Sequence[Case]) -> Figure:
    """Return the same of all networks of several switches, a part for each."""
    order = list(dict.fromkeys(case.platform for case in cases))
    chart = _energy_delay([(case.platform, case) for case in cases], order)
    title = "Applications on networks of several switches: energy and slowdown under every policy"
    return _figure("networks", title, chart)


def _energy_delay(cases: Sequence[tuple[str, Case]], order: Sequence[str]) -> vega.Chart:
    """Return energy over slowdown, in one chart for each part that cases belong to."""
    points = [
        {
            "slowdown": 100 * case.slowdown,
            "energy": 100 * case.energy,
            "policy": case.policy,
            "program": case.program,
            "part": part,
        }
        for part, case in cases
    ]
    found = {case.policy for _, case in cases}
    policies = [policy for policy in _POLICY_COLOURS if policy in found]
    policies += sorted(found - set(policies))
    return (
        vega.Chart(vega.rows(points), width=_WIDTH // 2 - 40, height=_HEIGHT // 2 + 40)
        .mark("point", filled=True, size=70)
        .encode(
            x=vega.field(
                "slowdown:Q",
                title="slowdown (%)",
                scale=vega.scale(type="symlog", constant=1),
                axis=vega.axis(values=list(_SLOWDOWNS)),
            ),
            y=vega.field("energy:Q", title="energy, % of always on"),
            color=vega.field(
                "policy:N",
                title="Policy",
                scale=vega.scale(
                    domain=policies,
                    range=[_POLICY_COLOURS.get(policy, "#777777") for policy in policies],
                ),
                legend=_below(),
            ),
            shape=vega.field(
                "program:N",
                title="Program",
                scale=vega.scale(range=list(_SHAPES)),
                legend=_below(),
            ),
            facet=vega.field("part:N", title=None, sort=list(order), columns=2),
        )
    )


def _below(**options: Any) -> vega.Spec:  # noqa: ANN401
    """Return a legend below, where names have room."""
    return vega.legend(**{"orient": "bottom", "columns": 3, "labelLimit": _WIDTH, **options})


def _figure(name: str, title: str, chart: vega.Chart) -> Figure:
    # Legends stand one below the other: side by side they would be wider than the figure.
    below = {"layout": {"bottom": {"direction": "vertical", "anchor": "start"}}}
    return finished(name, title, chart.document(), legend=below)
