"""All five techniques in one run: links woken in time, services, errors, matching, schedules.

Each subset of them runs the same program. Integers arrive as they were sent, numbers do so unless
errors are allowed, and then only bits that the policy leaves open are wrong.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs import BY_NAME, MPICH, WITH_TABLES, Job, Mpi, command_of, run_simulated

SHAPES = {
    "torus": 'kind = "torus"\nsizes = [4, 4]\nhosts_per_switch = 1',
    "star": 'kind = "star"\nhosts = 8',
    "tree": 'kind = "tree"\nleaves = 4\nspines = 2\nhosts_per_leaf = 2',
    "dragonfly": 'kind = "dragonfly"\ngroups = 3\nswitches_per_group = 4\n'
    "global_links_per_switch = 1\nhosts_per_switch = 1",
}
PLATFORM = """\
[link]
latency = "50 ns"
[link.channel]
modulation = "qam1024"
symbol_rate = "25 GBd"
lanes = 4
bit_error_rate = 2e-4
[link_power]
preset = "matsuyama18"
[mpi]
eager_limit = "8 KiB"
send_overhead = "100 ns"
receive_overhead = "100 ns"
"""
# With the default, 300 µs, the program would be over before it has a connection.
SERVICE = '[mpi.service]\nsetup_time = "20 us"\n'
POLICY = '[[rule]]\ndatatype = "double"\nprotected_bits = 16\n'
# Of a number, relative: the first bit that is not protected is worth so much.
LARGEST_ERROR = 2.0**-4
TECHNIQUES: Mapping[str, tuple[str, ...]] = {
    "prewake": ("--link-power", "prewake", "--predict"),
    "service": ("--service", "hint"),
    "approx": ("--approx", "{policy}"),
    "matching": ("--matching", "elan4"),
    "scheduled": ("--collectives", "scheduled"),
}
SUBSETS = [
    frozenset(chosen)
    for size in range(len(TECHNIQUES) + 1)
    for chosen in itertools.combinations(TECHNIQUES, size)
]
ALL = frozenset(TECHNIQUES)
ROUNDS = 4


def name_of(subset: Collection[str]) -> str:
    return "+".join(name for name in TECHNIQUES if name in subset) or "none"


@dataclass(frozen=True)
class Braid:
    """What the program `braid` has printed, and the result."""

    job: Job
    integers: str
    numbers: str
    wrong_bits: int
    wrong_protected_bits: int
    block_error: float
    sum_error: float

    @property
    def result(self) -> dict[str, Any]:
        return self.job.result


def write_files(
    folder: Path, subset: Collection[str], shape: str = "torus", more: str = ""
) -> tuple[Path, Path]:
    """Write the platform, with what the techniques have of their own, and the policy."""
    folder.mkdir(parents=True, exist_ok=True)
    platform, policy = folder / f"{shape}.toml", folder / "policy.toml"
    service = SERVICE if "service" in subset else ""
    platform.write_text(f"[topology]\n{SHAPES[shape]}\n{PLATFORM}{service}{more}")
    policy.write_text(POLICY)
    return platform, policy


def options_of(subset: Collection[str], policy: Path) -> tuple[str, ...]:
    words = (word for name in TECHNIQUES if name in subset for word in TECHNIQUES[name])
    return tuple(word.format(policy=policy) for word in words)


def braid(
    folder: Path,
    subset: Collection[str],
    *,
    shape: str = "torus",
    ranks: int = 8,
    cores: int = 1,
    mpi: Mpi = MPICH,
    more: str = "",
) -> Braid:
    """Run the program with some of the techniques; `more` is added to the platform file."""
    platform, policy = write_files(folder, subset, shape, more)
    job = run_simulated(
        mpi,
        ranks,
        command_of(mpi, "braid", str(ROUNDS)),
        folder / f"{name_of(subset)}-{ranks}-{cores}",
        platform=platform,
        options=(
            *options_of(subset, policy),
            "--cores",
            str(cores),
            *(WITH_TABLES if subset == ALL else ()),
        ),
    )
    found = re.fullmatch(
        r"integers (\w+)\nnumbers (\w+)\nwrong bits (\d+)\nwrong protected bits (\d+)\n"
        r"largest error of blocks (\S+), of sums (\S+)\n",
        job.stdout,
    )
    assert found is not None, job.stdout
    return Braid(
        job, found[1], found[2], int(found[3]), int(found[4]), float(found[5]), float(found[6])
    )


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Mapping[int, Braid]:
    """The runs without any technique, by the number of ranks."""
    folder = tmp_path_factory.mktemp("plain")
    return {ranks: braid(folder, (), ranks=ranks) for ranks in (8, 16)}


def check_data(found: Braid, plain: Braid, subset: Collection[str], ranks: int) -> None:
    assert found.integers == plain.integers
    assert found.wrong_protected_bits == 0
    if "approx" not in subset:
        assert found.numbers == plain.numbers
        assert found.wrong_bits == 0
        return
    # The program sees what the links have made, but for bits that two links turned round.
    made = found.result["approximate"]["by_function"]["MPI_Sendrecv"]["wrong_bits"]
    assert 0 < 0.99 * made < found.wrong_bits <= made
    assert (made - found.wrong_bits) % 2 == 0
    assert found.numbers != plain.numbers
    assert 0 < found.block_error < LARGEST_ERROR
    # Errors of each step of a sum come on top of those of the steps before.
    assert 0 < found.sum_error < (1 + LARGEST_ERROR) ** math.ceil(math.log2(ranks)) - 1


def check_blocks(found: Braid, subset: Collection[str], ranks: int) -> None:
    """What is on has done something, and what is off has left no trace."""
    result = found.result
    power, matching = result["link_power"], result["matching"]
    assert power["policy"] == ("prewake" if "prewake" in subset else "always_on")
    assert (power["wake_frames"] > 0) == ("prewake" in subset)
    assert (power["total"]["wakes"] > 0) == ("prewake" in subset)
    assert (matching["time_ps"] > 0) == ("matching" in subset)
    blocks = {"service": "service", "approximate": "approx", "collectives": "scheduled"}
    assert {block for block in blocks if block in result} == {
        block for block, technique in blocks.items() if technique in subset
    }
    if "service" in subset:
        service = result["service"]
        assert service["kind"] == "hint"
        assert service["connections_asked"] > 0
        assert service["messages_by_connection"] > 0
        assert service["messages_by_datagrams"] > 0
    if "approx" in subset:
        approximate = result["approximate"]
        assert approximate["messages"] > 0
        assert set(approximate["by_datatype"]) == {"double"}
        assert sum(approximate["by_datatype"]["double"]["wrong_bits"][:16]) == 0
        # Integers, and the packets of synchronisations, which no rule knows.
        assert approximate["unruled"]["messages"] > 0
    if "scheduled" in subset:
        collectives = result["collectives"]
        barrier = collectives["functions"]["MPI_Barrier"]
        assert barrier["scheduled"]["calls"] == ranks * ROUNDS
        alltoall = collectives["functions"]["MPI_Alltoall"]
        calls = 2 * ranks * ROUNDS
        # Two in each round, four for what is printed. In a box of a torus all are scheduled.
        sums = collectives["functions"]["MPI_Allreduce"]
        in_box = sums["scheduled"]["calls"] > 0
        sums_of_rank = 2 * ROUNDS + 4
        by_schedule = {"calls": sums_of_rank * ranks}.items() <= sums["scheduled"].items()
        assert by_schedule or sums["library"]["shape"]["calls"] == sums_of_rank * ranks
        if ranks == 16:
            assert alltoall["scheduled"]["calls"] == calls
            # Along both dimensions of the torus a rank has three others.
            starts = ROUNDS * 3 + sums_of_rank
            assert collectives["synchronisations"] == starts
            assert collectives["packets"] == starts * ranks * 6
        else:
            assert alltoall["library"]["shape"]["calls"] == calls
            assert collectives["synchronisations"] == ROUNDS + in_box * sums_of_rank


@pytest.mark.parametrize("subset", SUBSETS, ids=name_of)
def test_every_subset(subset: frozenset[str], plain: Mapping[int, Braid], tmp_path: Path) -> None:
    first = braid(tmp_path / "on1", subset)
    check_data(first, plain[8], subset, 8)
    check_blocks(first, subset, 8)
    if len(subset) in (2, 3):
        return  # Random ones of these are compared on several cores by the torture.
    second = braid(tmp_path / "on2", subset, cores=2)
    assert second.job.stdout == first.job.stdout
    assert second.result == first.result


@pytest.mark.parametrize("subset", [s for s in SUBSETS if "scheduled" in s], ids=name_of)
def test_every_subset_with_a_schedule(
    subset: frozenset[str], plain: Mapping[int, Braid], tmp_path: Path
) -> None:
    """Ranks that fill the torus: MPI_Alltoall is scheduled as well."""
    found = braid(tmp_path, subset, ranks=16, cores=2)
    check_data(found, plain[16], subset, 16)
    check_blocks(found, subset, 16)


@pytest.mark.parametrize("mpi", BY_NAME)
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "torus"])
def test_all_five_on_other_shapes(shape: str, mpi: str, tmp_path: Path) -> None:
    without = braid(tmp_path / "plain", (), shape=shape, mpi=BY_NAME[mpi])
    jobs = [
        braid(tmp_path / f"all{cores}", ALL, shape=shape, cores=cores, mpi=BY_NAME[mpi])
        for cores in (1, 2)
    ]
    check_data(jobs[0], without, ALL, 8)
    check_blocks(jobs[0], ALL, 8)
    assert jobs[0].job.stdout == jobs[1].job.stdout
    assert jobs[0].result == jobs[1].result


@pytest.mark.parametrize("mpi", BY_NAME)
def test_all_five_on_ranks_that_fill_the_torus(mpi: str, tmp_path: Path) -> None:
    without = braid(tmp_path / "plain", (), ranks=16, mpi=BY_NAME[mpi])
    jobs = [
        braid(tmp_path / f"all{number}", ALL, ranks=16, cores=cores, mpi=BY_NAME[mpi])
        for number, cores in enumerate((1, 1, 2))
    ]
    check_data(jobs[0], without, ALL, 16)
    check_blocks(jobs[0], ALL, 16)
    assert jobs[0].result == jobs[1].result == jobs[2].result


@pytest.mark.parametrize(
    ("more", "is_scheduled"),
    [
        ('[network]\nflow_control = "credits"\nbuffer = "16 KiB"\npacket_size = "2 KiB"\n', True),
        ('[mapping]\nkind = "random"\n', True),
        ("[node]\nranks = 2\n", False),
    ],
    ids=["finite buffers", "random mapping", "two ranks a host"],
)
def test_all_five_in_other_settings(
    more: str, is_scheduled: bool, plain: Mapping[int, Braid], tmp_path: Path
) -> None:
    found = braid(tmp_path, ALL, ranks=16, more=more)
    check_data(found, plain[16], ALL, 16)
    functions = found.result["collectives"]["functions"]
    assert (functions["MPI_Alltoall"]["scheduled"]["calls"] > 0) == is_scheduled
    assert functions["MPI_Barrier"]["scheduled"]["calls"] == 16 * ROUNDS
    assert found.result["link_power"]["wake_frames"] > 0


def test_wake_frames_take_what_they_say(tmp_path: Path) -> None:
    """Also over links with errors: a frame is no message, whose bits would be protected."""
    size_bytes = 1000
    used = {}
    for kind in ("all_at_once", "hop_by_hop"):
        keys = f'wake_frames = "{kind}"\nwake_frame_size = "{size_bytes} B"\n'
        platform, policy = write_files(tmp_path / kind, ALL, "star")
        preset = 'preset = "matsuyama18"\n'
        text = platform.read_text()
        platform.write_text(text.replace(preset, f'{preset}wake_frames_from = "ranks"\n{keys}'))
        used[kind] = run_simulated(
            MPICH,
            8,
            command_of(MPICH, "braid", str(ROUNDS)),
            tmp_path / kind / "out",
            platform=platform,
            options=(*options_of(ALL, policy), *WITH_TABLES),
        )
    rows = {
        kind: pq.read_table(job.folder / "links.parquet").to_pylist() for kind, job in used.items()
    }
    more = {
        column: sum(row[column] for row in rows["hop_by_hop"])
        - sum(row[column] for row in rows["all_at_once"])
        for column in ("packets", "bytes")
    }
    # Two links each; frames for a round after the last are not sent.
    frames = used["hop_by_hop"].result["link_power"]["wake_frames"]
    assert 0.8 * 2 * frames < more["packets"] <= 2 * frames
    assert more["bytes"] == size_bytes * more["packets"]


@pytest.mark.parametrize("added", [("approx",), ("matching",), ("approx", "matching")])
def test_instants_count_what_others_add(added: tuple[str, ...], tmp_path: Path) -> None:
    """Exact messages take more of links with errors, and matching more of ranks. Steps are as much
    longer, and packets of a synchronisation are expected when they come."""
    platform, policy = write_files(tmp_path, added)
    job = run_simulated(
        MPICH,
        16,
        command_of(MPICH, "scheduled_alltoall", "4000", "3"),
        tmp_path / "out",
        platform=platform,
        options=options_of(("scheduled", *added), policy),
    )
    collectives = job.result["collectives"]
    assert collectives["functions"]["MPI_Alltoall"]["scheduled"]["calls"] == 3 * 16
    assert (collectives["largest_skew_ps"], collectives["missed"]) == (0, 0)


def test_datagrams_lengthen_steps(tmp_path: Path) -> None:
    platform, _ = write_files(tmp_path, {"service"})
    missed = {}
    for size_bytes in (100, 4000):
        job = run_simulated(
            MPICH,
            16,
            command_of(MPICH, "scheduled_alltoall", str(size_bytes), "2"),
            tmp_path / f"out{size_bytes}",
            platform=platform,
            options=("--service", "ud", *TECHNIQUES["scheduled"]),
        )
        assert job.result["service"]["packets"] > 0
        missed[size_bytes] = job.result["collectives"]["missed"]
    assert missed == {100: 0, 4000: 0}


def test_what_cannot_work_together_is_refused(tmp_path: Path) -> None:
    """Before anything starts, with both names and the reason."""
    platform, policy = write_files(tmp_path, ALL, "dragonfly", '[network]\nrouting = "valiant"\n')
    with pytest.raises(AssertionError, match=r"^status 2 ") as refused:
        run_simulated(
            MPICH,
            8,
            command_of(MPICH, "braid"),
            tmp_path / "out",
            platform=platform,
            options=options_of(ALL, policy),
        )
    assert 'network.routing: --approx needs "minimal": which links' in str(refused.value)
    assert not (tmp_path / "out").exists()
