"""Lines about networks of regular shape, made from their keys."""

import pytest
from platform_texts import PLATFORMS, platform_of, small

from kumihimo.platform import load_platform
from kumihimo.platform.drawing.shapes import draw_shape
from kumihimo.platform.overview import examine, network_lines


def test_a_small_torus() -> None:
    switch_link = '[switch_link]\nlatency = ["5 ns", "6 ns"]\n'
    assert draw_shape(platform_of("torus", switch_link, sizes=[3, 2], hosts_per_switch=2)) == (
        "switches:\n"
        "  ─ 0 ─ 1 ─ 2 ─\n"
        "  ─ 3 ─ 4 ─ 5 ─\n"
        "  at each switch  2 hosts: 8 Gb/s, 100 ns\n"
        "  dimension 0     ring of 3: 8 Gb/s, 5 ns\n"
        "  dimension 1     row of 2: 8 Gb/s, 6 ns\n"
    )


def test_a_large_torus_is_shown_by_its_first_slice() -> None:
    drawing = draw_shape(load_platform(PLATFORMS / "torus16x16x16.toml"))
    assert drawing is not None
    lines = drawing.splitlines()
    assert lines[0] == "switches of the first of 16 slices:"
    assert lines[1] == "  ─   0 ─   1 ─   2 ─   3 ─ … ─  15 ─"
    assert lines[-1] == "  dimension 2     ring of 16: 128 Gb/s, 70 ns"


def test_many_dimensions_stand_in_one_column() -> None:
    drawing = draw_shape(platform_of("torus", sizes=[2] * 11, hosts_per_switch=1))
    assert drawing is not None
    lines = drawing.splitlines()[-12:]
    assert {line.index(": ") - len("row of 2") for line in lines[1:]} == {18}
    assert lines[0].index("1 host") == 18


def test_a_long_path_is_printed_by_its_ends() -> None:
    lines = dict(network_lines(examine(load_platform(PLATFORMS / "torus16x16x16.toml"))))
    assert lines["farthest hosts"] == (
        "0 B in 928 ns, 1 KiB in 992 ns (host0 > switch0 > … > switch2184 > host2184: 26 links)"
    )
    assert lines["nearest hosts"].endswith("(host0 > switch0 > switch1 > host1)")


def test_a_mesh_does_not_go_around() -> None:
    drawing = draw_shape(platform_of("mesh", sizes=[3], hosts_per_switch=1))
    assert drawing is not None
    assert drawing.splitlines()[1] == "    0 ─ 1 ─ 2"


def test_levels_of_a_tapered_fat_tree() -> None:
    assert draw_shape(load_platform(PLATFORMS / "fattree256.toml")) == (
        "levels, with links down and up, and what a link down is:\n"
        "  level 3   16 switches, 8 down, 0 up: 100 Gb/s, 100 ns\n"
        "  level 2   32 switches, 4 down, 4 up: 100 Gb/s, 25 ns\n"
        "  level 1   16 switches, 16 down, 8 up: 100 Gb/s, 300 ns\n"
        "  hosts     256\n"
    )


def test_groups_of_a_dragonfly() -> None:
    assert draw_shape(load_platform(PLATFORMS / "dragonfly256.toml")) == (
        "groups:\n"
        "  0      switch0 … switch7, host0 … host7\n"
        "  1      switch8 … switch15, host8 … host15\n"
        "  2      switch16 … switch23, host16 … host23\n"
        "  …\n"
        "  31     switch248 … switch255, host248 … host255\n"
        "  at each switch        1 host: 100 Gb/s, 25 ns\n"
        "  each two of a group   1 cable: 100 Gb/s, 25 ns\n"
        "  each two groups       1 cable: 100 Gb/s, 25 ns\n"
    )


def test_stages_of_a_butterfly() -> None:
    drawing = draw_shape(platform_of("butterfly", radix=2, stages=2))
    assert drawing is not None
    assert drawing.splitlines()[1:] == [
        "  host0 … host3",
        "    4 links: 8 Gb/s, 100 ns",
        "  switch0 … switch1",
        "    4 links: 8 Gb/s, 100 ns",
        "  switch2 … switch3",
        "    4 links: 8 Gb/s, 100 ns",
        "  host0 … host3",
    ]


@pytest.mark.parametrize("kind", ["star", "fully_connected"])
def test_other_kinds_are_drawn_by_their_links(kind: str) -> None:
    assert draw_shape(small(kind, hosts=2)) is None
