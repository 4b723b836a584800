"""Which host each rank runs on."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumihimo import _core
from kumihimo.errors import UserError
from kumihimo.platform import Platform, PlatformError, parse_platform
from kumihimo.platform.network import build_network
from kumihimo.run.mapping import rank_hosts

PLATFORM = """\
[topology]
kind = "star"
hosts = {hosts}

[link]
bandwidth = "8 Gb/s"
latency = "100 ns"

[node]
speed = "1 Gflop/s"
ranks = {ranks}

[mapping]
"""


# Places of a random mapping with seed 1: two on each of four hosts.
GOLDEN = [3, 2, 0, 2, 0, 1, 3, 1]


def platform_of(mapping: str, hosts: int = 4, ranks: int = 2, folder: Path = Path()) -> Platform:
    """A star with that mapping, in a file of `folder`."""
    text = PLATFORM.format(hosts=hosts, ranks=ranks) + mapping
    return parse_platform(text, str(folder / "platform.toml"))


def listed(folder: Path, lines: str) -> Platform:
    """A platform whose mapping is a file with these lines."""
    (folder / "hosts.txt").write_text(lines)
    return platform_of('kind = "file"\nfile = "hosts.txt"', folder=folder)


def test_blocks_are_left_to_the_core() -> None:
    assert rank_hosts(platform_of(""), 4, 8, 0) is None
    assert rank_hosts(platform_of('kind = "block"'), 4, 8, 0) is None


def test_round_robin_deals_ranks_to_all_hosts() -> None:
    platform = platform_of('kind = "round_robin"')
    assert rank_hosts(platform, 4, 7, 0) == [0, 1, 2, 3, 0, 1, 2]


@given(st.integers(1, 9), st.integers(1, 4), st.integers(0, 2**32), st.data())
def test_random_places_are_used_once(
    hosts: int, per_host: int, seed: int, data: st.DataObject
) -> None:
    ranks = data.draw(st.integers(1, hosts * per_host))
    platform = platform_of('kind = "random"', hosts, per_host)
    found = rank_hosts(platform, hosts, ranks, seed)
    assert found is not None
    assert len(found) == ranks
    assert all(0 <= host < hosts and found.count(host) <= per_host for host in found)
    assert found == rank_hosts(platform, hosts, ranks, seed)


def test_the_seed_decides_random_places() -> None:
    platform = platform_of('kind = "random"', hosts=64, ranks=1)
    places = [rank_hosts(platform, 64, 64, seed) for seed in (1, 2)]
    assert places[0] != places[1]
    # The same on every computer and in every version.
    assert rank_hosts(platform_of('kind = "random"'), 4, 8, 1) == GOLDEN


def test_a_file_names_hosts(tmp_path: Path) -> None:
    platform = listed(tmp_path, "3 # the first\n\n1\n2\n3\n0\n")
    assert rank_hosts(platform, 4, 4, 0) == [3, 1, 2, 3]


def test_the_contents_of_the_file_belong_to_the_network(tmp_path: Path) -> None:
    one, same, other = (listed(tmp_path, lines) for lines in ("1\n2\n", "1\n\n2 # two\n", "2\n1\n"))
    assert one.canonical() == same.canonical() != other.canonical()


def test_a_file_with_too_few_lines_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"hosts\.txt: expected the hosts of 3 ranks, found 2"):
        rank_hosts(listed(tmp_path, "0\n1\n"), 4, 3, 0)


@pytest.mark.parametrize("line", ["-1", "host1", "1.5", "1 2", "99999999999"])
def test_a_wrong_line_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(PlatformError, match=rf'hosts\.txt:2: expected .* found "{line}"'):
        listed(tmp_path, f"0\n{line}\n")


def config_of(platform: Platform) -> dict[str, int | str]:
    """What the core asks for besides what the platform says."""
    return {
        **platform.config(),
        "host_speed_num": 1,
        "host_speed_den": 1,
        "compute_mode": "none",
        "detail": "summary",
        "seed": 0,
        "time_limit_ps": 0,
    }


def core_run(rank_hosts_: list[int], ranks: int = 4) -> _core.Run:
    """A run of the core on four hosts with room for two ranks each."""
    platform = platform_of("")
    network = _core.Network(platform.network_spec())
    return _core.Run(ranks, network, config_of(platform), "", rank_hosts_)


def test_the_core_puts_ranks_where_they_belong() -> None:
    rows = core_run([3, 1, 3, 0]).summary()["ranks"]
    assert [row["host"] for row in rows] == [3, 1, 3, 0]


def test_without_hosts_the_core_fills_them() -> None:
    rows = core_run([]).summary()["ranks"]
    assert [row["host"] for row in rows] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("hosts", "message"),
    [
        ([0, 1, 2], "hosts are named for 3 ranks, not for 4"),
        ([0, 1, 2, 4], "rank 3 is put on host 4, but hosts are 0 to 3"),
        ([1, 1, 0, 1], "host 1 has room for 2 ranks only, and more are put there"),
    ],
)
def test_the_core_refuses_impossible_hosts(hosts: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        core_run(hosts)


def test_a_host_that_is_not_there_is_named_with_file_and_line(tmp_path: Path) -> None:
    platform = listed(tmp_path, "# of four hosts\n0\n4\n")
    message = r"hosts\.txt:3: there is no host 4; hosts are 0 to 3"
    with pytest.raises(UserError, match=message):
        rank_hosts(platform, 4, 2, 0)
    with pytest.raises(UserError, match=message):
        build_network(platform)
