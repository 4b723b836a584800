"""The platform files that come with Kumihimo."""

import pytest
from platform_texts import PLATFORMS

from kumihimo._core import search_ps
from kumihimo.platform import load_platform

FILES = sorted(PLATFORMS.glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_files_are_platforms_called_as_the_file(file: object) -> None:
    platform = load_platform(str(file))
    assert platform.file == str(file)
    assert platform["name"] == platform.file.rpartition("/")[2].removesuffix(".toml")
    assert platform["description"]


def test_the_files_people_are_told_of_exist() -> None:
    names = {file.stem for file in FILES}
    told = {"star4", "star64", "star256", "star512", "fully_connected16", "tree64", "tree256"}
    assert told <= names


def test_the_small_network() -> None:
    star4 = load_platform(PLATFORMS / "star4.toml")
    assert star4.network_spec()["host_link"] == {"bandwidth_bps": 5 * 10**9, "latency_ps": 100_000}
    assert star4.config()["node_flops"] == 4_800_000_000


@pytest.mark.parametrize("hosts", [64, 256, 512])
def test_the_stars_of_the_comparison_are_alike(hosts: int) -> None:
    star = load_platform(PLATFORMS / f"star{hosts}.toml")
    assert star["topology.hosts"] == hosts
    assert star["link.bandwidth"] == 8 * 12_500_000_000
    assert star["link.latency"] == 500_000
    assert all(star[f"mpi.{side}_overhead"] == 0 for side in ("send", "receive"))


@pytest.mark.parametrize(("hosts", "share"), [(64, 2), (256, 1)])
def test_the_trees_have_the_bandwidth_they_state(hosts: int, share: int) -> None:
    tree = load_platform(PLATFORMS / f"tree{hosts}.toml")
    assert int(tree["topology.leaves"]) * int(tree["topology.hosts_per_leaf"]) == hosts
    assert tree["topology.hosts_per_leaf"] == share * int(tree["topology.spines"])


@pytest.mark.parametrize(
    ("name", "model", "by"),
    [
        ("dimmnet2", "dimmnet2", "host"),
        ("dimmnet2-lhs", "lhs", "host"),
        ("qsnet2", "elan4", "interface"),
        ("qsnet2-alpu", "alpu", "interface"),
        ("connectx", "connectx", "interface"),
        ("connectx-hashed", "hashed", "host"),
        ("slingshot", "custom", "interface"),
    ],
)
def test_each_published_model_of_matching_has_a_platform(name: str, model: str, by: str) -> None:
    platform = load_platform(PLATFORMS / f"{name}.toml")
    assert (platform["mpi.matching.model"], platform["mpi.matching.by"]) == (model, by)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("dimmnet2", "dimmnet2-lhs"),
        ("qsnet2", "qsnet2-alpu"),
        ("connectx", "connectx-hashed"),
    ],
)
def test_platforms_of_one_kind_differ_in_matching_only(name: str, other: str) -> None:
    def rest(name: str) -> dict[str, object]:
        canonical = load_platform(PLATFORMS / f"{name}.toml").canonical()
        return {
            key: value
            for key, value in canonical.items()
            if key not in ("name", "description") and not key.startswith("mpi.matching.")
        }

    assert rest(name) == rest(other)


def test_software_matches_what_has_no_list_entry_on_slingshot() -> None:
    """20 ns for each search, 5 ns for each of 16,384 entries, 30 ns for each one beyond."""
    config = load_platform(PLATFORMS / "slingshot.toml").config()
    for queue in ("posted", "unexpected"):
        assert search_ps(config, queue, 16_384) == 20_000 + 16_384 * 5_000
        assert search_ps(config, queue, 16_385) == 20_000 + 16_384 * 5_000 + 30_000
