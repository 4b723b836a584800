"""Drawings of machines, with characters and as SVG."""

from xml.etree import ElementTree

import pytest
from machine_double import MachineDouble
from platform_texts import PLATFORMS, small

from kumihimo.platform import Platform, load_platform
from kumihimo.platform.drawing.diagram import draw_up
from kumihimo.platform.drawing.shapes import draw_shape
from kumihimo.platform.drawing.svg import draw_svg
from kumihimo.platform.drawing.terminal import draw_text
from kumihimo.platform.machine import Machine, build_machine

NAMES = sorted(file.stem for file in PLATFORMS.glob("*.toml"))
SVG = "{http://www.w3.org/2000/svg}"


def machine_of(platform: Platform) -> Machine:
    """The network of a platform."""
    if platform["topology.kind"] in MachineDouble.KINDS:
        return MachineDouble(platform.machine_spec())
    return build_machine(platform)


def test_a_star() -> None:
    assert draw_text(machine_of(small("star", hosts=4))) == (
        "          switch0\n"
        "   ┌──────┬──┴───┬──────┐      5 Gb/s, 1 us\n"
        " host0  host1  host2  host3\n"
    )


def test_a_tree() -> None:
    assert draw_text(machine_of(small("tree", leaves=2, hosts_per_leaf=2, spines=1))) == (
        "          switch2\n"
        "      ┌──────┴──────┐          5 Gb/s, 1 us\n"
        "   switch0       switch1\n"
        "   ┌──┴───┐      ┌──┴───┐      5 Gb/s, 1 us\n"
        " host0  host1  host2  host3\n"
    )


def test_hosts_of_a_switch_are_put_together() -> None:
    drawing = draw_text(machine_of(small("tree", leaves=3, hosts_per_leaf=16, spines=1)))
    assert drawing.splitlines()[-3:] == [
        "  host0   host16   host32",
        "    …        …        …",
        " host15   host31   host47",
    ]


def test_a_crossbar() -> None:
    assert draw_text(machine_of(small("crossbar", hosts=3))) == (
        "   ┌──────┬──────┐      5 Gb/s, 1 us\n host0  host1  host2\n"
    )


def test_a_large_crossbar_is_one_box() -> None:
    words = draw_text(machine_of(small("crossbar", hosts=100))).split()
    assert " ".join(words) == "each two connected, 5 Gb/s, 1 us host0 … host99 (100 hosts)"


def test_a_host_alone() -> None:
    assert draw_text(machine_of(small("crossbar", hosts=1))) == " host0\n"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [60, 80, 200])
def test_no_line_is_longer_than_the_terminal(name: str, width: int) -> None:
    platform = load_platform(PLATFORMS / f"{name}.toml")
    drawing = draw_shape(platform) or draw_text(machine_of(platform), width)
    assert max(len(line) for line in drawing.splitlines()) <= width


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("most", [1, 8, 10_000])
def test_every_vertex_and_cable_is_in_the_diagram_once(name: str, most: int) -> None:
    machine = machine_of(load_platform(PLATFORMS / f"{name}.toml"))
    diagram = draw_up(machine, lambda row: len(row) <= most)
    members = [member for node in diagram.nodes for member in node.members]
    assert len(members) == len(set(members)) == machine.hosts + machine.switches
    assert sum(cable.count for cable in diagram.cables) == len(machine.links) // 2
    assert sorted(box for level in diagram.levels for box in level) == list(
        range(len(diagram.nodes))
    )


def svg_of(platform: Platform) -> ElementTree.Element:
    """The parsed picture."""
    return ElementTree.fromstring(draw_svg(platform, machine_of(platform)))


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


def test_a_picture_of_a_large_machine_is_summarised() -> None:
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


def test_names_are_escaped() -> None:
    platform = small("star", hosts=2)
    hostile = Platform("<script>&.toml", platform.settings)
    assert "&lt;script&gt;&amp;" in draw_svg(hostile, machine_of(hostile))
    svg_of(hostile)
