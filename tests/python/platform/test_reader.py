"""Platform files that are right, and every way in which they can be wrong."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from platform_texts import STAR, TREE, parse, problems

from kumihimo.errors import UserError
from kumihimo.platform import PlatformError, Problem, load_platform, parse_platform
from kumihimo.platform.network import build_network


def test_a_star_with_defaults() -> None:
    platform = parse(STAR)
    assert platform.name == "small"
    assert platform.network_spec() == {
        "topology": "star",
        "parameters": {"hosts": 4},
        "host_link": {"bandwidth_bps": 5_000_000_000, "latency_ps": 100_000},
        "switch_latency_ps": 0,
        "packet_bytes": 0,
        "packet_header_bytes": 0,
        "loopback": {"bandwidth_bps": 100_000_000_000, "latency_ps": 200_000},
    }
    assert platform.config() == {
        "eager_limit_bytes": 65_536,
        "send_completion": "sent",
        "control_bytes": 32,
        "start_bytes": 8,
        "start_rule": "corrected",
        "send_overhead_ps": 0,
        "receive_overhead_ps": 0,
        "match_cost_ps": 0,
        "poll_cost_ps": 50_000,
        "clock_cost_ps": 50_000,
        "node_flops": 4_800_000_000,
        "ranks_per_host": 1,
        "cores_per_host": 1,
    }


def test_a_tree_whose_switch_links_are_as_its_links() -> None:
    spec = parse(TREE).network_spec()
    assert spec["parameters"] == {"leaves": 4, "hosts_per_leaf": 16, "spines": 2}
    assert spec["switch_link"] == spec["host_link"]


def test_every_key_spelt_out() -> None:
    text = TREE.replace("[node]\n", "[node]\ncores = 2\n") + (
        '[link.channel]\nmodulation = "pam4"\nsymbol_rate = "50 GBd"\nlanes = 2\n'
        'fec = "rs544"\nfec_latency = "80 ns"\n'
        '[host_link.channel]\nmodulation = "none"\n'
        '[host_link]\nbandwidth = "10 Gb/s"\nlatency = "2 us"\n'
        '[switch_link.channel]\nmodulation = "none"\n'
        '[switch_link]\nbandwidth = "40 Gb/s"\nlatency = "1 us"\n'
        '[switch]\nlatency = "90 ns"\n'
        '[network]\npacket_size = "4 KiB"\npacket_header = "26 B"\n'
        'flow_control = "credits"\nbuffer = "1 MiB"\nvirtual_channels = 2\n'
        'arbitration = "first_come"\n'
        '[loopback]\nbandwidth = "1 Tb/s"\nlatency = "1 ps"\n'
        '[link_power]\npreset = "none"\n'
        '[mapping]\nkind = "round_robin"\n'
        '[mpi.matching]\nmodel = "list"\n'
        '[mpi.service]\nkind = "none"\n'
        '[mpi.collectives]\nmode = "library"\njitter = "1 ns"\n'
        '[mpi]\neager_limit = "1 MiB"\nsend_completion = "delivered"\n'
        'control_size = "64 B"\nsend_overhead = "1 us"\n'
        'synchronise_size = "0 B"\nsynchronise_rule = "printed"\n'
        'receive_overhead = "2 us"\nmatch_cost = "3 ns"\npoll_cost = "4 ns"\nclock_cost = "5 ns"\n'
    )
    platform = parse(text)
    assert not any(
        setting.is_default
        for path, setting in platform.settings.items()
        if path not in ("name", "description", "node.ranks")
    )
    assert platform.network_spec()["switch_link"] == {
        "bandwidth_bps": 40_000_000_000,
        "latency_ps": 1_000_000,
    }
    assert platform.network_spec()["packet_bytes"] == 4096
    assert platform.config()["receive_overhead_ps"] == 2_000_000
    assert platform["mpi.match_cost"] == 3_000


def test_a_fully_connected_network_has_no_switches() -> None:
    text = STAR.replace('"star"', '"fully_connected"')
    assert "switch.latency" not in parse(text).settings
    assert parse(text).network_spec()["switch_latency_ps"] == 0
    assert problems(text + '[switch]\nlatency = "1 ns"\n') == [
        (
            13,
            "switch",
            'applies only with topology.kind = "star" or "tree" or "torus" or "mesh" or "fat_tree" '
            'or "butterfly" or "dragonfly" or "graph", but it is "fully_connected"',
        )
    ]


def test_name_of_the_file_if_none_is_given() -> None:
    assert parse_platform(TREE, "some/where/big.toml").name == "big"


def test_dotted_keys_and_inline_tables_say_the_same() -> None:
    text = (
        'name = "other"\nnode.speed = "4.8 Gflop/s"\ntopology = { kind = "star", hosts = 4 }\n'
        'link.bandwidth = "0.625 GB/s"\nlink.latency = "0.1 us"\n'
    )
    assert parse(text).canonical() == parse(STAR).canonical()


def test_canonical_form_holds_what_changes_results_only() -> None:
    same = STAR.replace("small", "other") + '[mpi]\npoll_cost = "0.05 us"\n'
    assert parse(same).canonical() == parse(STAR).canonical()
    assert list(parse(STAR).canonical()) == sorted(parse(STAR).canonical())
    different = STAR + '[mpi]\npoll_cost = "51 ns"\n'
    assert parse(different).canonical() != parse(STAR).canonical()


@pytest.mark.parametrize(
    ("change", "line", "key", "message"),
    [
        (("bandwidth", "bandwith"), 8, "link.bandwith", "did you mean link.bandwidth?"),
        (("[link]", "[lnik]"), 7, "lnik", "unknown section; did you mean [link]?"),
        (("hosts = 4", "hosts = 0"), 5, "topology.hosts", "from 1 to 4096, found 0"),
        (("hosts = 4", "hosts = -4"), 5, "topology.hosts", "from 1 to 4096, found -4"),
        (("hosts = 4", 'hosts = "4"'), 5, "topology.hosts", 'found the text "4"'),
        (("hosts = 4", "hosts = 4.0"), 5, "topology.hosts", "found the number 4.0"),
        (("hosts = 4", "hosts = true"), 5, "topology.hosts", "found the truth value true"),
        (("hosts = 4", "hosts = [4]"), 5, "topology.hosts", "found an array"),
        (("hosts = 4", "hosts.x = 4"), 5, "topology.hosts", "found a table"),
        (("hosts = 4", "hosts = 07:00:00"), 5, "topology.hosts", "found a date or time"),
        (
            ("[link]", "leaves = 4\n[link]"),
            7,
            "topology.leaves",
            'only with topology.kind = "tree"',
        ),
        (("hosts = 4\n", "\n"), 3, "topology.hosts", "missing in [topology]"),
        (('"star"', '"ring"'), 4, "topology.kind", 'one of "star", "fully_connected", "tree", '),
        (('"star"', "7"), 4, "topology.kind", "found the number 7"),
        (('kind = "star"', ""), 3, "topology.kind", "missing in [topology]"),
        (('"5 Gb/s"', '"0 Gb/s"'), 8, "link.bandwidth", 'at least 1 b/s, found "0 Gb/s"'),
        (('"5 Gb/s"', '"-5 Gb/s"'), 8, "link.bandwidth", "at least 1 b/s"),
        (('"5 Gb/s"', '"5 Gb"'), 8, "link.bandwidth", 'unknown unit "Gb" (did you mean Gb/s'),
        (('"5 Gb/s"', '"5 ns"'), 8, "link.bandwidth", 'unknown unit "ns"'),
        (('"5 Gb/s"', "5"), 8, "link.bandwidth", "the number 5 has no unit"),
        (('"5 Gb/s"', "[]"), 8, "link.bandwidth", "expected a rate"),
        (('"5 Gb/s"', '"2000 Tb/s"'), 8, "link.bandwidth", "at most 1000 Tb/s"),
        (('"100 ns"', '"-1 ns"'), 9, "link.latency", 'at least 0 ns, found "-1 ns"'),
        (('"100 ns"', '"0.5 ps"'), 9, "link.latency", "not a whole number of picoseconds"),
        (('"100 ns"', '"1e9 s"'), 9, "link.latency", "at most 86400 s"),
        (('"4.8 Gflop/s"', '"4.8 GFLOPS"'), 12, "node.speed", 'unknown unit "GFLOPS"'),
        (('name = "small"', "name = 1"), 1, "name", "expected a text on one line"),
        (('name = "small"', 'name = "a\\nb"'), 1, "name", "found control characters"),
        (('name = "small"', 'latency = "1 ns"'), 1, "latency", "did you mean link.latency or host"),
        (('name = "small"', "zzz = 1"), 1, "zzz", "expected in the top of the file: name, descr"),
        (("[node]", "[[node]]"), 11, "node", "expected one section [node], found [[node]]"),
        (("[node]", '[node]\n"link.x" = 1'), 12, "node.link.x", "unknown key"),
        (
            ("[node]", "[node]\ncolour = 1"),
            12,
            "node.colour",
            "expected in [node]: speed, ranks, cores",
        ),
    ],
)
def test_one_mistake(change: tuple[str, str], line: int, key: str, message: str) -> None:
    text = STAR.replace(*change, 1)
    assert text != STAR
    found = problems(text)
    assert (len(found), found[0][:2], message in found[0][2]) == (1, (line, key), True), found


def test_a_value_where_a_section_belongs() -> None:
    text = 'node = "fast"\n' + STAR[: STAR.index("[node]")]
    assert problems(text) == [(1, "node", 'expected one section [node], found the text "fast"')]


def test_a_misspelt_key_is_not_missing_too() -> None:
    assert [key for _, key, _ in problems(STAR.replace("bandwidth", "bandwith"))] == [
        "link.bandwith"
    ]
    assert [key for _, key, _ in problems(STAR.replace("[link]", "[lnik]"))] == ["lnik"]


@pytest.mark.parametrize(
    ("addition", "line", "key", "message"),
    [
        (
            '[switch_link]\nlatency = "1 ns"\n',
            13,
            "switch_link",
            'applies only with topology.kind = "tree"',
        ),
        (
            '[network]\npacket_size = "4 KiB"\npacket_header = "8 KiB"\n',
            15,
            "network.packet_header",
            "a header of 8 KiB is no smaller than the packet's payload of 4 KiB",
        ),
        ('[network]\npacket_size = "0 B"\n', 14, "network.packet_size", "at least 1 B"),
        ('[network]\npacket_size = "massage"\n', 14, "network.packet_size", 'or "message"'),
        ('[mpi]\npoll_cost = "0 ns"\n', 14, "mpi.poll_cost", "at least 1 ns"),
        ('[mpi]\neager_limit = "64"\n', 14, "mpi.eager_limit", '"64" has no unit'),
    ],
)
def test_one_addition(addition: str, line: int, key: str, message: str) -> None:
    found = problems(STAR + addition)
    assert (len(found), found[0][:2], message in found[0][2]) == (1, (line, key), True), found


def test_rules_of_trees() -> None:
    found = problems(TREE.replace("hosts_per_leaf = 16", "hosts_per_leaf = 2000"))
    assert found == [
        (
            4,
            "topology.hosts_per_leaf",
            "4 leaves with 2000 hosts each are 8000 hosts; expected at most 4096",
        )
    ]


def test_all_mistakes_are_reported_sorted_by_line() -> None:
    text = STAR.replace("hosts = 4", "hosts = 0").replace("latency", "latencyy")
    text += '[mpi]\npoll_cost = "x"\n[what]\n'
    with pytest.raises(PlatformError) as caught:
        parse(text)
    lines = str(caught.value).splitlines()
    assert lines[0] == "4 problems in the platform file"
    starts = [line.split(": ")[:2] for line in lines[1:]]
    assert starts == [
        ["platform.toml:5", "topology.hosts"],
        ["platform.toml:9", "link.latencyy"],
        ["platform.toml:14", "mpi.poll_cost"],
        ["platform.toml:15", "what"],
    ]


def test_an_unknown_kind_leaves_its_keys_alone() -> None:
    text = TREE.replace('"tree"', '"trie"') + '[switch_link]\nlatency = "1 parsec"\n'
    assert [key for _, key, _ in problems(text)] == ["topology.kind", "switch_link.latency"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[topology\n", 1, "Expected ']'"),
        ("name = 1\nname = 2\n", 2, "Cannot overwrite a value"),
        ('name = "x\n', 1, "Illegal character"),
        ("a = [1,\n\n", 1, "at the end of the file"),
        ("\n\nlink = {a = 1", 3, "at the end of the file"),
        ("a = " + "[" * 5000, 1, ""),
    ],
)
def test_syntax(text: str, line: int, message: str) -> None:
    found = problems(text)
    assert len(found) == 1
    assert (found[0][0], found[0][1]) == (line, "")
    assert message in found[0][2]


def test_lines_are_right_with_carriage_returns() -> None:
    text = STAR.replace("hosts = 4", "hosts = 0").replace("\n", "\r\n")
    assert problems(text)[0][:2] == (5, "topology.hosts")


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert problems(text)


CHANGES = st.text('abkl[]{}"=.#\n 0159', max_size=4)


@given(st.integers(0, len(STAR)), st.integers(0, 6), CHANGES)
def test_any_change_of_a_file_is_read_or_refused(at: int, length: int, new: str) -> None:
    text = STAR[:at] + new + STAR[at + length :]
    found: tuple[Problem, ...] = ()
    try:
        parse(text)
    except PlatformError as error:
        found = error.problems
    last_line = text.count("\n") + 1
    assert all(1 <= problem.line <= last_line and problem.message for problem in found)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read the platform file none\.toml: No such file"):
        load_platform("none.toml")
    with pytest.raises(UserError, match="Is a directory"):
        load_platform(tmp_path)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "binary.toml"
    file.write_bytes(b'name = "x"\nb = "\xff"\n')
    with pytest.raises(PlatformError, match=r"binary\.toml:2: the file is not UTF-8"):
        load_platform(file)


def test_links_at_hosts_differ_from_those_between_switches() -> None:
    plain = parse(TREE)
    said = parse(TREE + '[host_link]\nbandwidth = "10 Gb/s"\n')
    assert plain.network_spec()["host_link"] == plain.network_spec()["switch_link"]
    host, switch = (said.network_spec()[name] for name in ("host_link", "switch_link"))
    assert host == {**switch, "bandwidth_bps": 10_000_000_000}
    links = build_network(said).links
    rates = {
        at_host: {
            link["bandwidth_bps"]
            for link in links
            if at_host == ("host" in link["source"] + link["target"])
        }
        for at_host in (True, False)
    }
    assert rates == {True: {10_000_000_000}, False: {switch["bandwidth_bps"]}}


def test_a_default_of_links_alone_makes_no_other_network() -> None:
    """[link] goes nowhere itself where all classes of links are described."""
    classes = "".join(
        f'[{name}]\nbandwidth = "10 Gb/s"\nlatency = "1 us"\n'
        for name in ("host_link", "switch_link")
    )
    one, other = (parse(TREE.replace('"300 ns"', time) + classes) for time in ('"1 ns"', '"2 ns"'))
    assert one["link.latency"] != other["link.latency"]
    assert one.canonical() == other.canonical()


def test_where_all_links_are_at_hosts_there_is_one_section() -> None:
    ((line, key, message),) = problems(STAR + '[host_link]\nlatency = "1 us"\n')
    assert (line, key) == (13, "host_link")
    assert message.startswith('applies only with topology.kind = "tree" or ')
