"""Pictures of the network's load: where links are drawn, and what is left out."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from charts import tables_of
from kumihimo import _core, vega
from kumihimo.platform.drawing.rings import dragonfly_ring
from kumihimo.results.report.figure import HEAT_COLOURS
from kumihimo.results.report.grid_picture import grid_picture
from kumihimo.results.report.group_picture import group_picture
from kumihimo.results.report.level_picture import level_picture, placer_of
from kumihimo.results.report.load import CellPicture, LinePicture, link_loads
from kumihimo.results.report.table_picture import dragonfly_picture, vertex_picture
from kumihimo.results.report.topology_figure import topology_figure

LINK = {"bandwidth_bps": 10**10, "latency_ps": 1000}


def document_of(
    kind: str, parameters: dict[str, Any], extra: tuple[str, ...] = ()
) -> dict[str, Any]:
    """A result in which link i of the core's network was busy i of 1000 parts of the time."""
    network = _core.Network(
        {
            "topology": kind,
            "parameters": parameters,
            "host_link": LINK,
            "loopback": LINK,
            "switch_latency_ps": 0,
            "packet_bytes": 0,
            "packet_header_bytes": 0,
            **dict.fromkeys(extra, LINK),
        }
    )
    platform = {"topology.kind": kind} | {f"topology.{k}": v for k, v in parameters.items()}
    links = [dict(link) | {"busy_ps": index} for index, link in enumerate(network.links)]
    return {
        "virtual_time_ps": 1000,
        "configuration": {"platform": platform},
        "per_link": links,
    }


TORUS = document_of("torus", {"sizes": [4, 3, 2], "hosts_per_switch": 1}, ("switch_link",))
FAT_TREE = document_of(
    "fat_tree", {"children": [4, 4], "parents": [1, 2], "cables": [1, 2]}, ("switch_link",)
)
DRAGONFLY = document_of(
    "dragonfly",
    {
        "groups": 3,
        "switches_per_group": 2,
        "global_links_per_switch": 1,
        "hosts_per_switch": 1,
    },
    ("local", "global"),
)
BUTTERFLY = document_of("butterfly", {"radix": 2, "stages": 3}, ("switch_link",))
FULLY_CONNECTED = document_of("fully_connected", {"hosts": 5})


def test_the_use_is_that_of_the_result() -> None:
    loads = link_loads(FULLY_CONNECTED)
    assert [load.use for load in loads[:3]] == [0.0, 0.1, 0.2]
    assert [str(loads[0].source), str(loads[0].target)] == [
        FULLY_CONNECTED["per_link"][0]["source"],
        FULLY_CONNECTED["per_link"][0]["target"],
    ]


def test_a_torus_shows_every_link_once() -> None:
    picture = grid_picture(link_loads(TORUS), [4, 3, 2], 1)
    assert isinstance(picture, LinePicture)
    inner = {row["name"] for row in TORUS["per_link"] if "host" not in row["name"]}
    in_plane = {line.load.name for line in picture.segments}
    # Two planes of 4 x 3 rings: 12 cables along each of two dimensions, in two directions.
    assert len(picture.segments) == len(in_plane) == 2 * 2 * 24
    assert in_plane < inner
    # The rest leads from each switch to the other plane, to its host and from there.
    assert len(picture.dots) == 3 * 24
    assert {dot.load.name for dot in picture.dots} == {
        row["name"] for row in TORUS["per_link"]
    } - in_plane
    titles = [text for *_, text in picture.titles]
    assert [text for text in titles if text.startswith("plane")] == ["plane 0", "plane 1"]
    assert titles.count("3") == 2, "the last column of each plane has no coordinate"


def test_switches_of_a_torus_are_named_with_their_coordinates() -> None:
    picture = grid_picture(link_loads(TORUS), [4, 3, 2], 1)
    assert isinstance(picture, LinePicture)
    assert len(picture.spots) == 24
    assert picture.spots[23].name == "switch 23 (3, 2, 1)"
    assert picture.spots[23].label == "23"
    ends = [picture.name_of(picture.dots[0].load.source), picture.name_of(picture.spots[5].vertex)]
    assert ends == ["host0 (0, 0, 0)", "switch5 (1, 1, 0)"]


def test_lines_of_a_torus_lie_between_their_switches() -> None:
    picture = grid_picture(link_loads(TORUS), [4, 3, 2], 1)
    assert isinstance(picture, LinePicture)
    step = 56.0
    for line in picture.segments:
        source, target = line.load.source.number % 12, line.load.target.number % 12
        gap = abs(source % 4 - target % 4) + abs(source // 4 - target // 4)
        length = abs(line.x1 - line.x2) + abs(line.y1 - line.y2)
        assert length == pytest.approx(step * (0.64 if gap == 1 else 0.32))
        assert 0 <= min(line.x1, line.x2) <= max(line.x1, line.x2) <= picture.width
        assert 0 <= min(line.y1, line.y2) <= max(line.y1, line.y2) <= picture.height


@pytest.mark.parametrize("sizes", [[4, 3, 2], [10, 10, 8], [16, 16, 2]])
def test_marks_of_a_torus_do_not_touch_each_other(sizes: list[int]) -> None:
    document = document_of("torus", {"sizes": sizes, "hosts_per_switch": 1}, ("switch_link",))
    picture = grid_picture(link_loads(document), sizes, 1)
    assert isinstance(picture, LinePicture)
    has_numbers = any(spot.label for spot in picture.spots)
    spot_width = math.sqrt(170 if has_numbers else picture.spot_area)
    marks = [(dot.x, dot.y, math.sqrt(picture.dot_area)) for dot in picture.dots]
    marks += [(spot.x, spot.y, spot_width) for spot in picture.spots]
    marks.sort()
    for index, (x, y, width) in enumerate(marks):
        for other_x, other_y, other_width in marks[index + 1 :]:
            room = (width + other_width) / 2
            if other_x - x >= room:
                break
            assert abs(other_y - y) >= room, f"at {x:.0f}, {y:.0f}"


def test_of_too_many_planes_the_busiest_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumihimo.results.report.grid_picture.MOST_LINES", 8 * 12)
    picture = grid_picture(link_loads(TORUS), [4, 3, 2], 1)
    assert isinstance(picture, LinePicture)
    assert [text for *_, text in picture.titles if "plane" in text] == ["plane 1"]
    assert "Of 2 planes the 1 busiest are shown" in picture.sentence


def test_planes_that_are_too_large_are_shown_by_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumihimo.results.report.grid_picture.MOST_LINES", 95)
    picture = grid_picture(link_loads(TORUS), [4, 3, 2], 1)
    assert isinstance(picture, CellPicture)
    assert (len(picture.rows), len(picture.columns)) == (3, 4)
    loads = link_loads(TORUS)
    assert sum(count for _, count in picture.cells.values()) == len(loads)
    assert max(load.use for load, _ in picture.cells.values()) == max(x.use for x in loads)


def place(document: dict[str, Any]) -> Any:  # noqa: ANN401
    platform = document["configuration"]["platform"]
    return placer_of({key.removeprefix("topology."): platform[key] for key in platform})


@pytest.mark.parametrize("document", [FAT_TREE, BUTTERFLY], ids=["fat_tree", "butterfly"])
def test_links_of_levels_join_neighbouring_levels(document: dict[str, Any]) -> None:
    placer = place(document)
    for load in link_loads(document):
        source, target = placer(load.source, False), placer(load.target, True)
        assert abs(source[0] - target[0]) == 1
        assert 0 <= source[1] < source[2]
        assert 0 <= target[1] < target[2]


def test_a_tree_is_drawn_by_lines_or_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = link_loads(FAT_TREE)
    lines = level_picture(loads, place(FAT_TREE))
    assert isinstance(lines, LinePicture)
    assert len(lines.segments) == len(loads)
    monkeypatch.setattr("kumihimo.results.report.level_picture.MOST_LINES", 10)
    strips = level_picture(loads, place(FAT_TREE))
    assert isinstance(strips, CellPicture)
    assert strips.rows == [
        "level 2 to level 1", "level 1 to level 2", "level 1 to hosts", "hosts to level 1",
    ]  # fmt: skip
    assert sum(count for _, count in strips.cells.values()) == len(loads)
    assert strips.cells[3, 0][0].name == "host0->switch0"


def test_a_dragonfly_shows_every_link_between_its_ends() -> None:
    loads = link_loads(DRAGONFLY)
    picture = group_picture(loads, 3, 2, 1)
    assert picture is not None
    assert [line.load for line in picture.segments] == loads
    assert len({(line.x1, line.y1, line.x2, line.y2) for line in picture.segments}) == len(loads)
    places = {spot.vertex: (spot.x, spot.y) for spot in picture.spots}
    for line in picture.segments:
        if line.load.source.is_switch:
            x, y = places[line.load.source]
            assert math.hypot(line.x1 - x, line.y1 - y) == pytest.approx(1.3)
        assert min(line.x1, line.y1, line.x2, line.y2) >= 0
        assert max(line.x1, line.y1, line.x2, line.y2) <= picture.width
    assert picture.spots[5].name == "switch5 (group 2)"


@pytest.mark.parametrize("groups", [1, 2, 5, 9, 12])
def test_names_of_groups_touch_no_link(groups: int) -> None:
    ring = dragonfly_ring(groups, 4, 2)
    hosts = len(ring.hosts)
    document = {
        "virtual_time_ps": 10,
        "configuration": {"platform": {}},
        "per_link": [
            {"link": host, "name": f"host{host}->switch{host // 2}", "source": f"host{host}",
             "target": f"switch{host // 2}", "busy_ps": 5}
            for host in range(hosts)
        ],
    }  # fmt: skip
    picture = group_picture(link_loads(document), groups, 4, 2)
    assert picture is not None
    assert len(picture.titles) == groups
    for x, y, text in picture.titles:
        # Letters of ten pixels are some six wide and seven high.
        left, right, top, bottom = x, x + 5.5 * len(text), y - 4, y + 4
        assert left >= 0
        assert right <= picture.width
        assert top >= 0
        assert bottom <= picture.height
        for line in picture.segments:
            for part in range(21):
                at_x = line.x1 + part / 20 * (line.x2 - line.x1)
                at_y = line.y1 + part / 20 * (line.y2 - line.y1)
                assert not (left <= at_x <= right and top <= at_y <= bottom), text


def test_a_large_dragonfly_is_a_table_of_groups_and_hosts() -> None:
    assert group_picture(link_loads(DRAGONFLY), 100, 2, 1) is None
    picture = dragonfly_picture(link_loads(DRAGONFLY), 3, 2)
    assert picture.rows == picture.columns == ["0", "1", "2", "hosts"]
    # A cable inside each group, one between each two, and two hosts in each.
    assert {key: count for key, (_, count) in picture.cells.items()} == {
        (row, column): 2 if row == column or 3 in (row, column) else 1
        for row in range(4)
        for column in range(4)
        if (row, column) != (3, 3)
    }
    for (row, column), (load, _) in picture.cells.items():
        ends = [x.number // 2 if x.is_switch else 3 for x in (load.source, load.target)]
        assert ends == [row, column]


def test_any_other_network_is_a_table_of_vertices() -> None:
    picture = vertex_picture(link_loads(FULLY_CONNECTED))
    assert picture.rows == [f"host{host}" for host in range(5)]
    assert len(picture.cells) == len(FULLY_CONNECTED["per_link"])


@pytest.mark.parametrize("document", [TORUS, FAT_TREE, DRAGONFLY, BUTTERFLY, FULLY_CONNECTED])
def test_the_figure_is_a_chart_with_its_marks(document: dict[str, Any]) -> None:
    figure = topology_figure(document)
    assert figure.marks > 0
    assert json.loads(figure.specification())["config"]
    assert "Colours say" in figure.sentence


@pytest.mark.parametrize("use", [4, 990])
def test_the_colours_are_those_of_capacity(use: int) -> None:
    """A network that is hardly used does not look like one that is full."""
    quiet = TORUS | {"per_link": [link | {"busy_ps": use} for link in TORUS["per_link"]]}
    chart = topology_figure(quiet).chart
    assert chart is not None
    layers = [layer for layer in chart.document()["layer"] if "color" in layer["encoding"]]
    assert layers
    for layer in layers:
        scale = layer["encoding"]["color"]["scale"]
        assert scale == {"domain": list(range(9)), "range": HEAT_COLOURS}
        (table,) = tables_of(vega.Chart(**layer))
        assert {row["step"] for row in table} == {"1" if use == 4 else "8"}


def test_nothing_is_drawn_of_nothing() -> None:
    figure = topology_figure(FULLY_CONNECTED | {"per_link": []})
    assert figure.chart is None
    assert figure.marks == 0


def test_links_of_hosts_alone_are_drawn() -> None:
    only_hosts = TORUS | {"per_link": [x for x in TORUS["per_link"] if "host" in x["name"]]}
    assert topology_figure(only_hosts).marks >= 48
