"""`--service oracle`: the yardstick of the other services."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jobs import BIN, MPICH, WITH_TABLES, Job, command_of, run, run_simulated
from services import FINE, PLATFORM, memory_of, rows_of


def first_elsewhere_in_goal(shifts: int, size: int) -> str:
    """Return what the program `first_elsewhere` does, without the hints."""
    lines = ["num_ranks 8"]
    for rank in range(8):
        across, right, left = (rank + 4) % 8, (rank + 1) % 8, (rank - 1) % 8
        steps = [(across, across, 8, 1), *((right, left, size, 1) for _ in range(shifts))]
        lines.append(f"rank {rank} {{")
        for number, (target, source, length, tag) in enumerate(steps):
            lines.append(f"r{number}: recv {length}b from {source} tag {tag}")
            lines.append(f"s{number}: send {length}b to {target} tag {tag}")
            for one in "rs" if number > 0 else "":
                lines.extend(f"{one}{number} requires {each}{number - 1}" for each in "rs")
        lines.append("}")
    return "\n".join(lines) + "\n"


def run_first_elsewhere(
    folder: Path,
    service: str,
    size: int,
    *options: str,
    shifts: int = 100,
    before: tuple[str, ...] = (),
) -> Job:
    more = "connection_cap = 1\nmessages_before = 0\n" if service != "none" else ""
    keys = f'kind = "{service}"\n{more}'
    folder.parent.mkdir(exist_ok=True)
    platform = folder.parent / f"{folder.name}.toml"
    platform.write_text(f"{PLATFORM}[mpi.service]\n{keys}")
    program = command_of(MPICH, "first_elsewhere", str(shifts), str(size))
    options = (*WITH_TABLES, *options)
    job = run_simulated(
        MPICH, 8, program, folder, platform=platform, options=options, before=before
    )
    assert job.stdout == FINE
    return job


@pytest.mark.parametrize("size", [5_000, 100_000])
def test_an_oracle_gives_its_connections_to_those_that_matter(size: int, tmp_path: Path) -> None:
    """HYBRID has none left for the ring; the oracle has, from the start."""
    hybrid = run_first_elsewhere(tmp_path / "hybrid", "hybrid", size)
    told = ("--traffic", str(hybrid.folder))
    oracle = run_first_elsewhere(tmp_path / "oracle", "oracle", size, *told)
    packets = -(-size // 2048)
    packets += size > 65536  # The request to send.
    more_ps = int(hybrid.result["virtual_time_ps"]) - int(oracle.result["virtual_time_ps"])
    # Both ends of a shift pay for its datagrams; where the payload is fetched, the sender pays
    # while it is asked for.
    if size < 65536:
        assert more_ps == 100 * 2 * packets * 150_000
    else:
        assert more_ps > 100 * packets * 150_000
    for row in rows_of(oracle):
        assert (row["asked"], row["accepted"], row["refused"]) == (1, 1, 1)
        assert (row["by_connection"], row["by_datagrams"]) == (100, 1)
    # Repeats, ahead or not, on two cores; and a replay, which knows its schedule by itself.
    ways = [
        run_first_elsewhere(tmp_path / "two", "oracle", size, *told, "--cores", "2"),
        run_first_elsewhere(
            tmp_path / "in_time", "oracle", size, *told, before=("env", "KUMI_RUN_AHEAD=off")
        ),
        # It knows its own traffic, too.
        run_first_elsewhere(tmp_path / "again", "oracle", size, "--traffic", str(oracle.folder)),
    ]
    schedule = tmp_path / "elsewhere.goal"
    schedule.write_text(first_elsewhere_in_goal(100, size))
    command = [str(BIN / "kumihimo"), "replay", str(schedule)]
    run([*command, "-p", str(tmp_path / "oracle.toml"), "--out", str(tmp_path / "replay")])
    results = [way.result for way in ways]
    results.append(json.loads((tmp_path / "replay" / "result.json").read_text()))
    for found in results:
        for key in ("event_hash", "virtual_time_ps", "service"):
            assert found[key] == oracle.result[key], key
    for name in ("replay", "two", "in_time"):
        assert memory_of(tmp_path / name) == memory_of(oracle.folder)
    assert all(change["at_ps"] == 0 for change in memory_of(oracle.folder))
    for name in ("hybrid", "replay", "two"):
        traffic = pq.read_table(tmp_path / name / "service_traffic.parquet").to_pylist()
        assert traffic == pq.read_table(oracle.folder / "service_traffic.parquet").to_pylist()
        assert traffic[:2] == [
            {"source": 0, "target": 1, "messages": 100, "packets": 100 * -(-size // 2048)},
            {"source": 0, "target": 4, "messages": 1, "packets": 1},
        ]


def test_an_oracle_needs_the_traffic_of_such_a_run(tmp_path: Path) -> None:
    tmp_path /= "jobs"
    run_first_elsewhere(tmp_path / "none", "none", 100, shifts=2)
    few = run_first_elsewhere(tmp_path / "hybrid", "hybrid", 100, "--detail", "summary", shifts=2)
    whole = run_first_elsewhere(tmp_path / "whole", "ud", 100, shifts=2)
    result = json.loads((whole.folder / "result.json").read_text())
    for name, change in (
        ("ranks", {"ranks": 9}),
        ("partial", {"status": "partial", "reason": "it was ended"}),
        ("mtu", {"configuration": {"platform": {"mpi.service.mtu": 4096}}}),
    ):
        other = tmp_path / name
        other.mkdir()
        (other / "result.json").write_text(json.dumps({**result, **change}))
        (other / "service_traffic.parquet").write_bytes(
            (whole.folder / "service_traffic.parquet").read_bytes()
        )
    for service, options, expected in (
        ("oracle", (), 'the service "oracle" needs --traffic FOLDER'),
        ("oracle", ("--traffic", "nowhere"), "nowhere: there is no such result folder"),
        ("oracle", ("--traffic", str(few.folder)), "holds no service_traffic.parquet"),
        ("oracle", ("--traffic", str(tmp_path / "none")), "holds no service_traffic.parquet"),
        ("oracle", ("--traffic", str(tmp_path / "ranks")), "is of 9 ranks; expected a run of 8"),
        ("oracle", ("--traffic", str(tmp_path / "partial")), "expected a complete one"),
        ("oracle", ("--traffic", str(tmp_path / "mtu")), "4096 B there; expected 2048 B"),
        ("hint", ("--traffic", str(whole.folder)), "expected --service oracle"),
    ):
        with pytest.raises(AssertionError) as caught:
            run_first_elsewhere(tmp_path / "wrong", service, 100, *options, shifts=2)
        assert expected in " ".join(str(caught.value).split())
        assert not (tmp_path / "wrong").exists()
