"""Drawings of networks, with characters and as SVG."""

import itertools
import math
from xml.etree import ElementTree

import pytest
from network_double import NetworkDouble
from platform_texts import PLATFORMS, platform_of, small

from kumihimo.platform import Platform, load_platform
from kumihimo.platform.drawing.diagram import draw_up
from kumihimo.platform.drawing.shapes import draw_shape
from kumihimo.platform.drawing.svg import draw_svg
from kumihimo.platform.drawing.terminal import draw_text
from kumihimo.platform.network import Network, build_network

NAMES = sorted(file.stem for file in PLATFORMS.glob("*.toml"))
SVG = "{http://www.w3.org/2000/svg}"


def network_of(platform: Platform) -> Network:
    """The network of a platform."""
    if platform["topology.kind"] in NetworkDouble.KINDS:
        return NetworkDouble(platform.network_spec())
    return build_network(platform)


def test_a_star() -> None:
    assert draw_text(network_of(small("star", hosts=4))) == (
        "          switch0\n"
        "   ┌──────┬──┴───┬──────┐      5 Gb/s, 1 µs\n"
        " host0  host1  host2  host3\n"
    )


def test_a_tree() -> None:
    assert draw_text(network_of(small("tree", leaves=2, hosts_per_leaf=2, spines=1))) == (
        "          switch2\n"
        "      ┌──────┴──────┐          5 Gb/s, 1 µs\n"
        "   switch0       switch1\n"
        "   ┌──┴───┐      ┌──┴───┐      5 Gb/s, 1 µs\n"
        " host0  host1  host2  host3\n"
    )


def test_hosts_of_a_switch_are_put_together() -> None:
    drawing = draw_text(network_of(small("tree", leaves=3, hosts_per_leaf=16, spines=1)))
    assert drawing.splitlines()[-3:] == [
        "  host0   host16   host32",
        "    …        …        …",
        " host15   host31   host47",
    ]


def test_a_fully_connected_network() -> None:
    assert draw_text(network_of(small("fully_connected", hosts=3))) == (
        "   ┌──────┬──────┐      5 Gb/s, 1 µs\n host0  host1  host2\n"
    )


def test_a_large_fully_connected_network_is_one_box() -> None:
    words = draw_text(network_of(small("fully_connected", hosts=100))).split()
    assert " ".join(words) == "each two connected, 5 Gb/s, 1 µs host0 … host99 (100 hosts)"


def test_a_host_alone() -> None:
    assert draw_text(network_of(small("fully_connected", hosts=1))) == " host0\n"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [60, 80, 200])
def test_no_line_is_longer_than_the_terminal(name: str, width: int) -> None:
    platform = load_platform(PLATFORMS / f"{name}.toml")
    drawing = draw_shape(platform) or draw_text(network_of(platform), width)
    assert max(len(line) for line in drawing.splitlines()) <= width


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("most", [1, 8, 10_000])
def test_every_vertex_and_cable_is_in_the_diagram_once(name: str, most: int) -> None:
    network = network_of(load_platform(PLATFORMS / f"{name}.toml"))
    diagram = draw_up(network, lambda row: len(row) <= most)
    members = [member for node in diagram.nodes for member in node.members]
    assert len(members) == len(set(members)) == network.hosts + network.switches
    assert sum(cable.count for cable in diagram.cables) == len(network.links) // 2
    assert sorted(box for level in diagram.levels for box in level) == list(
        range(len(diagram.nodes))
    )


def svg_of(platform: Platform) -> ElementTree.Element:
    """The parsed picture."""
    return ElementTree.fromstring(draw_svg(platform, network_of(platform)))


def texts_of(picture: ElementTree.Element) -> list[str]:
    """All texts of a picture."""
    return [str(element.text) for element in picture.iter(f"{SVG}text")]


def test_a_picture_shows_hosts_switches_and_speeds() -> None:
    picture = svg_of(load_platform(PLATFORMS / "star4.toml"))
    texts = texts_of(picture)
    assert {"star4", "switch0", "host0", "host1", "host2", "host3"} <= set(texts)
    assert "5 Gb/s, 100 ns in each direction: 4 cables between hosts and switches" in texts
    # A line for each cable, and one in the legend.
    assert len(list(picture.iter(f"{SVG}line"))) == 4 + 1


def test_a_picture_without_a_description_counts() -> None:
    assert "2 hosts, 1 switch, 4 links" in texts_of(svg_of(small("star", hosts=2)))


def test_a_picture_of_a_tree_shows_both_kinds_of_links() -> None:
    texts = texts_of(svg_of(load_platform(PLATFORMS / "tree64.toml")))
    assert {f"host{n}" for n in range(64)} | {f"switch{n}" for n in range(12)} <= set(texts)
    assert "100 Gb/s, 300 ns in each direction: 64 cables between hosts and switches" in texts
    assert "100 Gb/s, 100 ns in each direction: 32 cables between switches" in texts


def test_a_picture_of_a_large_network_is_summarised() -> None:
    texts = texts_of(svg_of(load_platform(PLATFORMS / "star512.toml")))
    assert {"host0 … host511", "512 hosts", "× 512"} <= set(texts)
    assert len(texts) < 12


@pytest.mark.parametrize("name", NAMES)
def test_boxes_are_on_the_page_and_apart(name: str) -> None:
    picture = svg_of(load_platform(PLATFORMS / f"{name}.toml"))
    width, height = float(picture.get("width", "0")), float(picture.get("height", "0"))
    boxes = [box for box in picture.iter(f"{SVG}rect") if box.get("class")]
    corners = [(float(box.get("x", "-1")), float(box.get("y", "-1"))) for box in boxes]
    assert all(0 <= x <= width and 0 <= y <= height for x, y in corners)
    centres = {
        (round(x + float(box.get("width", "0")) / 2), round(y + float(box.get("height", "0")) / 2))
        for (x, y), box in zip(corners, boxes, strict=True)
    }
    assert len(centres) == len(boxes)


def boxes_by_label(picture: ElementTree.Element) -> dict[str, tuple[float, float]]:
    """The centre of each box by the text in it."""
    boxes = [
        (float(box.get("x", "0")), float(box.get("y", "0")),
         float(box.get("width", "0")), float(box.get("height", "0")))
        for box in picture.iter(f"{SVG}rect") if box.get("class")
    ]  # fmt: skip
    found = {}
    for text in picture.iter(f"{SVG}text"):
        at = float(text.get("x", "0")), float(text.get("y", "0"))
        for x, y, width, height in boxes:
            if x < at[0] < x + width and y < at[1] < y + height:
                found[str(text.text)] = (x + width / 2, y + height / 2)
    return found


TORUS = platform_of("torus", sizes=[4, 4, 4], hosts_per_switch=1)


def test_a_torus_is_drawn_as_a_grid() -> None:
    boxes = boxes_by_label(svg_of(TORUS))
    places = [boxes[f"switch{switch}"] for switch in range(64)]
    for stride in (1, 4, 16):
        steps = {
            tuple(round(b - a) for a, b in zip(places[at], places[at + stride], strict=True))
            for at in range(64)
            if at // stride % 4 < 3
        }
        assert len(steps) == 1, "neighbours along a dimension are not equally far apart"
    assert len(set(places)) == 64
    assert places[1][1] == places[0][1]
    assert places[4][0] == places[0][0]
    assert {f"host{host}" for host in range(64)} <= set(boxes)


def test_cables_that_close_rings_are_drawn() -> None:
    picture = svg_of(TORUS)
    # Four lines are the legend's.
    assert len(list(picture.iter(f"{SVG}line"))) == 64 + 3 * 48 + 4
    assert len(list(picture.iter(f"{SVG}path"))) == 3 * 16
    mesh = svg_of(platform_of("mesh", sizes=[4, 4, 4], hosts_per_switch=1))
    assert list(mesh.iter(f"{SVG}path")) == []
    assert len(list(mesh.iter(f"{SVG}line"))) == 64 + 3 * 48 + 4


def test_a_large_torus_says_what_is_left_out() -> None:
    texts = texts_of(svg_of(load_platform(PLATFORMS / "torus16x16x16.toml")))
    assert (
        "75 of 16 × 16 × 16 = 4,096 switches are drawn: where … stands, others lie between."
        in texts
    )
    assert {"switch0", "switch4095", "(15, 15, 15)"} <= set(texts)
    many = svg_of(platform_of("torus", sizes=[3, 3, 3, 3, 2], hosts_per_switch=2))
    assert any("Of 5 dimensions the first three" in text for text in texts_of(many))


DRAGONFLY = platform_of(
    "dragonfly", groups=4, switches_per_group=3, global_links_per_switch=1, hosts_per_switch=2
)


def test_a_dragonfly_is_drawn_by_its_groups() -> None:
    picture = svg_of(DRAGONFLY)
    boxes = [
        (float(box.get("x", "0")) + 14, float(box.get("y", "0")) + 10)
        for box in picture.iter(f"{SVG}rect") if box.get("class") == "switch"
    ]  # fmt: skip
    circles = [
        (float(circle.get("cx", "0")), float(circle.get("cy", "0")), float(circle.get("r", "0")))
        for circle in picture.iter(f"{SVG}circle")
    ]
    assert len(boxes) == 12
    for switch, (x, y) in enumerate(boxes):
        inside = [math.hypot(x - cx, y - cy) < r for cx, cy, r in circles]
        assert [group for group, here in enumerate(inside) if here] == [switch // 3]
    # A line for each cable, and three in the legend.
    assert len(list(picture.iter(f"{SVG}line"))) == 24 + 12 + 6 + 3


def test_a_large_dragonfly_is_drawn_by_groups_alone() -> None:
    picture = svg_of(load_platform(PLATFORMS / "dragonfly256.toml"))
    texts = texts_of(picture)
    assert {"group 31", "switch248 … 255"} <= set(texts)
    assert len(list(picture.iter(f"{SVG}line"))) == 32 * 31 // 2 + 3


MANY_HOSTS = platform_of(
    "dragonfly", groups=5, switches_per_group=8, global_links_per_switch=1, hosts_per_switch=4
)


@pytest.mark.parametrize("platform", [TORUS, DRAGONFLY, MANY_HOSTS, *NAMES])
def test_no_box_lies_over_another(platform: Platform | str) -> None:
    if isinstance(platform, str):
        platform = load_platform(PLATFORMS / f"{platform}.toml")
    picture = svg_of(platform)
    turned = {box for part in picture.iter(f"{SVG}g") if "rotate" in part.get("transform", "")
              for box in part.iter(f"{SVG}rect")}  # fmt: skip
    boxes = [
        tuple(float(box.get(key, "0")) for key in ("x", "y", "width", "height"))
        for box in picture.iter(f"{SVG}rect")
        if box.get("class") and box not in turned
    ]
    for (x1, y1, w1, h1), (x2, y2, w2, h2) in itertools.combinations(boxes, 2):
        assert x1 + w1 <= x2 or x2 + w2 <= x1 or y1 + h1 <= y2 or y2 + h2 <= y1


def test_counts_that_are_all_alike_stand_in_the_legend() -> None:
    texts = texts_of(svg_of(load_platform(PLATFORMS / "fattree64.toml")))
    assert "× 2" not in texts
    assert any(text.endswith("64 cables between switches, each line 2") for text in texts)


def test_names_are_escaped() -> None:
    platform = small("star", hosts=2)
    hostile = Platform("<script>&.toml", platform.settings)
    assert "&lt;script&gt;&amp;" in draw_svg(hostile, network_of(hostile))
    svg_of(hostile)
