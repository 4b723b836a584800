"""Networks of every shape against NetworkX: the same graphs, distances and diameters."""

import itertools
from collections.abc import Iterator

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from platform_texts import platform_of, problems, text_of

from kumihimo.platform.network import Network, build_network


def graph_of(network: Network) -> nx.MultiDiGraph:
    """All vertices and links."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(f"host{host}" for host in range(network.hosts))
    graph.add_nodes_from(f"switch{switch}" for switch in range(network.switches))
    graph.add_edges_from((link["source"], link["target"]) for link in network.links)
    return graph


def switches_of(network: Network) -> nx.Graph:
    """The switches, with one edge for all cables between two."""
    graph = graph_of(network)
    graph.remove_nodes_from([f"host{host}" for host in range(network.hosts)])
    return nx.Graph(graph)


def lengths(network: Network) -> Iterator[tuple[int, int, int]]:
    """Source, target and length of the path between each two hosts."""
    for source, target in itertools.permutations(range(network.hosts), 2):
        yield source, target, len(network.route(source, target))


def assert_paths_are_shortest(network: Network) -> None:
    """Every path has the length that NetworkX finds; so have average and diameter."""
    distance = dict(nx.all_pairs_shortest_path_length(graph_of(network)))
    found = {(source, target): length for source, target, length in lengths(network)}
    expected = {
        (source, target): distance[f"host{source}"][f"host{target}"] for source, target in found
    }
    assert found == expected
    assert sum(found.values()) == sum(expected.values())


@pytest.mark.parametrize("sizes", [[2], [5], [4, 3], [2, 2, 2], [4, 3, 2], [3, 1, 4]])
@pytest.mark.parametrize("kind", ["torus", "mesh"])
def test_grids_are_those_of_networkx(kind: str, sizes: list[int]) -> None:
    network = build_network(platform_of(kind, sizes=sizes, hosts_per_switch=1))
    grid = nx.grid_graph(sizes, periodic=kind == "torus")
    # NetworkX joins both ends of a row of one to themselves.
    grid.remove_edges_from(list(nx.selfloop_edges(grid)))
    switches = switches_of(network)
    assert nx.is_isomorphic(switches, grid)
    assert nx.diameter(switches) == nx.diameter(grid)
    average = sum(length - 2 for _, _, length in lengths(network))
    if len(grid) > 1:
        pairs = len(grid) * (len(grid) - 1)
        assert average / pairs == pytest.approx(nx.average_shortest_path_length(grid))
    assert_paths_are_shortest(network)


def test_halfway_messages_of_a_torus_go_up_unless_the_file_says_otherwise() -> None:
    def second_switches(**more: int) -> list[str]:
        network = build_network(platform_of("torus", sizes=[8], hosts_per_switch=1, **more))
        links = network.links
        return [links[network.route(host, (host + 4) % 8)[1]]["target"] for host in range(8)]

    assert second_switches() == [f"switch{(host + 1) % 8}" for host in range(8)]
    steps = [1, 1, -1, -1] * 2
    both_ways = [f"switch{(host + step) % 8}" for host, step in enumerate(steps)]
    assert second_switches(halfway_run=2) == both_ways


def test_the_torus_of_16_cubed_has_the_distances_of_its_rings() -> None:
    network = build_network(platform_of("torus", sizes=[16, 16, 16], hosts_per_switch=1))
    ring = nx.cycle_graph(16)
    to_all = [len(network.route(0, target)) - 2 for target in range(1, network.hosts)]
    assert max(to_all) == 3 * nx.diameter(ring) == 24
    of_a_ring = nx.average_shortest_path_length(ring) * 15 / 16
    assert sum(to_all) / 4096 == pytest.approx(3 * of_a_ring)


def test_latencies_of_dimensions_add_up() -> None:
    switch_link = '[switch_link]\nlatency = ["21 ns", "25 ns", "70 ns"]\nbandwidth = "4 Gb/s"\n'
    network = build_network(platform_of("torus", switch_link, sizes=[4, 4, 4], hosts_per_switch=1))
    for x, y, z in itertools.product(range(4), repeat=3):
        target = x + 4 * y + 16 * z
        hops = [min(steps, 4 - steps) for steps in (x, y, z)]
        if target == 0:
            continue
        expected_ns = 200 + 10 * (sum(hops) + 1)
        expected_ns += 21 * hops[0] + 25 * hops[1] + 70 * hops[2]
        # 1000 bytes: 2 ns each between switches.
        assert network.zero_load_ps(0, target, 1000) == 1000 * (expected_ns + 2000)


@pytest.mark.parametrize(
    ("children", "parents", "cables", "switches"),
    [
        ([4], [1], [1], 1),
        ([4, 4], [1, 2], [1, 1], 4 + 2),
        ([4, 2, 3], [1, 2, 2], [1, 2, 1], 6 + 2 * 3 + 4),
        ([2, 2, 2], [2, 2, 1], [1, 1, 1], 4 * 2 + 2 * 4 + 4),
    ],
)
def test_fat_trees(
    children: list[int], parents: list[int], cables: list[int], switches: int
) -> None:
    network = build_network(
        platform_of("fat_tree", children=children, parents=parents, cables=cables)
    )
    assert network.switches == switches
    assert_paths_are_shortest(network)


@pytest.mark.parametrize(("radix", "stages"), [(2, 1), (2, 3), (3, 2), (4, 2)])
def test_flies(radix: int, stages: int) -> None:
    network = build_network(platform_of("butterfly", radix=radix, stages=stages))
    graph = graph_of(network)
    assert network.hosts == radix**stages
    assert nx.is_directed_acyclic_graph(graph.subgraph(v for v in graph if v.startswith("switch")))
    assert all(length == stages + 1 for _, _, length in lengths(network))
    assert_paths_are_shortest(network)


@pytest.mark.parametrize("shape", [(9, 4, 2, 1), (5, 2, 2, 2), (3, 2, 3, 1), (1, 4, 0, 2)])
def test_dragonflies(shape: tuple[int, int, int, int]) -> None:
    groups, switches, ports, hosts = shape
    network = build_network(
        platform_of(
            "dragonfly",
            groups=groups,
            switches_per_group=switches,
            global_links_per_switch=ports,
            hosts_per_switch=hosts,
        )
    )
    graph = nx.Graph()
    for link in network.links:
        ends = link["source"], link["target"]
        of_host = any(end.startswith("host") for end in ends)
        of_group = (
            len({int(end.removeprefix("switch")) // switches for end in ends}) == 1
            if (not of_host)
            else True
        )
        # Two global links cost more than any path with one: minimal routing takes at most one.
        graph.add_edge(*ends, weight=1 if of_group else 10)
    distance = dict(nx.all_pairs_dijkstra_path_length(graph))
    links = network.links
    for source, target in itertools.permutations(range(network.hosts), 2):
        path = [links[index] for index in network.route(source, target)]
        weight = sum(graph.edges[link["source"], link["target"]]["weight"] for link in path)
        assert weight == distance[f"host{source}"][f"host{target}"]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=3), st.booleans())
def test_random_grids_have_shortest_paths(sizes: list[int], wraps: bool) -> None:
    network = build_network(
        platform_of("torus" if wraps else "mesh", sizes=sizes, hosts_per_switch=1)
    )
    source = network.hosts - 1
    distance = nx.single_source_shortest_path_length(graph_of(network), f"host{source}")
    for target in range(source):
        assert len(network.route(source, target)) == distance[f"host{target}"]


def test_one_value_for_all_dimensions_is_the_list_of_its_like() -> None:
    keys = {"sizes": [4, 4], "hosts_per_switch": 1}
    one = platform_of("torus", '[switch_link]\nlatency = "5 ns"\n', **keys)
    each = platform_of("torus", '[switch_link]\nlatency = ["5 ns", "5 ns"]\n', **keys)
    other = platform_of("torus", '[switch_link]\nlatency = ["5 ns", "6 ns"]\n', **keys)
    assert one.canonical() == each.canonical() != other.canonical()
    assert build_network(one).links == build_network(each).links != build_network(other).links


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        (
            text_of("torus", sizes=4, hosts_per_switch=1),
            "topology.sizes",
            "expected a list of 1 to 16 values, each a whole number from 1 to 2097152, "
            "found the number 4",
        ),
        (
            text_of("torus", sizes=[4, 0], hosts_per_switch=1),
            "topology.sizes",
            "value 2 of the list: expected a whole number from 1 to 2097152, found 0",
        ),
        (
            text_of("torus", sizes=[], hosts_per_switch=1),
            "topology.sizes",
            "expected a list of 1 to 16 values, each a whole number from 1 to 2097152, "
            "found 0 values",
        ),
        (
            text_of("mesh", sizes=[2000, 2000], hosts_per_switch=1),
            "topology.hosts_per_switch",
            "these are 4000000 hosts; expected at most 2097152",
        ),
        (
            text_of(
                "torus",
                '[switch_link]\nlatency = ["1 ns", "2 ns"]\n',
                sizes=[4] * 3,
                hosts_per_switch=1,
            ),
            "switch_link.latency",
            "expected one value, or a list of 3, one for each dimension; found a list of 2",
        ),
        (
            text_of("butterfly", '[switch_link]\nlatency = ["1 ns"]\n', radix=2, stages=2),
            "switch_link.latency",
            "expected one value, found a list; in a butterfly these links are all alike",
        ),
        (
            text_of("fat_tree", children=[4, 4], parents=[1]),
            "topology.parents",
            "expected a list of 2, one for each level as in topology.children; found 1",
        ),
        (
            text_of(
                "dragonfly",
                groups=34,
                switches_per_group=8,
                global_links_per_switch=4,
                hosts_per_switch=1,
            ),
            "topology.global_links_per_switch",
            "8 switches with 4 global links each reach 32 other groups; expected at most 33 "
            "groups, found 34",
        ),
    ],
)
def test_mistakes_are_reported_with_their_key(text: str, key: str, message: str) -> None:
    assert [(found[1], found[2]) for found in problems(text)] == [(key, message)]
