"""Links that save power, under real programs: times and energies against closed forms."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from jobs import BIN, BY_NAME, MPICH, PLATFORMS, Job, command_of, run, run_simulated

PLATFORM = PLATFORMS / "star4-onoff.toml"
# Of the platform, in ps: 5 Gb/s, 100 ns, and the links of the paper.
SLEEP, WAKE = 3_000_000, 4_000_000
ON_UW, LOW_UW = 12_000_000, 1_200_000
ROUNDS, BYTES, GAP_US = 50, 1000, 40
LENGTH = 1_600_000  # Of a message on a link.
WAY = 200_000 + LENGTH
WAKE_COST = 50_000


def quiet_pair(
    policy: str, folder: Path, *lead_us: object, mpi: str = "mpich", record: str = "summary"
) -> Job:
    words = [str(word) for word in (ROUNDS, BYTES, GAP_US, *lead_us)]
    return run_simulated(
        BY_NAME[mpi],
        2,
        command_of(BY_NAME[mpi], "quiet_pair", *words),
        folder / "result",
        platform=PLATFORM,
        options=("--detail", record, "--compute", "none", "--link-power", policy),
    )


def power_of(job: Job) -> dict[str, Any]:
    power: dict[str, Any] = job.result["link_power"]
    return power


@pytest.mark.parametrize("mpi", BY_NAME)
@pytest.mark.parametrize(
    ("policy", "delay"), [("always_on", 0), ("on_off", 2 * WAKE), ("ideal", 0)]
)
def test_each_sleeping_link_of_a_path_adds_its_wake(
    policy: str, delay: int, mpi: str, tmp_path: Path
) -> None:
    job = quiet_pair(policy, tmp_path, mpi=mpi)
    assert job.clocks_ps[0] == ROUNDS * (GAP_US * 1_000_000 + 2 * (WAY + delay))


def test_the_energy_of_periodic_traffic(tmp_path: Path) -> None:
    job = quiet_pair("on_off", tmp_path)
    power = power_of(job)
    names = {row["link"]: row["name"] for row in job.result["per_link"]}
    assert power["end_ps"] == job.result["virtual_time_ps"]
    # The links of the two hosts carry a message each in every round, and sleep before and after.
    # The run ends as soon as the last message is there, when its last link has just begun to sleep.
    for row in power["per_link"]:
        times = row["times_ps"]
        assert times["active"] == ROUNDS * LENGTH
        assert times["wake"] == ROUNDS * WAKE
        assert row["wakes"] == ROUNDS
        last_rest = 100_000 if names[row["link"]] == "switch0->host0" else SLEEP
        assert times["sleep"] == ROUNDS * SLEEP + last_rest
        assert sum(times.values()) == power["end_ps"]
        assert row["energy_aj"] == sum(
            span * power["power_uw"][state] for state, span in times.items()
        )
    assert len(power["per_link"]) == 4
    assert power["total"]["always_on_energy_aj"] == 8 * power["end_ps"] * ON_UW
    # The links of the two hosts that run nothing.
    asleep = 4 * (SLEEP * ON_UW + (power["end_ps"] - SLEEP) * LOW_UW)
    listed = sum(row["energy_aj"] for row in power["per_link"])
    assert power["total"]["energy_aj"] == listed + asleep


def test_wake_calls_hide_the_wakes(tmp_path: Path) -> None:
    early = quiet_pair("prewake", tmp_path, 4)
    expected = ROUNDS * (GAP_US * 1_000_000 + 2 * WAY + WAKE_COST)
    # Rank 1 asks when rank 0 does; its links wait for the message that it answers.
    assert early.clocks_ps[0] == expected
    assert power_of(early)["total"]["wake_stall_ps"] == 0
    # Half a wake too late: host 0's message waits for the rest, the answer's links are awake.
    late = quiet_pair("prewake", tmp_path, 2)
    assert late.clocks_ps[0] == expected + ROUNDS * WAKE // 2


def test_wake_calls_do_nothing_under_other_policies(tmp_path: Path) -> None:
    hashes = {
        lead: quiet_pair("on_off", tmp_path, *lead).result["event_hash"] for lead in ((), (4,))
    }
    assert len(set(hashes.values())) == 1


def test_no_policy_draws_less_than_the_oracle_or_is_faster_than_links_always_on(
    tmp_path: Path,
) -> None:
    policies = ("always_on", "on_off", "threshold", "prewake", "perfbound", "ideal")
    jobs = {policy: quiet_pair(policy, tmp_path, 4) for policy in policies}
    times = {policy: job.result["virtual_time_ps"] for policy, job in jobs.items()}
    energies = {policy: power_of(job)["total"]["energy_aj"] for policy, job in jobs.items()}
    assert min(times.values()) == times["always_on"] == times["ideal"]
    assert min(energies.values()) == energies["ideal"]
    assert max(energies, key=lambda policy: energies[policy]) == "always_on"


def test_the_records_tell_every_state(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    job = quiet_pair("on_off", tmp_path, record="full")
    power = power_of(job)
    states = pq.read_table(job.folder / "power_states.parquet").to_pylist()
    for row in power["per_link"]:
        spans: dict[str, int] = {}
        end = 0
        for state in (s for s in states if s["link"] == row["link"]):
            assert state["begin_ps"] == end
            end = state["end_ps"]
            name = state["power_state"]
            spans[name] = spans.get(name, 0) + end - state["begin_ps"]
        assert end == power["end_ps"]
        assert spans == {name: span for name, span in row["times_ps"].items() if span}
    links = pq.read_table(job.folder / "link_power.parquet").to_pylist()
    assert sum(int(link["energy_aj"]) for link in links) == power["total"]["energy_aj"]
    assert len(links) == 8


def test_variants_side_by_side(tmp_path: Path) -> None:
    command = [str(BIN / "kumihimo"), "variants", "-n", "2", "--platform", str(PLATFORM)]
    command += ["--vary", "link-power=always_on,on_off,ideal", "--compute", "none", "--json"]
    command += ["--out", str(tmp_path / "variants"), "--"]
    program = command_of(MPICH, "quiet_pair", str(ROUNDS), str(BYTES), str(GAP_US))
    rows = json.loads(run([*command, *program]).stdout)
    assert [row["link_power.policy"] for row in rows] == ["always_on", "on_off", "ideal"]
    assert rows[0]["time_ratio"] == rows[2]["time_ratio"] == 1
    assert rows[1]["time_ratio"] > 1.3
    assert rows[2]["energy_ratio"] < rows[1]["energy_ratio"] < 1
    assert 0 < rows[1]["link_oracle_energy_pj"] <= rows[1]["link_energy_pj"]


def test_a_policy_needs_links_with_power(tmp_path: Path) -> None:
    command = [str(BIN / "kumihimo"), "run", "-n", "2", "--platform", str(PLATFORMS / "star4.toml")]
    command += ["--link-power", "on_off", "--", "/bin/true"]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert finished.returncode == 2
    assert "star4.toml: its links have no power model" in finished.stderr


def test_variants_of_what_cannot_run_start_nothing(tmp_path: Path) -> None:
    command = [str(BIN / "kumihimo"), "variants", "--platform", str(PLATFORM)]
    command += ["--vary", "link-power=always_on,on_off", "--", "./missing"]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert finished.returncode == 2
    assert finished.stderr.startswith("kumihimo: error: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("platform", "policy", "reason"),
    [("star4.toml", None, "no power model"), ("star4-onoff.toml", "on_off", '"on_off" takes no')],
)
def test_prediction_for_links_that_take_no_wake_frames_is_told(
    platform: str, policy: str | None, reason: str, tmp_path: Path
) -> None:
    options = ["--predict", *(["--link-power", policy] if policy else [])]
    program = command_of(MPICH, "quiet_pair", "2", "8", "1")
    job = run_simulated(
        MPICH, 2, program, tmp_path / "result", platform=PLATFORMS / platform, options=options
    )
    assert "kumihimo: warning: --predict has no effect: " in job.stderr
    assert reason in job.stderr


def test_links_that_nobody_sent_wake_frames_are_told_of(tmp_path: Path) -> None:
    silent = quiet_pair("prewake", tmp_path / "silent")
    assert silent.result["link_power"]["wake_frames"] == 0
    assert remarks_of(silent) == [
        "no rank sent wake frames: links kept the threshold; --predict or kumihimo cc --prewake "
        "send them"
    ]
    asked = quiet_pair("prewake", tmp_path / "asked", 4)
    assert asked.result["link_power"]["wake_frames"] == 2 * ROUNDS
    assert remarks_of(asked) == []


def remarks_of(job: Job) -> list[str]:
    remarks: list[str] = json.loads((job.folder / "host.json").read_text())["remarks"]
    return remarks


def test_a_schedule_has_no_wake_frames(tmp_path: Path) -> None:
    out = tmp_path / "result"
    command = [str(BIN / "kumihimo"), "replay", "--pattern", "allreduce/ring", "-n", "4"]
    command += ["--bytes", "1 kB"]
    command += ["--platform", str(PLATFORM), "--link-power", "prewake", "--out", str(out)]
    run(command)
    remarks = json.loads((out / "host.json").read_text())["remarks"]
    assert remarks == ["a schedule has no wake frames: links kept the threshold"]
