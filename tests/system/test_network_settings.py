"""Real programs, finite buffers, non-minimal routes: the same output as natively."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from jobs import BIN, BY_NAME, MPICH, command_of, run_native, run_simulated

RANKS = 8
# A packet, or little more: whatever is sent fills them.
_TEMPLATE = """
[topology]
{topology}
[link]
bandwidth = "10 Gb/s"
latency = "500 ns"
[network]
packet_size = "1 KiB"
packet_header = "26 B"
flow_control = "credits"
buffer = "{buffer}"
{settings}
[node]
speed = "1 Gflop/s"
"""
TORUS = 'kind = "torus"\nsizes = [5, 3]\nhosts_per_switch = 1'
FAT_TREE = 'kind = "fat_tree"\nchildren = [4, 2]\nparents = [1, 2]'
DRAGONFLY = (
    'kind = "dragonfly"\ngroups = 5\nswitches_per_group = 2\nglobal_links_per_switch = 2\n'
    "hosts_per_switch = 1"
)
SETTINGS = {
    "torus": (TORUS, ""),
    "fat_tree": (FAT_TREE, 'arbitration = "first_come"'),
    "dragonfly": (DRAGONFLY, 'routing = "minimal"'),
    "dragonfly-valiant": (DRAGONFLY, 'routing = "valiant"'),
    "dragonfly-ugal": (DRAGONFLY, 'routing = "ugal"'),
}


def write_platform(folder: Path, topology: str, settings: str, buffer: str = "2 KiB") -> Path:
    """Write a platform file and return its path."""
    path = folder / "platform.toml"
    path.write_text(_TEMPLATE.format(topology=topology, settings=settings, buffer=buffer))
    return path


@pytest.mark.parametrize(
    ("network", "program", "mpi_name", "ranks"),
    [
        *((network, "collectives", "mpich", RANKS) for network in SETTINGS),
        ("torus", "collectives", "openmpi", RANKS),
        # Would fail if messages of a pair overtook each other.
        ("torus", "ordering", "mpich", 4),
        ("dragonfly-valiant", "ordering", "mpich", 4),
        ("dragonfly-ugal", "rma_fence", "mpich", 4),
    ],
)
def test_same_output(network: str, program: str, mpi_name: str, ranks: int, tmp_path: Path) -> None:
    mpi = BY_NAME[mpi_name]
    command = command_of(mpi, program)
    platform = write_platform(tmp_path, *SETTINGS[network])
    job = run_simulated(mpi, ranks, command, tmp_path / "result", platform=platform)
    assert job.stdout == run_native(mpi, ranks, command)
    assert job.result["status"] == "complete"
    assert job.result["totals"]["messages"] > 0
    assert job.result["virtual_time_ps"] > 0


def test_the_seed_decides_the_routes(tmp_path: Path) -> None:
    command = command_of(MPICH, "collectives")
    platform = write_platform(tmp_path, DRAGONFLY, 'routing = "valiant"')
    hashes = [
        run_simulated(
            MPICH,
            RANKS,
            command,
            tmp_path / f"result{number}",
            platform=platform,
            options=("--seed", seed),
        ).result["event_hash"]
        for number, seed in enumerate(("1", "1", "2"))
    ]
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_deadlocked_network_is_named(tmp_path: Path) -> None:
    platform = write_platform(
        tmp_path,
        'kind = "torus"\nsizes = [8]\nhosts_per_switch = 1',
        "virtual_channels = 1",
        "1050 B",
    )
    ended = subprocess.run(
        [
            *(str(BIN / "kumihimo"), "run", "-n", "8", "--quiet", "--compute", "none"),
            *("--platform", str(platform), "--out", str(tmp_path / "result"), "--"),
            *command_of(MPICH, "collectives"),
        ],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert ended.returncode == 3, ended.stderr
    [message] = re.findall(r"^kumihimo: error: (.*)$", ended.stderr, re.MULTILINE)
    assert re.search(
        r"the network is deadlocked: the full buffers of \d+ links wait for each other in a "
        r"circle: switch\d->switch\d, .*virtual_channels",
        message,
    )
