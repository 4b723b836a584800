"""What is said of a network: paths, times and bandwidth between its halves."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from network_double import NetworkDouble
from platform_texts import parse, small

from kumihimo.platform.max_flow import max_flow
from kumihimo.platform.network import extreme_pairs, halves_bandwidth_bps

GIGABIT = 10**9


def test_the_nearest_and_the_farthest_in_a_tree() -> None:
    pairs = extreme_pairs(
        NetworkDouble(small("tree", leaves=3, hosts_per_leaf=2, spines=2).network_spec())
    )
    assert pairs is not None
    nearest, farthest = pairs
    assert nearest.vertices == ("host0", "switch0", "host1")
    assert nearest.empty_ps == 2_000_000
    assert nearest.kib_ps == 2_000_000 + 1_638_400
    assert farthest.vertices == ("host0", "switch0", "switch3", "switch1", "host2")
    assert farthest.empty_ps == 4_000_000


def test_a_single_host_has_no_pairs() -> None:
    network = NetworkDouble(small("star", hosts=1).network_spec())
    assert extreme_pairs(network) is None
    assert halves_bandwidth_bps(network) is None


@pytest.mark.parametrize(
    ("kind", "counts", "gigabits"),
    [
        ("star", {"hosts": 4}, 2 * 5),
        ("star", {"hosts": 5}, 2 * 5),
        ("fully_connected", {"hosts": 6}, 9 * 5),
        ("tree", {"leaves": 4, "hosts_per_leaf": 8, "spines": 2}, 2 * 2 * 5),
        ("tree", {"leaves": 4, "hosts_per_leaf": 8, "spines": 16}, 16 * 5),
        ("tree", {"leaves": 1, "hosts_per_leaf": 8, "spines": 1}, 4 * 5),
    ],
)
def test_bandwidth_between_the_halves(kind: str, counts: dict[str, int], gigabits: int) -> None:
    network = NetworkDouble(small(kind, **counts).network_spec())
    assert halves_bandwidth_bps(network) == gigabits * GIGABIT


def smallest_cut(vertices: int, arcs: list[tuple[int, int, int]], half: int) -> int:
    """By trying every division of the vertices; the sources are 0..half-1, the last the target."""
    best = None
    between = range(half, vertices - 1)
    for chosen in range(1 << len(between)):
        side = {*range(half), *(v for bit, v in enumerate(between) if chosen >> bit & 1)}
        cut = sum(rate for start, end, rate in arcs if start in side and end not in side)
        best = cut if best is None else min(best, cut)
    assert best is not None
    return best


@given(st.integers(0, 10**6))
def test_flow_is_the_smallest_cut(seed: int) -> None:
    dice = random.Random(seed)
    vertices = dice.randint(3, 7)
    arcs = [
        (dice.randrange(vertices), dice.randrange(vertices), dice.randint(0, 9))
        for _ in range(dice.randint(0, 16))
    ]
    half = dice.randint(1, vertices - 1)
    assert max_flow(vertices, arcs, range(half), [vertices - 1]) == smallest_cut(
        vertices, arcs, half
    )


def test_switch_links_of_their_own_rate_count() -> None:
    text = (
        '[topology]\nkind = "tree"\nleaves = 2\nhosts_per_leaf = 2\nspines = 1\n'
        '[link]\nbandwidth = "5 Gb/s"\nlatency = "1 us"\n[switch_link]\nbandwidth = "1 Gb/s"\n'
        '[node]\nspeed = "1 Gflop/s"\n'
    )
    assert halves_bandwidth_bps(NetworkDouble(parse(text).network_spec())) == GIGABIT
