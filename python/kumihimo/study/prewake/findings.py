"""What the benchmark's runs say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kumihimo.study.prewake.window import Steps, Window

Row = Mapping[str, Any]
# The paper takes the place of least energy among those that cost at most so much time.
_MOST_SLOWDOWN = 1.10
# What is slower than the window's fastest run by more than this share lies outside of the window.
_OUTSIDE = 1e-5


@dataclass(frozen=True)
class Outcome:
    """Time and energy of a run, as shares of those with links that are always on.

    Attributes:
        time: Virtual time.
        energy: Of all links.
        wakes: How often a link woke.
        time_ps: Virtual time itself.
    """

    time: float
    energy: float
    wakes: int
    time_ps: int


@dataclass(frozen=True)
class Woken:
    """A run whose links are woken ahead of data.

    Attributes:
        outcome: Compared with the same program with links that are always on.
        saving: Share of the threshold's energy that it saves.
        possible: The same of an oracle.
        on_off_time: Of the same program if nothing wakes the links ahead of data.
    """

    outcome: Outcome
    saving: float
    possible: float
    on_off_time: float


@dataclass(frozen=True)
class Edges:
    """The window in places P of the loop.

    Attributes:
        first: The first place at which waking costs no time.
        last: The last one.
    """

    first: float
    last: float


@dataclass(frozen=True)
class Findings:
    """What was found with the benchmark.

    Attributes:
        modes: By policy, without wake-ups.
        by_messages: By place P, woken by dummy messages.
        by_frames: By place P, woken by wake frames.
        automatic: Woken by what the compiler inserted, by how the broadcast is done.
        by_hand: Woken by hand at the best place, with the broadcast that MPICH itself chooses, by
            how it is woken.
        steps: The loop.
        form: The window's closed form.
        simulated: The window as simulated.
        best: The best place among those of `by_messages`.
        theory: The place that the paper's formula gives.
        outer: Broadcasts in a run.
    """

    modes: dict[str, Outcome]
    by_messages: dict[int, Outcome]
    by_frames: dict[int, Outcome]
    automatic: dict[str, Woken]
    by_hand: dict[str, Woken]
    steps: Steps
    form: Window
    simulated: Edges
    best: int
    theory: int
    outer: int

    @property
    def predicted(self) -> Edges:
        """The closed form in places."""
        return Edges(
            self.steps.place(self.form.longest_ps), self.steps.place(self.form.shortest_ps)
        )

    def saving(self, outcome: Outcome) -> float:
        """Return the share of the threshold's energy that a run saves."""
        return saving(outcome, self.modes)


def saving(found: Outcome, modes: Mapping[str, Outcome]) -> float:
    """Return the share of the threshold's energy that a run saves."""
    return 1 - found.energy / modes["threshold"].energy


def woken(found: Outcome, modes: Mapping[str, Outcome]) -> Woken:
    """Return a run compared with the modes of the same program."""
    possible = saving(modes["ideal"], modes)
    return Woken(found, saving(found, modes), possible, modes["on_off"].time)


def outcome(row: Row, normal: Row) -> Outcome:
    """Return a run compared with the one with links that are always on."""
    return Outcome(
        time=row["virtual_time_ps"] / normal["virtual_time_ps"],
        energy=row["link_energy_pj"] / normal["link_energy_pj"],
        wakes=row["link_wakes"],
        time_ps=row["virtual_time_ps"],
    )


def place_of(row: Row) -> int:
    """Return the place P on a run's command line."""
    found = re.search(r" -[pw] (\d+)$", row["command"])
    assert found is not None, row["command"]
    return int(found[1])


def step_ps(long: Row, short: Row, steps: int) -> float:
    """Return what one step takes, from two runs that differ by `steps` steps."""
    return float(long["virtual_time_ps"] - short["virtual_time_ps"]) / steps


def find_edges(outcomes: Mapping[int, Outcome], expected: Edges) -> Edges:
    """Return the places between which a run is as fast as in the middle of the window.

    An edge is the middle between the last place inside and the first one outside.
    """
    middle = (expected.first + expected.last) / 2
    places = sorted(outcomes)
    inside = min(places, key=lambda place: abs(place - middle))
    limit = outcomes[inside].time * (1 + _OUTSIDE)
    position = places.index(inside)
    return Edges(
        _edge(places[position::-1], outcomes, limit), _edge(places[position:], outcomes, limit)
    )


def _edge(places: Sequence[int], outcomes: Mapping[int, Outcome], limit: float) -> float:
    """Return where, from the first of the places on, the time first exceeds the limit."""
    last = places[0]
    for place in places:
        if outcomes[place].time > limit:
            return (last + place) / 2
        last = place
    return last


def best_place(outcomes: Mapping[int, Outcome]) -> int:
    """Return the place of least energy among those that slow the program down but little."""
    allowed = [place for place in outcomes if outcomes[place].time <= _MOST_SLOWDOWN]
    candidates = allowed or list(outcomes)
    return min(candidates, key=lambda place: (outcomes[place].energy, place))
