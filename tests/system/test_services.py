"""`run --service`: connections, datagrams, memory, time, and that it repeats."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs import (
    BIN,
    BY_NAME,
    FULL,
    MPICH,
    OPEN_MPI,
    WITH_TABLES,
    Job,
    Mpi,
    command_of,
    run,
    run_native,
    run_simulated,
)
from services import CONNECTION, FINE, PLATFORM, POOL, SERVICES, memory_of, rows_of, run_service


def largest_memory_of(job: Job) -> int:
    return max(int(row["memory_bytes"]) for row in rows_of(job))


@pytest.mark.parametrize("mpi", BY_NAME)
def test_memory_by_number_of_peers(mpi: str, tmp_path: Path) -> None:
    memory = {
        (service, ranks): largest_memory_of(
            run_service(
                tmp_path / f"{service}{ranks}",
                service,
                mpi=BY_NAME[mpi],
                ranks=ranks,
                program=("services", "200", "10240", "all"),
            )
        )
        for service in SERVICES
        for ranks in (4, 8)
    }
    for ranks in (4, 8):
        # All ranks exchange with all others; the ring has two neighbours.
        assert memory["rc", ranks] == (ranks - 1) * CONNECTION
        assert memory["ud", ranks] == POOL
        assert memory["hybrid", ranks] == POOL + (ranks - 1) * CONNECTION
        assert memory["hint", ranks] == POOL + 2 * CONNECTION


def test_hybrid_keeps_to_the_cap_and_rc_sends_datagrams_beyond_it(tmp_path: Path) -> None:
    program = ("services", "200", "10240", "all")
    for service in ("rc", "hybrid"):
        keys = f'kind = "{service}"\nconnection_cap = 2\n'
        job = run_service(tmp_path / service, None, keys=keys, program=program, detail=FULL)
        rows = rows_of(job)
        assert max(row["asked"] for row in rows) == 2
        assert sum(row["refused"] for row in rows) > 0
        for row in rows:
            has_pool = service == "hybrid" or row["refused"] > 0
            assert row["pool_bytes"] == (POOL if has_pool else 0)
        assert job.result["service"]["messages_by_datagrams"] > 0
        assert job.result["service"]["messages_by_connection"] > 0
        assert "service" in job.cards


def test_a_budget_binds(tmp_path: Path) -> None:
    keys = f'kind = "hybrid"\nmemory_budget = "{POOL + CONNECTION} B"\n'
    rows = rows_of(run_service(tmp_path / "budget", None, keys=keys))
    assert all(row["asked"] <= 1 for row in rows)
    assert sum(row["refused"] for row in rows) > 0


@pytest.mark.parametrize(("mpi", "service"), [(mpi, each) for mpi in BY_NAME for each in SERVICES])
def test_it_repeats(mpi: str, service: str, tmp_path: Path) -> None:
    def outcome(
        name: str, *before: str, options: tuple[str, ...] = ()
    ) -> tuple[str, Any, list[dict[str, Any]], list[dict[str, Any]]]:
        job = run_service(
            tmp_path / name, service, mpi=BY_NAME[mpi], before=before, options=options
        )
        return job.result["event_hash"], job.result["service"], rows_of(job), memory_of(job.folder)

    first = outcome("first")
    assert outcome("in_time", "env", "KUMI_RUN_AHEAD=off") == first
    assert outcome("ahead", "env", "KUMI_RUN_AHEAD=on") == first
    assert outcome("two", options=("--cores", "2")) == first


def test_none_changes_nothing(tmp_path: Path) -> None:
    plain = run_service(tmp_path / "plain", None)
    none = run_service(tmp_path / "none", "none", keys='kind = "hybrid"\nconnection_cap = 2\n')
    for key in ("event_hash", "configuration_hash", "virtual_time_ps"):
        assert plain.result[key] == none.result[key]
    assert "service" not in plain.result
    assert not (plain.folder / "service.parquet").exists()
    free = run_service(tmp_path / "free", None, keys='kind = "rc"\nsetup_time = "0 ns"\n')
    assert free.result["event_hash"] == plain.result["event_hash"]


def test_a_ring_shift_by_datagrams_takes_half_as_long_again(tmp_path: Path) -> None:
    """As the study measured over InfiniBand FDR; the others are as fast as each other."""

    def shift_ps(service: str) -> float:
        few, many = (
            run_service(
                tmp_path / f"{service}{shifts}", service, program=("services", shifts), detail=()
            )
            for shifts in ("200", "400")
        )
        more_ps = int(many.result["virtual_time_ps"]) - int(few.result["virtual_time_ps"])
        return more_ps / 400

    times = {service: shift_ps(service) for service in SERVICES}
    for service, time_ps in times.items():
        print(f"{service}: {time_ps / 1e6:.3f} µs a shift, {time_ps / times['rc']:.3f} of rc")
    # Five packets at either end of 150 ns.
    assert times["ud"] - times["rc"] == pytest.approx(10 * 150_000, rel=1e-3)
    assert times["ud"] / times["rc"] == pytest.approx(1.5, rel=0.1)
    assert times["hybrid"] == times["hint"] == times["rc"]


def test_a_fetched_payload_is_paid_for_by_packets(tmp_path: Path) -> None:
    program = ("services", "5", "1000000")
    for service in SERVICES:
        rows_of(run_service(tmp_path / service, service, program=program))


@pytest.mark.parametrize(
    ("mpi", "program"),
    [(OPEN_MPI, "services_fortran"), (MPICH, "py_services"), (OPEN_MPI, "py_services")],
    ids=lambda value: getattr(value, "name", value),
)
def test_the_hint_in_every_language(mpi: Mpi, program: str, tmp_path: Path) -> None:
    job = run_service(tmp_path / "job", "hint", mpi=mpi, program=(program,), detail=())
    # None but the two neighbours in the ring.
    assert job.result["service"]["most_connections"] == 2
    assert "Service (hint): " in job.stderr
    assert run_native(mpi, 4, command_of(mpi, program)) == FINE


def test_impossible_keys_name_file_line_and_key(tmp_path: Path) -> None:
    for keys, expected in (
        ('kind = "rd"\n', "mpi.service.kind: expected one of"),
        ('kind = "rc"\nconnection_cap = 0\n', "mpi.service.connection_cap: "),
        ("connection_cap = 3\n", "mpi.service.connection_cap: applies only with"),
        ('kind = "ud"\nmemory_budget = "1 MiB"\n', "mpi.service.memory_budget: "),
    ):
        with pytest.raises(AssertionError) as caught:
            run_service(tmp_path / "wrong", None, keys=keys)
        line = PLATFORM.count("\n") + 1 + keys.count("\n")
        assert f"wrong.toml:{line}: {expected}" in str(caught.value)
        assert not (tmp_path / "wrong").exists()


def test_a_schedule_knows_no_service(tmp_path: Path) -> None:
    platform = tmp_path / "rc.toml"
    platform.write_text(PLATFORM + '[mpi.service]\nkind = "rc"\n')
    arguments = ["--schedule", str(tmp_path / "s.goal"), "-n", "4", "--platform", str(platform)]
    with pytest.raises(AssertionError, match="a schedule of messages knows no services"):
        run([str(BIN / "kumihimo"), "record", *arguments, "--", *command_of(MPICH, "services")])


def shifts_in_goal(ranks: int, shifts: int, size: int) -> str:
    """Return what the program `services` does without sums: two rounds of shifts in a region."""
    lines = [f"num_ranks {ranks}"]
    for rank in range(ranks):
        shift = [
            f"recv {size}b from {(rank - 1) % ranks} tag 7",
            f"send {size}b to {(rank + 1) % ranks} tag 7",
        ]
        steps = [["hint REPEATED 1"], [f"hint MEMORY_BUDGET {17 << 20}b"], ["hint IN_KERNEL 0"]]
        for _ in range(2):
            steps += [[f"hint IN_KERNEL {value}"] for value in (1, 1, 0)]
            steps += [shift] * shifts
            steps += [["hint IN_KERNEL 0"]]
        lines.append(f"rank {rank} {{")
        for number, step in enumerate(steps):
            for part, operation in enumerate(step):
                lines.append(f"l{number}_{part}: {operation}")
                before = range(len(steps[number - 1])) if number > 0 else ()
                lines.extend(f"l{number}_{part} requires l{number - 1}_{each}" for each in before)
        lines.append("}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("size", [10_240, 100_000])
@pytest.mark.parametrize("service", SERVICES)
def test_a_replay_is_as_the_program(service: str, size: int, tmp_path: Path) -> None:
    keys = f'kind = "{service}"\nconnection_cap = 1\n'
    program = ("services", "200", str(size), "none")
    job = run_service(tmp_path / "run", None, keys=keys, program=program)
    schedule = tmp_path / "shifts.goal"
    schedule.write_text(shifts_in_goal(8, 200, size))
    folder = tmp_path / "replay"
    command = [str(BIN / "kumihimo"), "replay", str(schedule)]
    command += ["-p", str(tmp_path / "run.toml"), "--out", str(folder)]
    assert f"Service ({service}): " in run(command).stderr
    found = json.loads((folder / "result.json").read_text())
    for key in ("event_hash", "virtual_time_ps", "service"):
        assert found[key] == job.result[key], key
    assert pq.read_table(folder / "service.parquet").to_pylist() == rows_of(job)
    assert memory_of(folder) == memory_of(job.folder)


def test_a_replay_takes_the_service_of_the_option(tmp_path: Path) -> None:
    platform = tmp_path / "platform.toml"
    platform.write_text(PLATFORM)
    command = [str(BIN / "kumihimo"), "replay", "--pattern", "alltoall/pairwise", "-n", "8"]
    command += [
        "-b",
        "64 B",
        "-p",
        str(platform),
        "--service",
        "rc",
        "--out",
        str(tmp_path / "out"),
    ]
    run(command)
    found = json.loads((tmp_path / "out" / "result.json").read_text())
    assert found["service"]["most_connections"] == 7
    assert found["service"]["largest_memory"]["bytes"] == 7 * CONNECTION


HINTS = """\
from mpi4py import MPI
from kumihimo.hint import hint

world = MPI.COMM_WORLD
assert hint("MEMORY_BUDGET", "budget") == hint("REPEATED", "2") == hint("MEMORY_BUDGET", "0") == -1
assert hint("MEMORY_BUDGET", "9 MiB") == hint("MEMORY_BUDGET", "5000") == 0
assert hint("MEMORY_BUDGET", "16400 KiB") == 0
for distance in range(1, world.size):
    world.sendrecv(0, (world.rank + distance) % world.size)
    world.sendrecv(0, (world.rank + distance) % world.size)
    if distance == 3:
        assert hint("MEMORY_BUDGET", "1 GiB") == hint("REPEATED", "1") == 0
print("services: all is as it must be") if world.rank == 0 else None
"""


def test_a_program_says_its_budget_and_what_is_repeated(tmp_path: Path) -> None:
    """The pool of 16 MiB and one connection, then all that are wanted at the first message."""
    script = tmp_path / "hints.py"
    script.write_text(HINTS)
    platform = tmp_path / "platform.toml"
    platform.write_text(PLATFORM + '[mpi.service]\nkind = "hybrid"\n')
    job = run_simulated(
        *(MPICH, 8, [sys.executable, str(script)], tmp_path / "out"),
        platform=platform,
        options=WITH_TABLES,
    )
    assert job.stdout == FINE
    for row in rows_of(job):
        # Four peers at their first message; of the first three one, the others were refused.
        assert row["asked"] == 1 + 4, row
        assert row["refused"] == 2


EAGER = """\
from mpi4py import MPI
from kumihimo.hint import hint

world = MPI.COMM_WORLD
right, left = (world.rank + 1) % world.size, (world.rank - 1) % world.size
parts = bytearray(100_000), bytearray(100_000)


def shift():
    world.Sendrecv(parts[0], right, recvbuf=parts[1], source=left)


for value in VALUES:
    assert hint("EAGER", value) == 0
    for _ in range(10):
        shift()
assert hint("EAGER", "-1") == hint("EAGER", "much") == hint("INIT_DONE", "0") == -1
print("services: all is as it must be") if world.rank == 0 else None
"""


def run_eager(
    folder: Path,
    values: tuple[str, ...],
    platform: str,
    *options: str,
    before: tuple[str, ...] = (),
) -> Job:
    folder.mkdir()
    script = folder / "eager.py"
    script.write_text(EAGER.replace("VALUES", repr(values)))
    file = folder / "platform.toml"
    file.write_text(platform)
    job = run_simulated(
        *(MPICH, 4, [sys.executable, str(script)], folder / "out"),
        platform=file,
        options=options,
        before=before,
    )
    assert job.stdout == FINE
    return job


def test_a_program_says_which_messages_are_eager(tmp_path: Path) -> None:
    limit = PLATFORM + 'eager_limit = "16 KiB"\n'
    hinted = run_eager(tmp_path / "hinted", ("98 KiB",), limit)
    assert hinted.result["totals"]["control_messages"] == 0
    # As if the platform had that limit; and 97 KiB are too few.
    large = run_eager(tmp_path / "large", ("0",), PLATFORM + 'eager_limit = "98 KiB"\n')
    assert hinted.result["event_hash"] == large.result["event_hash"]
    asked = run_eager(tmp_path / "asked", ("97 KiB",), limit)
    # A request to send, one for the data, and one that they have come.
    assert asked.result["totals"]["control_messages"] == 3 * 4 * 10
    # It acts at its place, however far processes are ahead, and ends.
    ways = {
        name: run_eager(tmp_path / name, ("98 KiB", "0", "98 KiB"), limit, *options, before=before)
        for name, options, before in (
            ("default", (), ()),
            ("two", ("--cores", "2"), ()),
            ("in_time", (), ("env", "KUMI_RUN_AHEAD=off")),
        )
    }
    assert ways["default"].result["totals"]["control_messages"] == 3 * 4 * 10
    assert len({job.result["event_hash"] for job in ways.values()}) == 1


def test_larger_eager_messages_take_larger_buffers(tmp_path: Path) -> None:
    keys = 'eager_limit = "49 KiB"\n[mpi.service]\nkind = "rc"\neager_buffers = "10 kB"\n'
    job = run_eager(tmp_path / "run", ("49 KiB", "98 KiB"), PLATFORM + keys, *WITH_TABLES)
    rows = rows_of(job)
    assert all(row["eager_buffer_bytes"] == 2 * 20_000 for row in rows)
    # Two connections to neighbours, whose buffers then grow.
    for rank in range(4):
        found = [row["memory_bytes"] for row in memory_of(job.folder) if row["rank"] == rank]
        assert found == [0, *(count * (CONNECTION + 10_000) for count in (1, 2)),
                         2 * (CONNECTION + 20_000)]  # fmt: skip


def test_a_replay_takes_the_hint_on_eager_messages(tmp_path: Path) -> None:
    platform = tmp_path / "platform.toml"
    platform.write_text(PLATFORM + 'eager_limit = "1 KiB"\n')
    schedule = tmp_path / "two.goal"
    schedule.write_text(
        "num_ranks 2\nrank 0 {\n"
        "a: hint EAGER 4096b\nb: send 4096b to 1 tag 1\n"
        "c: hint EAGER 0b\nd: send 4096b to 1 tag 2\n"
        "b requires a\nc requires b\nd requires c\n}\n"
        "rank 1 {\na: recv 4096b from 0 tag 1\nb: recv 4096b from 0 tag 2\n}\n"
    )
    command = [str(BIN / "kumihimo"), "replay", str(schedule), "-p", str(platform)]
    run([*command, "--out", str(tmp_path / "out")])
    found = json.loads((tmp_path / "out" / "result.json").read_text())
    assert found["totals"]["control_messages"] == 3


WRONG = """\
from mpi4py import MPI
from kumihimo.hint import hint

world = MPI.COMM_WORLD
assert hint("KERNEL", "1") == hint("SPEED", "high") == hint("KERNEL", "0") == -1
if world.rank == 1:
    hint("IN_KERNEL", "0")
hint("IN_KERNEL", "1")
hint("REPEATED", "1")
hint("REPEATED", "0")
world.barrier()
if world.rank > 0:
    hint("IN_KERNEL", "0")
print("services: all is as it must be") if world.rank == 0 else None
"""


def test_unknown_keys_and_wrong_nesting_are_named(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text(WRONG)
    platform = tmp_path / "platform.toml"
    platform.write_text(PLATFORM)
    job = run_simulated(
        *(MPICH, 4, [sys.executable, str(script)], tmp_path / "out"),
        platform=platform,
        options=("--service", "hint"),
    )
    assert job.stdout == FINE
    assert job.result["unknown_hints"] == ["KERNEL", "SPEED"]
    assert job.result["service"]["wrong_nesting"] == [
        {"key": "IN_KERNEL", "problem": "not ended", "ranks": 1},
        {"key": "IN_KERNEL", "problem": "not begun", "ranks": 1},
    ]
    words = " ".join(job.stderr.split())
    assert 'HINT("KERNEL", ...): there is no such key' in words
    assert 'HINT("IN_KERNEL", ...): a region had not ended in 1 of 4 ranks' in words
    assert 'HINT("IN_KERNEL", ...): a region had not begun in 1 of 4 ranks' in words
