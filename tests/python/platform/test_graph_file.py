"""Graphs from files that NetworkX writes, and what is said about wrong ones."""

import json
import random
import re
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumihimo.platform import Platform, PlatformError, load_platform
from kumihimo.platform.attachment import AttachmentError
from kumihimo.platform.network import build_network
from kumihimo.platform.overview import examine
from kumihimo.platform.schema.topologies.graph_file import GraphFile, parse_graph

PLATFORM = """\
[topology]
kind = "graph"
file = "shapes/graph.json"

[link]
bandwidth = "8 Gb/s"
latency = "100 ns"

[node]
speed = "1 Gflop/s"
"""


def platform_of(folder: Path, graph: str) -> Platform:
    """The platform in `folder` that names a file with this text."""
    (folder / "shapes").mkdir()
    (folder / "shapes" / "graph.json").write_text(graph)
    (folder / "platform.toml").write_text(PLATFORM)
    return load_platform(folder / "platform.toml")


def written(graph: nx.Graph, edges: str) -> str:
    """The file that NetworkX writes."""
    return json.dumps(nx.node_link_data(graph, edges=edges))


def random_network(seed: int) -> nx.Graph:
    """A connected graph of 12 switches with a host each."""
    switches = nx.connected_watts_strogatz_graph(12, 4, 0.5, seed=seed)
    graph = nx.Graph()
    graph.add_nodes_from((f"s{switch}" for switch in switches), kind="switch")
    graph.add_edges_from((f"s{a}", f"s{b}") for a, b in switches.edges)
    for switch in switches:
        graph.add_node(f"h{switch}", kind="host")
        graph.add_edge(f"h{switch}", f"s{switch}", latency="1 us", bandwidth="4 Gb/s")
    return graph


@pytest.mark.parametrize("edges", ["edges", "links"])
def test_paths_are_as_long_as_those_of_networkx(tmp_path: Path, edges: str) -> None:
    graph = random_network(1)
    network = build_network(platform_of(tmp_path, written(graph, edges=edges)))
    distance = dict(nx.all_pairs_shortest_path_length(graph))
    links = network.links
    total = 0
    for source in range(12):
        for target in range(12):
            path = [links[index] for index in network.route(source, target)]
            assert len(path) == distance[f"h{source}"][f"h{target}"]
            total += len(path)
            if source == target:
                continue
            assert path[0]["source"] == f"host{source}"
            assert path[-1]["target"] == f"host{target}"
            between_ns = 100 * (len(path) - 2)
            # 1000 bytes at 4 Gb/s, and once more before the faster links may begin.
            wait_ns = 1000 if len(path) > 2 else 0
            assert network.zero_load_ps(source, target, 1000) == 1000 * (
                2000 + between_ns + 2000 + wait_ns
            )
    hosts = [f"h{host}" for host in range(12)]
    assert total == sum(distance[a][b] for a in hosts for b in hosts)


def test_edges_say_what_links_are_else_the_platform_does(tmp_path: Path) -> None:
    graph = nx.MultiDiGraph()
    graph.add_node(7, kind="host")
    graph.add_node("x", kind="switch")
    graph.add_node((1, 2), kind="host")
    graph.add_edge(7, "x", bandwidth="1 Gb/s")
    graph.add_edge("x", (1, 2), latency="3 ns")
    graph.add_edge("x", (1, 2))
    graph.add_edge((1, 2), "x")
    graph.add_edge("x", 7)
    network = build_network(platform_of(tmp_path, written(graph, edges="edges")))
    assert [
        (link["name"], link["bandwidth_bps"], link["latency_ps"]) for link in network.links
    ] == [
        ("host0->switch0", 10**9, 100_000),
        ("switch0->host1", 8 * 10**9, 3_000),
        ("switch0->host1#1", 8 * 10**9, 100_000),
        ("switch0->host0", 8 * 10**9, 100_000),
        ("host1->switch0", 8 * 10**9, 100_000),
    ]
    assert network.route(0, 1) == [0, 1]


def connected(*edges: tuple[str, str], **attributes: str) -> str:
    """A graph of two hosts and two switches with these edges, one way."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(("x", "y"), kind="switch")
    graph.add_nodes_from(("a", "b", "c"), kind="host")
    graph.add_edges_from(edges, **attributes)
    return written(graph, edges="edges")


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        (("ax", "xa", "bx", "xb", "cy", "yc"), 'there is no path from node "a" to node "c"'),
        (("ax", "xb", "bx", "xc", "cx"), 'there is no path from node "b" to node "a"'),
        # Hosts pass nothing on.
        (("ab", "ba", "bc", "cb"), 'there is no path from node "a" to node "c"'),
    ],
)
def test_hosts_without_a_path_are_named_with_the_file(
    tmp_path: Path, edges: tuple[str, ...], message: str
) -> None:
    with pytest.raises(PlatformError, match=re.escape(message)) as caught:
        platform_of(tmp_path, connected(*((source, target) for source, target in edges)))
    assert "platform.toml:3: topology.file: " in str(caught.value)
    assert re.search(r"graph\.json:1: nodes\[[34]\]: there is no path", str(caught.value))


def test_two_networks_that_only_one_host_sees_are_refused_without_a_traceback(
    tmp_path: Path,
) -> None:
    ways = ("ax", "xa", "ay", "ya", "bx", "xb", "cy", "yc")
    platform = platform_of(tmp_path, connected(*((source, target) for source, target in ways)))
    with pytest.raises(PlatformError, match=r"platform\.toml: .*no path from host1 to host2"):
        examine(platform)


def test_attributes_that_mean_nothing_are_named_once(tmp_path: Path) -> None:
    ways = ("ax", "xa", "bx", "xb", "cx", "xc")
    text = connected(*((source, target) for source, target in ways), bandwith="1 Gb/s")
    (warning,) = platform_of(tmp_path, text).warnings
    assert re.search(r"graph\.json:1: edges\[0\]\.bandwith: means nothing here; expected", warning)


def test_the_contents_decide_what_the_network_is(tmp_path: Path) -> None:
    canonical = []
    for number, seed in enumerate((1, 1, 2)):
        folder = tmp_path / str(number)
        folder.mkdir()
        canonical.append(platform_of(folder, written(random_network(seed), edges="edges")))
    same, again, other = (platform.canonical() for platform in canonical)
    assert same == again != other
    json.dumps(same)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{\n\n,", "graph.json:3: no valid JSON: Expecting property name"),
        ("[]", "graph.json:1: expected an object, found an array"),
        ("{}", '"nodes" is missing; expected node-link JSON with "nodes" and "edges"'),
        ('{"nodes": 3}', "graph.json:1: nodes: expected a list, found the number 3"),
        ('{"nodes": []}', 'expected at least one node with kind "host", found none'),
        ('{"nodes": [null]}', "nodes[0]: expected an object, found null"),
        ('{"nodes": [{}]}', 'nodes[0]: "id" is missing'),
        (
            '{"nodes": [{"id": 1}]}',
            'nodes[0].kind: is missing at the node with id 1; expected "host" or "switch"',
        ),
        (
            '{"nodes": [{"id": 1, "kind": "router"}]}',
            'nodes[0].kind: found the text "router" at the node with id 1; expected "host"',
        ),
        (
            '{"nodes": [{"id": 1, "kind": "host"}, {"id": 1, "kind": "host"}]}',
            "nodes[1]: a node with id 1 stood before",
        ),
        (
            '{"nodes": [{"id": 1, "kind": "host"}], "edges": [{"source": 1, "target": 2}]}',
            "edges[0].target: there is no node with id 2",
        ),
        (
            '{"nodes": [{"id": 1, "kind": "host"}], "links": [{"source": 1, "target": 1}]}',
            "links[0]: begins and ends at the same node",
        ),
        (
            '{"nodes": [{"id": 1, "kind": "host"}, {"id": 2, "kind": "host"}], '
            '"edges": [{"source": 1, "target": 2, "latency": 5}]}',
            "edges[0].latency: the number 5 has no unit; expected a duration",
        ),
        ('{"nodes": [{"id": 1, "kind": "host"}], "directed": 1, "edges": []}', " directed: exp"),
    ],
)
def test_mistakes_name_the_file_and_what_was_expected(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(PlatformError) as caught:
        platform_of(tmp_path, text)
    (problem,) = caught.value.problems
    assert (problem.line, problem.key) == (3, "topology.file")
    assert "graph.json" in problem.message
    assert message in problem.message


GRAPH = """\
{
  "directed": false,
  "nodes": [
    {"id": "a", "kind": "host"},
    {
      "id": "b",
      "kind": "host"
    }
  ],
  "edges": [
    {"source": "a", "target": "b"},
    {
      "source": "b",
      "target": "a",
      "latency": "5 ns"
    }
  ]
}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "place"),
    [
        ("false", "3", "2: directed"),
        ('"kind": "host"}', '"kind": "hots"}', "4: nodes[0].kind"),
        ('"id": "b"', '"id": "a"', "5: nodes[1]"),
        ('"kind": "host"\n', '"kind": "hots"\n', "7: nodes[1].kind"),
        ('"target": "b"', '"target": "c"', "11: edges[0].target"),
        ('"source": "b",', "", "12: edges[1]"),
        ("5 ns", "5 bits", "15: edges[1].latency"),
        # Of two `json` takes the second.
        ('"latency": "5 ns"', '"latency": "1 ns",\n"latency": 5', "16: edges[1].latency"),
    ],
)
def test_mistakes_name_their_line(right: str, wrong: str, place: str) -> None:
    assert parse_graph(GRAPH, "graph.json").hosts == ("a", "b")
    with pytest.raises(AttachmentError) as caught:
        parse_graph(GRAPH.replace(right, wrong), "graph.json")
    assert str(caught.value).startswith(f"graph.json:{place}: ")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "platform.toml").write_text(PLATFORM)
    with pytest.raises(PlatformError, match=r"cannot read .*graph\.json: No such file"):
        load_platform(tmp_path / "platform.toml")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["nodes", "edges", "links", "id", "kind", "source", "target", "latency", "directed"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


def parsed_or_refused(text: str) -> None:
    """Nothing but a graph or an error with the file's name comes out."""
    refused = ""
    try:
        graph = parse_graph(text, "graph.json")
        assert isinstance(graph, GraphFile)
        json.dumps(graph.canonical())
    except AttachmentError as error:
        refused = str(error)
    assert refused.startswith("graph.json") or not refused


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    parsed_or_refused(text)


@given(JSON)
def test_any_json_is_read_or_refused(document: object) -> None:
    parsed_or_refused(json.dumps(document))


@given(st.integers(0, 10**6))
def test_damaged_graphs_are_read_or_refused(seed: int) -> None:
    dice = random.Random(seed)
    text = list(written(random_network(3), edges="edges"))
    for _ in range(dice.randint(1, 5)):
        text[dice.randrange(len(text))] = dice.choice('{}[],:"0e-nk ')
    parsed_or_refused("".join(text))


def test_deep_nesting_is_refused() -> None:
    parsed_or_refused("[" * 100_000)
    for depth in range(800, 1000):
        deep = "[" * depth + "]" * depth
        parsed_or_refused(f'{{"nodes": [{{"id": {deep}, "kind": "host"}}, {deep}, 7]}}')
