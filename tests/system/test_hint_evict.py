"""`--service hint_evict`: connections of one kernel make room for those of the next."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs import BIN, MPICH, OPEN_MPI, WITH_TABLES, Job, Mpi, command_of, run, run_simulated
from services import CONNECTION, FINE, PLATFORM, POOL, memory_of, rows_of

RANKS, EXCHANGES = 8, 100
PACKET_PS = 150_000


def goal(steps: list[list[list[str]]]) -> str:
    """Return a schedule in which each rank has steps of operations, one after the other."""
    lines = [f"num_ranks {len(steps)}"]
    for rank, own in enumerate(steps):
        lines.append(f"rank {rank} {{")
        for number, step in enumerate(own):
            for part, operation in enumerate(step):
                lines.append(f"l{number}_{part}: {operation}")
                before = range(len(own[number - 1])) if number > 0 else ()
                lines.extend(f"l{number}_{part} requires l{number - 1}_{each}" for each in before)
        lines.append("}")
    return "\n".join(lines) + "\n"


def two_kernels(exchanges: int, size: int, rounds: int, shape: str) -> str:
    """Return what the program `two_kernels` does."""
    steps: list[list[list[str]]] = []
    for rank in range(RANKS):
        own: list[list[str]] = []
        for kernel in range(2 * rounds):
            distance = 1 + kernel % 2
            to = (rank + distance) % RANKS if shape == "ring" else rank ^ distance
            source = (rank - distance) % RANKS if shape == "ring" else rank ^ distance
            exchange = [f"recv {size}b from {source} tag 1", f"send {size}b to {to} tag 1"]
            own += [["hint IN_KERNEL 1"], *([exchange] * exchanges), ["hint IN_KERNEL 0"]]
        steps.append(own)
    return goal(steps)


def draw_targets(choose: random.Random) -> list[int]:
    """Return to which rank each sends: none to itself."""
    ring = choose.sample(range(RANKS), RANKS)
    following = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
    return [following[rank] for rank in range(RANKS)]


def draw_kernels(seed: int) -> tuple[str, str]:
    """Return a file for the program `drawn_kernels`, and a schedule that does the same."""
    choose = random.Random(seed)
    lines: list[str] = []
    steps: list[list[list[str]]] = [[] for _ in range(RANKS)]

    def pass_border(value: int, mask: int) -> None:
        lines.append(f"hint {value} {mask}")
        for rank in range(RANKS):
            if mask >> rank & 1:
                steps[rank].append([f"hint IN_KERNEL {value}"])

    for _ in range(8):
        mask = choose.choice([255, choose.randrange(256)])
        pass_border(1, mask)
        few = [draw_targets(choose) for _ in range(choose.choice([1, 2, 3]))]
        for _ in range(choose.choice([3, 8, 20])):
            targets = choose.choice(few)
            size = choose.choice([0, 100, 5_000, 20_000, 70_000])
            lines.append(" ".join(map(str, ("shift", size, *targets))))
            for rank, to in enumerate(targets):
                source = targets.index(rank)
                operations = [f"recv {size}b from {source} tag 1", f"send {size}b to {to} tag 1"]
                steps[rank].append(operations)
        pass_border(0, mask)
    return "\n".join(lines) + "\n", goal(steps)


def run_kernels(
    folder: Path,
    service: str,
    *arguments: str,
    cap: int = 1,
    setup: str = "0 ns",
    mpi: Mpi = MPICH,
    mpi_keys: str = "",
    options: tuple[str, ...] = (),
    before: tuple[str, ...] = (),
    name: str = "two_kernels",
) -> Job:
    folder.parent.mkdir(exist_ok=True)
    platform = folder.parent / f"{folder.name}.toml"
    keys = f'kind = "{service}"\nconnection_cap = {cap}\nmessages_before = 0\n'
    platform.write_text(f'{PLATFORM}{mpi_keys}[mpi.service]\n{keys}setup_time = "{setup}"\n')
    program = command_of(mpi, name, *arguments)
    options = (*WITH_TABLES, *options)
    job = run_simulated(
        mpi, RANKS, program, folder, platform=platform, options=options, before=before
    )
    assert job.stdout == FINE
    return job


def time_ps(job: Job) -> int:
    return int(job.result["virtual_time_ps"])


@pytest.mark.parametrize("setup_us", [0, 20])
def test_a_kernel_gets_the_connections_of_the_one_before(setup_us: int, tmp_path: Path) -> None:
    """With a cap of one, both kernels are as fast as without a cap."""
    setup, size, packets = f"{setup_us} us", "5000", 3
    free = run_kernels(tmp_path / "free", "hint", str(EXCHANGES), size, cap=32, setup=setup)
    hint = run_kernels(tmp_path / "hint", "hint", str(EXCHANGES), size, setup=setup)
    evict = run_kernels(tmp_path / "evict", "hint_evict", str(EXCHANGES), size, setup=setup)
    told = ("--traffic", str(hint.folder))
    oracle = run_kernels(tmp_path / "oracle", "oracle", str(EXCHANGES), size, options=told)
    # A notice of 32 B leaves just before the message, unless that waits for its packets.
    notice_ps = -(-32 * 8000 * 10 // 545) if setup_us == 0 else 0
    assert time_ps(evict) == time_ps(free) + notice_ps
    # The second kernel by datagrams; what is sent while a connection is set up is anyway.
    (by_connection,) = {row["by_connection"] for row in rows_of(free)}
    assert by_connection == 2 * EXCHANGES if setup_us == 0 else 2 * EXCHANGES - 16
    assert time_ps(hint) == time_ps(free) + by_connection // 2 * 2 * packets * PACKET_PS
    # The oracle keeps what it has, the same for both kernels, and needs no set-up.
    assert time_ps(oracle) > time_ps(evict) + 70 * 2 * packets * PACKET_PS
    for row in rows_of(evict):
        assert (row["asked"], row["accepted"], row["refused"]) == (2, 0, 0)
        assert (row["closed"], row["closings"], row["most_connections"]) == (1, 1, 1)
        assert row["memory_bytes"] == POOL + CONNECTION
    for rank in range(RANKS):
        found = [row for row in memory_of(evict.folder) if row["rank"] == rank]
        assert [row["connections"] for row in found] == [0, 1, 1]
        assert [row["closed"] for row in found] == [0, 0, 1]
        assert [row["memory_bytes"] - POOL for row in found] == [0, CONNECTION, CONNECTION]
    assert evict.result["service"]["closings"] == evict.result["service"]["closed"] == RANKS
    assert "; 8 connections closed" in " ".join(evict.stderr.split())
    control = [job.result["totals"]["control_messages"] for job in (evict, free)]
    assert control == [RANKS, 0]


def outcome(folder: Path, result: dict[str, Any]) -> tuple[Any, ...]:
    keys = ("event_hash", "virtual_time_ps", "service")
    rows = pq.read_table(folder / "service.parquet").to_pylist()
    return (*(result[key] for key in keys), rows, memory_of(folder))


INTERFACE = '[mpi.matching]\nmodel = "lhs"\nby = "interface"\n'


@pytest.mark.parametrize(
    ("shape", "cap", "size", "more"),
    [
        ("pairs", 1, 5_000, ""),
        ("ring", 1, 100_000, ""),
        ("ring", 2, 5_000, ""),
        ("ring", 2, 100_000, INTERFACE),
    ],
)
def test_a_replay_is_as_the_program(
    shape: str, cap: int, size: int, more: str, tmp_path: Path
) -> None:
    program = ("20", str(size), "3", shape)
    keys: dict[str, Any] = {"cap": cap, "setup": "10 us", "mpi_keys": more}

    def run_one(name: str, *options: str, before: tuple[str, ...] = ()) -> tuple[Any, ...]:
        folder = tmp_path / name
        job = run_kernels(folder, "hint_evict", *program, **keys, options=options, before=before)
        rows_of(job)
        return outcome(folder, job.result)

    first = run_one("run")
    closings = first[2]["closings"]
    assert closings >= (5 if cap == 2 or shape == "pairs" else 1) * RANKS, closings
    schedule = tmp_path / "kernels.goal"
    schedule.write_text(two_kernels(20, size, 3, shape))
    folder = tmp_path / "replay"
    command = [str(BIN / "kumihimo"), "replay", str(schedule)]
    run([*command, "-p", str(tmp_path / "run.toml"), "--out", str(folder)])
    assert outcome(folder, json.loads((folder / "result.json").read_text())) == first
    assert run_one("two", "--cores", "2") == first
    for early in ("on", "off"):
        assert run_one(early, before=("env", f"KUMI_RUN_AHEAD={early}")) == first


@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_kernels_a_replay_is_as_the_program(seed: int, tmp_path: Path) -> None:
    text, schedule = draw_kernels(seed)
    (tmp_path / "kernels.txt").write_text(text)
    (tmp_path / "kernels.goal").write_text(schedule)
    choose = random.Random(seed)
    keys: dict[str, Any] = {
        "cap": choose.choice([1, 2, 3]),
        "setup": choose.choice(["0 ns", "2 us", "10 us"]),
        "mpi_keys": INTERFACE if seed % 3 == 2 else "",
        "name": "drawn_kernels",
    }
    file = str(tmp_path / "kernels.txt")
    job = run_kernels(tmp_path / "run", "hint_evict", file, **keys)
    rows_of(job)
    first = outcome(job.folder, job.result)
    assert first[2]["closings"] > 0
    command = [str(BIN / "kumihimo"), "replay", str(tmp_path / "kernels.goal")]
    run([*command, "-p", str(tmp_path / "run.toml"), "--out", str(tmp_path / "replay")])
    result = json.loads((tmp_path / "replay" / "result.json").read_text())
    assert outcome(tmp_path / "replay", result) == first
    off = ("env", "KUMI_RUN_AHEAD=off")
    other = run_kernels(
        tmp_path / "two", "hint_evict", file, **keys, options=("--cores", "2"), before=off
    )
    assert outcome(other.folder, other.result) == first


def test_it_repeats_with_the_other_library(tmp_path: Path) -> None:
    def run_one(name: str, *options: str, before: tuple[str, ...] = ()) -> tuple[Any, ...]:
        job = run_kernels(
            *(tmp_path / name, "hint_evict", "20", "5000", "3", "ring"),
            cap=2,
            setup="3 us",
            mpi=OPEN_MPI,
            options=options,
            before=before,
        )
        return outcome(job.folder, job.result)

    first = run_one("first")
    assert first[2]["closings"] > 0
    assert run_one("two", "--cores", "2") == first
    assert run_one("in_time", before=("env", "KUMI_RUN_AHEAD=off")) == first
