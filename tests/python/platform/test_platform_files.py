"""The platform files that come with Kumihimo."""

import pytest
from platform_texts import PLATFORMS

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
    assert {"star4", "star64", "star256", "star512", "crossbar16", "tree64", "tree256"} <= names


def test_the_small_machine() -> None:
    star4 = load_platform(PLATFORMS / "star4.toml")
    assert star4.machine_spec()["link"] == {"bandwidth_bps": 5 * 10**9, "latency_ps": 100_000}
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
