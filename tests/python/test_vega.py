"""Charts are what Vega-Lite draws: their JSON, and the picture that it makes of them."""

from __future__ import annotations

import re

import numpy as np
import vl_convert

from kumihimo import vega

POINTS = vega.rows([{"x": 1, "y": 10, "part": "a"}, {"x": 2, "y": 30, "part": "b"}])


def bars() -> vega.Chart:
    return (
        vega.Chart(POINTS, width=100, height=50)
        .mark("bar", color="#0072B2")
        .encode(x=vega.field("x:O", title="Place"), y="y:Q")
    )


def drawn(chart: vega.Chart, kind: str) -> int:
    """How many marks of a kind the picture has."""
    picture = vl_convert.vegalite_to_svg(chart.document(), vl_version=vega.VERSION)
    groups = re.findall(rf'<g class="mark-{kind} role-mark[^>]*>(.*?)</g>', picture)
    return sum(group.count("<path") for group in groups)


def test_a_chart_is_its_json() -> None:
    assert bars().document() == {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.1.0.json",
        "data": {"values": [{"x": 1, "y": 10, "part": "a"}, {"x": 2, "y": 30, "part": "b"}]},
        "width": 100,
        "height": 50,
        "mark": {"type": "bar", "color": "#0072B2"},
        "encoding": {
            "x": {"field": "x", "type": "ordinal", "title": "Place"},
            "y": {"field": "y", "type": "quantitative"},
        },
    }
    assert drawn(bars(), "rect") == 2


def test_fields_have_types_and_aggregates() -> None:
    assert vega.field("time:Q") == {"field": "time", "type": "quantitative"}
    assert vega.field("name:N", sort=["b", "a"], title=None) == {
        "field": "name",
        "type": "nominal",
        "sort": ["b", "a"],
        "title": None,
    }
    assert vega.field("mean(time):Q") == {
        "aggregate": "mean",
        "field": "time",
        "type": "quantitative",
    }


def test_the_other_end_of_a_mark_has_no_type_of_its_own() -> None:
    spans = bars().encode(x2="x:Q", y2=vega.field("max(y):Q"), tooltip=[vega.field("x:Q")])
    encoding = spans.document()["encoding"]
    assert encoding["x2"] == {"field": "x"}
    assert encoding["y2"] == {"aggregate": "max", "field": "y"}
    assert encoding["tooltip"] == [{"field": "x", "type": "quantitative"}]
    assert encoding["y"] == {"field": "y", "type": "quantitative"}


def test_a_chart_is_not_changed_by_what_is_made_of_it() -> None:
    chart = bars()
    before = chart.document()
    made = chart.mark("rule").encode(color="part:N").properties(width=1).resolve_scale(x="shared")
    assert made.document() != before
    assert (chart + made).document() != before
    assert chart.document() == before


def test_layers_have_once_what_they_have_in_common() -> None:
    base = vega.Chart(POINTS, width=100, height=50).encode(x="x:O", y="y:Q")
    chart = (
        base.mark("bar") + base.mark("point") + vega.Chart().mark("rule").encode(y=vega.datum(9))
    )
    inner, rule = chart.document()["layer"]
    assert inner["data"] == POINTS
    assert (inner["width"], inner["height"]) == (100, 50)
    assert all("data" not in part and "width" not in part for part in (*inner["layer"], rule))
    assert [part["mark"]["type"] for part in inner["layer"]] == ["bar", "point"]
    assert drawn(chart, "rect") == 2
    assert drawn(chart, "symbol") == 2


def test_charts_stand_next_to_each_other_or_one_below_the_other() -> None:
    for join, name in ((vega.hconcat, "hconcat"), (vega.vconcat, "vconcat")):
        chart = join(bars(), bars().properties(width=30), spacing=7)
        document = chart.document()
        assert document["spacing"] == 7
        assert document["data"] == POINTS
        assert [part["width"] for part in document[name]] == [100, 30]
        assert drawn(chart, "rect") == 4


def test_a_facet_draws_the_chart_for_each_value() -> None:
    part = bars().mark("bar")
    chart = part.properties(data=None).facet(vega.field("part:N"), columns=1, data=POINTS)
    assert drawn(chart, "rect") == 2
    assert chart.document()["columns"] == 1


def test_conditions_choose_for_each_mark() -> None:
    shown = vega.condition("datum.x > 1", vega.value("#D55E00"), vega.value("#0072B2"))
    assert shown == {
        "condition": {"test": "datum.x > 1", "value": "#D55E00"},
        "value": "#0072B2",
    }
    chart = bars().encode(color=shown)
    picture = vl_convert.vegalite_to_svg(chart.document(), vl_version=vega.VERSION)
    assert picture.count('fill="#D55E00"') == picture.count('fill="#0072B2"') == 1


def test_numbers_of_numpy_are_numbers() -> None:
    scale = vega.scale(domain=(np.int64(0), np.float64(2.5)))
    document = bars().encode(x=vega.field("x:Q", scale=scale)).document()
    domain = document["encoding"]["x"]["scale"]["domain"]
    assert domain == [0, 2.5]
    assert [type(number) for number in domain] == [int, float]
