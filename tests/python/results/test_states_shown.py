"""Sleeps and touching waits are distinguished in the report."""

from __future__ import annotations

import json

import numpy as np

from kumihimo.results.records import RANK_STATES
from kumihimo.results.report.figure import DARK_COLOURS, STATE_COLOURS
from kumihimo.results.report.statistics import StateStatistics
from kumihimo.results.report.timeline_figure import timeline_figure


def test_sleeps_have_a_colour_of_their_own() -> None:
    assert tuple(STATE_COLOURS) == RANK_STATES
    light, dark = STATE_COLOURS.values(), [DARK_COLOURS.get(c, c) for c in STATE_COLOURS.values()]
    assert len(set(light)) == len(set(dark)) == len(RANK_STATES)


def test_touching_waits_have_edges() -> None:
    wait, sleep = RANK_STATES.index("wait"), RANK_STATES.index("sleep")
    columns = ([0, 0, 0], [wait, wait, sleep], [0, 400, 800], [400, 800, 1000])
    states = StateStatistics(
        [(0, 0)],
        tuple(np.array(column, np.int64) for column in columns),
        10,
        np.zeros((1, len(RANK_STATES), 100)),
        10,
        np.zeros((len(RANK_STATES), 100)),
    )
    figure = timeline_figure(states, 1000)
    assert figure.marks == 3
    assert "end where their call ends" in figure.sentence
    assert figure.chart is not None
    drawn = figure.chart.document()["vconcat"][1]
    edge = drawn["encoding"]["strokeWidth"]
    assert edge["condition"]["value"] > edge["value"] == 0
    assert "sleep" in json.dumps(drawn["encoding"]["color"])
    assert drawn["mark"]["stroke"]
