"""Figures of the study of sleeping links: one colour for a policy, each name once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from colours import check_colours
from kumihimo.platform import parse_platform
from kumihimo.study.prewake.applications import Case
from kumihimo.study.prewake.figures import application_figure, mode_figure, place_figure
from kumihimo.study.prewake.findings import Edges, Findings, Outcome, Woken
from kumihimo.study.prewake.page import Contents, write_study
from kumihimo.study.prewake.window import Steps, closed_form
from pages import chromium, open_page

pytestmark = pytest.mark.processes

PAPER = Path(__file__).resolve().parents[3] / "studies" / "prewake" / "paper.toml"
POLICIES = ("on_off", "threshold", "perfbound", "prewake", "ideal")
ON_OFF = "#D55E00"


def at(time: float, energy: float) -> Outcome:
    return Outcome(time=time, energy=energy, wakes=0, time_ps=0)


def findings() -> Findings:
    modes = ("always_on", "on_off", "threshold", "perfbound", "ideal")
    woken = Woken(outcome=at(1.01, 0.45), saving=0.5, possible=0.6, on_off_time=1.4)
    places = {place: at(1 + place / 10_000, 0.5) for place in range(0, 10_000, 500)}
    return Findings(
        modes={mode: at(1 + place / 10, 1 - place / 10) for place, mode in enumerate(modes)},
        by_messages=places,
        by_frames=places,
        automatic={"binomial": woken, "as MPICH chooses": woken},
        by_hand={},
        steps=Steps(inner=10_000, step_ps=2500),
        form=closed_form(parse_platform(PAPER.read_text(), str(PAPER)), 4),
        simulated=Edges(4000, 6000),
        best=5000,
        theory=400,
        outer=100,
    )


def texts_of(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def check_is_whole(svg: str) -> None:
    """Check that no name of a legend is cut, and the figure not stretched by its legends."""
    assert not any("…" in text for text in texts_of(svg))
    size = re.search(r'<svg[^>]* width="([0-9.]+)"', svg)
    assert size is not None
    assert float(size[1]) < 760


def test_every_mode_stands_in_one_legend() -> None:
    found = findings()
    for figure in (mode_figure(found), place_figure(found, "time")):
        texts = texts_of(figure.svg)
        for name in ("ON/OFF", "ideal", "compiler, binomial", "compiler, as MPICH chooses"):
            assert texts.count(name) == 1, f"{name} in {figure.name}"
        check_is_whole(figure.svg)


def all_cases() -> list[Case]:
    return [
        Case("star", program, 16, policy, 0.1 * place, 0.1 + 0.1 * place, 0.5)
        for program in ("cg S", "ft S", "sweep 64 20", "kmeans 1000 20 10")
        for place, policy in enumerate(POLICIES)
    ]


def test_a_policy_has_the_same_colour_everywhere() -> None:
    cases = all_cases()
    found = findings()
    for figure in (
        mode_figure(found),
        place_figure(found, "time"),
        application_figure(cases, "star"),
        application_figure([case for case in cases if case.policy != "ideal"], "star"),
    ):
        assert ON_OFF.lower() in figure.svg.lower(), figure.name
        check_is_whole(figure.svg)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_of_the_page_can_be_seen_by_day_and_night(scheme: str, tmp_path: Path) -> None:
    found, cases = findings(), all_cases()
    figures = [mode_figure(found), place_figure(found, "time"), application_figure(cases, "star")]
    contents = Contents(
        ranks=4, findings=found, lines=[], cases=cases, networks=[], figures=figures, failed=True
    )
    write_study(tmp_path, contents)
    with chromium() as browser:
        check_colours(open_page(browser, tmp_path / "study.html", scheme=scheme), scheme)
