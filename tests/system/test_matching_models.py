"""The cost of matching by every model: programs, schedules, and sums done by hand."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs import (
    BIN,
    FULL,
    MPICH,
    OPEN_MPI,
    PROGRAMS,
    WITH_TABLES,
    Job,
    Mpi,
    command_of,
    run_simulated,
)
from kumihimo import _core
from kumihimo.platform import Platform, parse_platform
from kumihimo.platform.schema.matching import MATCHERS
from kumihimo.study.matching.schedules import unexpected
from replayable import without_calls
from test_record import assert_same, recorded, replayed

SIZES = (16, 600, 5000)
ALL_SENT, ALL_POSTED = 1000, 1001
_PLATFORM = """
[topology]
kind = "star"
hosts = 2
[link]
bandwidth = "10 Gb/s"
latency = "100 ns"
[node]
speed = "1 Gflop/s"
[mpi]
eager_limit = "1000 B"
send_overhead = "210 ns"
receive_overhead = "170 ns"
"""
LIST = 'match_cost = "13 ns"\n'
MODELS = {
    "list": LIST,
    **{name: f'[mpi.matching]\nmodel = "{name}"\n' for name in MATCHERS},
    "hashed, with a list of wildcards": '[mpi.matching]\nmodel = "hashed"\n'
    'wildcard_lookup = "9 ns"\n',
    "connectx, with a list of wildcards": '[mpi.matching]\nmodel = "connectx"\n'
    'wildcard_lookup = "9 ns"\n',
    # So small that almost everything waits outside of it.
    "lhs of 4": '[mpi.matching]\nmodel = "lhs"\nunexpected = { capacity = 4 }\n',
    "lhs of 4 in blocks": '[mpi.matching]\nmodel = "lhs"\n'
    "unexpected = { capacity = 4, spill_entries = 3 }\n",
    "alpu of 4": '[mpi.matching]\nmodel = "alpu"\nposted = { width = 4, capacity = 4 }\n'
    "unexpected = { width = 4, capacity = 4 }\n",
    # Any model may be the interface's.
    "lhs by it": '[mpi.matching]\nmodel = "lhs"\nby = "interface"\n',
    "elan4 by the host": '[mpi.matching]\nmodel = "elan4"\nby = "host"\n',
    "custom by it": '[mpi.matching]\nmodel = "custom"\nby = "interface"\nhead_latency = "11 ns"\n'
    'body_latency = "501 ns"\nposted = { search_cost = "7 ns", compare = "1 ns" }\n'
    'unexpected = { search_cost = "17 ns", compare = "3 ns", buckets = 3 }\n',
    "custom": '[mpi.matching]\nmodel = "custom"\nhead_latency = "11 ns"\nbody_latency = "501 ns"\n'
    'posted = { search_cost = "7 ns", compare = "1 ns", width = 8, capacity = 8, '
    'spill_cost = "91 ns" }\n'
    'unexpected = { search_cost = "17 ns", compare = "3 ns", latency = "29 ns", '
    'access_size = "256 B", buckets = 3 }\n',
}


def by_interface(path: Path) -> bool:
    platform = parse_platform(path.read_text(), path.name)
    return platform["mpi.matching.model"] != "list" and platform["mpi.matching.by"] == "interface"


def write(folder: Path, model: str) -> Path:
    path = folder / "platform.toml"
    path.write_text(_PLATFORM + MODELS[model])
    return path


def in_reverse(count: int) -> str:
    """Return what tests/programs/waiting_messages.c does, as a schedule."""
    sizes = {tag: SIZES[tag % len(SIZES)] for tag in range(count)}
    there = [f"send {size}b to 1 tag {tag}" for tag, size in sizes.items()]
    back = [f"send {size}b to 1 tag {tag}" for tag, size in reversed(sizes.items())]
    sender = f"""rank 0 {{
{lines("a", there)}
all: send 0b to 1 tag {ALL_SENT}
all irequires a{count - 1}
go: recv 0b from 1 tag {ALL_POSTED}
go requires all
{all_of("go", "a", count)}
{lines("b", back)}
b0 requires go
}}"""
    waiting = [f"recv {size}b from 0 tag {tag}" for tag, size in reversed(sizes.items())]
    posted = [f"recv {size}b from 0 tag {tag}" for tag, size in sizes.items()]
    receiver = f"""rank 1 {{
all: recv 0b from 0 tag {ALL_SENT}
{lines("a", waiting, "requires")}
a0 requires all
{lines("b", posted)}
b0 requires a{count - 1}
go: send 0b to 0 tag {ALL_POSTED}
go irequires b{count - 1}
}}"""
    return f"num_ranks 2\n{sender}\n{receiver}\n"


def lines(name: str, operations: Sequence[str], after: str = "irequires") -> str:
    """Return operations that start, or end, one after the other."""
    text = [f"{name}{number}: {operation}" for number, operation in enumerate(operations)]
    text += [f"{name}{n} {after} {name}{n - 1}" for n in range(1, len(operations))]
    return "\n".join(text)


def all_of(waiter: str, name: str, count: int) -> str:
    return "\n".join(f"{waiter} requires {name}{number}" for number in range(count))


def replay_goal(folder: Path, platform: Path, text: str) -> dict[str, Any]:
    schedule = folder / "schedule.goal"
    schedule.write_text(text)
    return replayed(folder, platform, schedule)


def simulated(
    folder: Path, platform: Path, count: int, mode: str = "on", options: Sequence[str] = ()
) -> Job:
    command = command_of(MPICH, "waiting_messages", str(count))
    before = ("env", f"KUMI_RUN_AHEAD={mode}")
    return run_simulated(
        MPICH, 2, command, folder, platform=platform, before=before, options=options
    )


@pytest.mark.parametrize("model", MODELS)
def test_a_program_and_its_schedule_agree(model: str, tmp_path: Path) -> None:
    """Also if a rank runs ahead of its clock, and if its recorded run is replayed."""
    platform = write(tmp_path, model)
    live = simulated(tmp_path / "run", platform, 20).result
    in_time = simulated(tmp_path / "in_time", platform, 20, "off").result
    replay = replay_goal(tmp_path, platform, in_reverse(20))
    assert live["totals"]["messages"] == 42
    assert without_calls(live["matching"]) == replay["matching"]
    for fact in ("event_hash", "virtual_time_ps", "per_rank", "matching"):
        assert live[fact] == in_time[fact], fact
        assert fact == "matching" or live[fact] == replay[fact], fact
    if by_interface(platform):
        return
    command = command_of(MPICH, "waiting_messages", "20")
    (tmp_path / "recorded").mkdir()
    schedule = recorded(tmp_path / "recorded", platform, "mpich", 2, command)
    assert_same(live, replayed(tmp_path / "recorded", platform, schedule))


def posted_and_computed(count: int, size: int) -> str:
    """Return what tests/programs/posted_and_computed.c does, as a schedule."""
    sends = ["calc 1000000", *(f"send {size}b to 1 tag {tag}" for tag in reversed(range(count)))]
    receives = [f"recv {size}b from 0 tag {tag}" for tag in range(count)]
    return f"""num_ranks 2
rank 0 {{
{lines("a", sends)}
}}
rank 1 {{
{lines("a", receives)}
c: calc 100000000
c irequires a{count - 1}
}}
"""


@pytest.mark.parametrize("size", [16, 600, 5000])
@pytest.mark.parametrize("model", MODELS)
def test_an_interface_matches_while_its_rank_computes(
    model: str, size: int, tmp_path: Path
) -> None:
    """1,000 receives, 100 ms of computing, a wait: all is over but for the overheads."""
    count = 1000
    platform = write(tmp_path, model)
    command = command_of(MPICH, "posted_and_computed", str(count), str(size))
    live = run_simulated(MPICH, 2, command, tmp_path / "run", platform=platform).result
    replay = replay_goal(tmp_path, platform, posted_and_computed(count, size))
    assert without_calls(live["matching"]) == replay["matching"]
    for fact in ("event_hash", "virtual_time_ps", "per_rank"):
        assert live[fact] == replay[fact], fact
    waited_ps = live["virtual_time_ps"] - 100_000_000_000 - count * 170_000
    if by_interface(platform):
        assert waited_ps == 0
    else:
        assert waited_ps > count * 2_000  # the first entry costs as much at least


def test_a_run_whose_interfaces_match_is_not_recorded(tmp_path: Path) -> None:
    platform = write(tmp_path, "elan4")
    command = command_of(MPICH, "ring")
    arguments = ("record", "-n", "2", "-p", platform, "-s", tmp_path / "run.bin", "--", *command)
    ended = subprocess.run(
        [str(BIN / "kumihimo"), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode != 0
    assert "mpi.matching.by: a schedule is recorded only where the host matches" in ended.stderr
    assert not (tmp_path / "run.bin").exists()


def search_ps(platform: Platform, queue: str, searched: int) -> int:
    return _core.search_ps(platform.config(), queue, searched)


@pytest.mark.parametrize("model", MODELS)
def test_a_message_behind_others_costs_the_search(model: str, tmp_path: Path) -> None:
    path = write(tmp_path, model)
    platform = parse_platform(path.read_text(), "platform.toml")
    for folder in ("behind", "before"):
        (tmp_path / folder).mkdir()
    behind = replay_goal(tmp_path / "behind", path, unexpected(100, before=100))
    before = replay_goal(tmp_path / "before", path, unexpected(100, before=0))
    more = search_ps(platform, "unexpected", 101) - search_ps(platform, "unexpected", 1)
    assert behind["virtual_time_ps"] - before["virtual_time_ps"] == more


def test_what_a_result_says_of_matching(tmp_path: Path) -> None:
    """Each of n messages that are received in the reverse order is found behind all others."""
    count = 100
    job = simulated(tmp_path / "run", write(tmp_path, "elan4"), count, options=FULL)
    found = job.result["matching"]
    # Rank 1 gets the messages that wait, and the one that says so, then each receive is posted
    # before its message; rank 0 gets the one that says so.
    assert found["arrivals"] == found["receives"] == 2 * count + 2
    assert found["unexpected"] == count
    assert found["unexpected_searched"] == count * (count + 1) // 2
    assert found["posted_searched"] == count + 2 + count * (count + 1) // 2
    assert found["unexpected_deepest"] == found["posted_deepest"] == count
    assert sum(found["posted_depths"]) == found["arrivals"]
    rows = pq.read_table(tmp_path / "run" / "matching.parquet").to_pylist()
    assert sum(row["time_ps"] for row in rows) == found["time_ps"]
    slowest = max(rows, key=lambda row: row["time_ps"])
    assert (slowest["rank"], slowest["time_ps"]) == (1, found["slowest_rank_time_ps"])
    entries = found["posted_searched"] + found["unexpected_searched"]
    assert found["time_ps"] == entries * 100_000
    assert "Matching: " in job.stderr
    assert "matching" in job.cards
    plain = tmp_path / "plain.toml"
    plain.write_text(_PLATFORM)
    assert "matching" not in simulated(tmp_path / "plain", plain, 20, options=FULL).cards


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
@pytest.mark.parametrize("model", ["elan4 by the host", "elan4", "dimmnet2"])
def test_a_result_names_the_calls(model: str, mpi: Mpi, tmp_path: Path) -> None:
    """All searches are for the receives of two calls, but those for what waits for none."""
    source = PROGRAMS / "waiting_messages.c"
    lines = [
        number
        for number, line in enumerate(source.read_text().splitlines(), 1)
        if "MPI_Recv(bytes[tag]" in line or "MPI_Irecv(bytes[tag]" in line
    ]
    command = command_of(mpi, "waiting_messages", "100")
    found = run_simulated(mpi, 2, command, tmp_path / "run", platform=write(tmp_path, model))
    calls = found.result["matching"]["calls"][:2]
    assert sorted(call["function"] for call in calls) == ["MPI_Irecv", "MPI_Recv"]
    assert sorted(call["line"] for call in calls) == sorted(lines)
    assert {Path(call["file"]).name for call in calls} == {source.name}
    # For n receives of either kind 1 to n entries are searched.
    if model != "dimmnet2":
        assert [call["time_ps"] for call in calls] == [100 * 101 // 2 * 100_000] * 2
    slowest = found.result["matching"]["slowest_rank_call"]
    assert slowest == calls[0]
    assert f"of it for {slowest['function']} at {source.name}:{slowest['line']}" in " ".join(
        found.stderr.split()
    )


@pytest.mark.parametrize("model", MODELS)
def test_depths_over_time_are_those_of_the_schedule(model: str, tmp_path: Path) -> None:
    """Also if a rank runs ahead of its clock."""
    platform = write(tmp_path, model)
    folders = [tmp_path / name for name in ("run", "in_time", "out")]
    simulated(folders[0], platform, 100, options=WITH_TABLES)
    simulated(folders[1], platform, 100, "off", options=WITH_TABLES)
    (tmp_path / "schedule.goal").write_text(in_reverse(100))
    command = ("replay", tmp_path / "schedule.goal", "-p", platform, "--out", folders[2])
    subprocess.run([str(BIN / "kumihimo"), *map(str, command)], check=True, timeout=60)
    live, in_time, replay = (
        pq.read_table(folder / "queue_depths.parquet").to_pylist() for folder in folders
    )
    assert live == in_time == replay
    assert max(row["posted"] for row in live) == max(row["unexpected"] for row in live) == 100


@pytest.mark.parametrize("model", ["elan4", "lhs"])
def test_depths_over_time_by_hand(model: str, tmp_path: Path) -> None:
    """1,000 receives are posted at once, and their messages come while the rank computes.

    The interface takes them out meanwhile, one in 50 µs on the average; the host takes none until
    the rank waits.
    """
    count = 1000
    command = command_of(MPICH, "posted_and_computed", str(count), "16")
    platform = write(tmp_path, model)
    run_simulated(MPICH, 2, command, tmp_path / "run", platform=platform, options=WITH_TABLES)
    rows = pq.read_table(tmp_path / "run" / "queue_depths.parquet").to_pylist()
    assert {(row["rank"], row["unexpected"]) for row in rows} == {(1, 0)}

    def depth_at(at_ps: int) -> int:
        return sum(row["posted"] for row in rows if row["begin_ps"] <= at_ps < row["end_ps"])

    stretch_ps = 1 << 30  # 1.07 ms: 94 or 95 of them
    assert depth_at(0) == count
    if model == "lhs":
        assert depth_at(99_000_000_000) == count
        return
    # The k-th message, sent after 1 ms, finds its receive behind count - k others, each 100 ns.
    done_ps, depths = 1_000_000_000, {}
    for taken in range(count):
        done_ps += (count - taken) * 100_000
        depths[done_ps] = count - taken - 1
    for at_ps, depth in depths.items():
        before = max((at for at in depths if at <= at_ps - stretch_ps), default=0)
        assert depth <= depth_at(at_ps) <= depths.get(before, count), at_ps


def test_the_option_is_the_key(tmp_path: Path) -> None:
    by_file = simulated(tmp_path / "file", write(tmp_path, "lhs"), 20).result
    platform = tmp_path / "list.toml"
    platform.write_text(_PLATFORM)
    command = command_of(MPICH, "waiting_messages", "20")
    by_option = run_simulated(
        MPICH,
        2,
        command,
        tmp_path / "option",
        platform=platform,
        options=("--matching", "lhs"),
    ).result
    assert by_option["configuration"] == by_file["configuration"]
    assert by_option["event_hash"] == by_file["event_hash"]


def test_a_bounded_interface_loses_nothing(tmp_path: Path) -> None:
    """What has no room is searched at another cost, and all of it is received."""
    counts = {}
    for model in ("alpu of 4", "alpu"):
        (tmp_path / model).mkdir()
        job = simulated(tmp_path / model / "run", write(tmp_path / model, model), 150)
        assert "waiting_messages: passed" in job.stdout
        counts[model] = job.result["virtual_time_ps"]
    assert counts["alpu of 4"] > counts["alpu"]
