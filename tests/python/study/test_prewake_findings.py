"""What the study of sleeping links makes of its runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from kumihimo.platform import parse_platform
from kumihimo.study.prewake.applications import cases_of
from kumihimo.study.prewake.benchmark import idle_names
from kumihimo.study.prewake.findings import (
    Edges,
    Outcome,
    best_place,
    find_edges,
    outcome,
    place_of,
    step_ps,
)
from kumihimo.study.prewake.window import Steps, closed_form, theory_place

ROOT = Path(__file__).resolve().parents[3]
PAPER = ROOT / "studies" / "prewake" / "paper.toml"


def at(time: float, energy: float = 1.0) -> Outcome:
    return Outcome(time=time, energy=energy, wakes=0, time_ps=0)


def test_the_closed_form_on_the_papers_platform() -> None:
    platform = parse_platform(PAPER.read_text(), str(PAPER))
    window = closed_form(platform, 4)
    # Two wakes, less what two of the broadcast's messages take longer than two dummy messages; one
    # wake, three dummy messages and the sleep time.
    assert window.shortest_ps == 8_000_000 - 2 * (1_920_000 - 6_400)
    assert window.longest_ps == 4_000_000 + 3 * 6_400 + 3_000_000
    # 4 µs at 4.8 Gflop/s are 19,200 operations, 9,600 steps.
    assert theory_place(platform, 10_000) == 400


def test_leads_and_places() -> None:
    steps = Steps(inner=10_000, step_ps=2500)
    assert steps.place(5_000_000) == 8000
    assert steps.lead_ps(8000) == 5_000_000


def test_edges_lie_between_what_is_inside_and_what_is_not() -> None:
    outcomes = {
        0: at(1.3),
        100: at(1.3),
        110: at(1.01),
        150: at(1.01),
        190: at(1.01),
        200: at(1.02),
    }
    assert find_edges(outcomes, Edges(104, 195)) == Edges(105, 195)


def test_a_window_without_an_end_ends_with_the_places() -> None:
    outcomes = {100: at(1.01), 150: at(1.01), 200: at(1.01)}
    assert find_edges(outcomes, Edges(120, 180)) == Edges(100, 200)


def test_the_best_place_costs_little_time() -> None:
    outcomes = {0: at(1.3, 0.2), 100: at(1.05, 0.4), 200: at(1.10, 0.3), 300: at(1.11, 0.25)}
    assert best_place(outcomes) == 200
    assert best_place({0: at(1.3, 0.2), 100: at(1.2, 0.4)}) == 0


def test_rows_become_outcomes() -> None:
    normal = {"virtual_time_ps": 1000, "link_energy_pj": 500, "link_wakes": 0}
    row = {"virtual_time_ps": 1100, "link_energy_pj": 100, "link_wakes": 7}
    assert outcome(row, normal) == Outcome(time=1.1, energy=0.2, wakes=7, time_ps=1100)
    assert step_ps(row, normal, 50) == 2
    assert place_of({"command": "env A=B ./prewake -o 10 -n 100 -p 42"}) == 42


def application(policy: str, time_ps: int, energy_pj: int) -> dict[str, object]:
    return {
        "command": f"{'/auto' if policy == 'prewake' else '/plain'}/solver S",
        "ranks": 4,
        "link_power.policy": policy,
        "virtual_time_ps": time_ps,
        "link_energy_pj": energy_pj,
    }


def test_applications_are_compared_with_links_that_are_always_on() -> None:
    rows = [
        application("always_on", 1000, 800),
        application("ideal", 1000, 200),
        application("prewake", 1010, 260),
    ]
    ideal, prewake = cases_of("platform", rows)
    assert (ideal.program, ideal.slowdown, ideal.energy, ideal.of_ideal) == ("solver S", 0, 0.25, 1)
    assert prewake.slowdown == pytest.approx(0.01)
    assert prewake.of_ideal == pytest.approx(0.9)


def test_ways_of_wake_frames_are_cases_of_their_own() -> None:
    rows = [application("always_on", 1000, 800), application("ideal", 1000, 200)]
    for way, time_ps in (("all_at_once", 1010), ("hop_by_hop", 1030)):
        rows.append(application("prewake", time_ps, 260) | {"link_power.wake_frames": way})
    found = {case.policy: case.slowdown for case in cases_of("platform", rows)}
    assert found["prewake"] == pytest.approx(0.01)
    assert found["prewake, hop by hop"] == pytest.approx(0.03)


def test_applications_without_a_measure_are_left_out() -> None:
    assert cases_of("platform", [application("prewake", 1010, 260)]) == []
    rows = [application("always_on", 1000, 800), application("on_off", 1500, 300)]
    (case,) = cases_of("platform", rows)
    assert case.of_ideal is None


def test_idle_times_are_those_of_the_places_that_are_named() -> None:
    assert idle_names(6000, 400, {0, 400, 6000}) == {"best P, 6,000": 6000, "P by theory, 400": 400}
    assert idle_names(400, 400, {0, 400}) == {"best P, and P by theory, 400": 400}
    # Its run failed: no other place is shown in its name.
    assert idle_names(6000, 400, {0, 6000}) == {"best P, 6,000": 6000}
