"""Scheduled collectives over links that sleep: links are awake at the instant of each step."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs import BY_NAME, MPICH, Job, Mpi, command_of, run_simulated

RANKS = 16
TORUS = """\
[topology]
kind = "torus"
sizes = [4, 4]
hosts_per_switch = 1
[link]
bandwidth = "16 GB/s"
latency = "0 ns"
[switch_link]
bandwidth = "16 GB/s"
latency = ["21 ns", "25 ns"]
[switch]
latency = "0 ns"
[link_power]
preset = "matsuyama18"
[mpi.collectives]
mode = "scheduled"
"""
CALLS = 4
# The arguments of the program, with eager messages and by rendezvous.
LONG = {
    "alltoall-eager": ("scheduled_alltoall", "60000", str(CALLS)),
    "alltoall": ("scheduled_alltoall", "100000", str(CALLS)),
    "allreduce": ("scheduled_functions", "allreduce", "4000000", str(CALLS)),
    "bcast": ("scheduled_functions", "bcast", "4000000", str(CALLS)),
    "allgather": ("scheduled_functions", "allgather", "200000", str(CALLS)),
    "alltoallv": ("scheduled_functions", "alltoallv", "100000", str(CALLS)),
}
# Before each call ranks wait for one lead, and schedules last for 16 leads at least.
SLOWER = 1 + 1 / 16


def start(
    folder: Path, keys: str, policy: str, *program: str, mpi: Mpi = MPICH, cores: int = 1
) -> Job:
    platform = folder.parent / "torus.toml"
    eager = '[mpi]\neager_limit = "4 MiB"\n' if "eager" in folder.name else ""
    platform.write_text(TORUS + keys + eager)
    options = ("--link-power", policy, "--cores", str(cores))
    return run_simulated(
        mpi, RANKS, command_of(mpi, *program), folder, platform=platform, options=options
    )


def energy(job: Job, which: str = "energy_aj") -> int:
    value: int = job.result["link_power"]["total"][which]
    return value


@pytest.mark.parametrize("name", LONG)
def test_links_are_awake_for_each_step(name: str, tmp_path: Path) -> None:
    always = start(tmp_path / f"always-{name}", "", "always_on", *LONG[name])
    woken = start(tmp_path / f"woken-{name}", "", "prewake", *LONG[name])
    total = woken.result["link_power"]["total"]
    assert total["wake_stall_ps"] == 0
    assert woken.result["link_power"]["wake_frames"] > 0
    found = woken.result["collectives"]
    assert found["missed"] == always.result["collectives"]["missed"]
    assert found["largest_skew_ps"] == always.result["collectives"]["largest_skew_ps"]
    # The rings of the doorbell and one lead for each call, and nothing else.
    more_ps = woken.result["virtual_time_ps"] - always.result["virtual_time_ps"]
    assert 0 < more_ps < (SLOWER - 1) * always.result["virtual_time_ps"]
    assert more_ps % CALLS == 0
    # An oracle's links, carrying the same at the same times, sleep scarcely more.
    assert energy(woken, "oracle_energy_aj") <= energy(woken) < 0.95 * energy(always)
    assert energy(woken) < 1.15 * energy(woken, "oracle_energy_aj")


def test_without_frames_steps_wait_for_links(tmp_path: Path) -> None:
    without = start(tmp_path / "without", 'wakes = "none"\n', "prewake", *LONG["alltoall"])
    assert without.result["link_power"]["wake_frames"] == 0
    assert without.result["link_power"]["total"]["wake_stall_ps"] > 0
    assert without.result["collectives"]["missed"] > 0


def test_short_schedules_wake_no_links(tmp_path: Path) -> None:
    short = ("scheduled_alltoall", "1000", str(CALLS))
    by_clock = start(tmp_path / "by-clock", "", "prewake", *short)
    without = start(tmp_path / "without", 'wakes = "none"\n', "prewake", *short)
    assert by_clock.result["link_power"]["wake_frames"] == 0
    assert by_clock.result["event_hash"] == without.result["event_hash"]


@pytest.mark.parametrize("mpi", tuple(BY_NAME))
def test_it_repeats_on_any_number_of_cores(mpi: str, tmp_path: Path) -> None:
    jobs = [
        start(tmp_path / f"out{number}", "", "prewake", *LONG["alltoall"], mpi=BY_NAME[mpi],
              cores=cores)
        for number, cores in enumerate((1, 1, 2))
    ]  # fmt: skip
    assert jobs[0].result == jobs[1].result == jobs[2].result
    assert jobs[0].result["collectives"]["missed"] == 0
    assert jobs[0].result["link_power"]["total"]["wake_stall_ps"] == 0


def test_a_rank_that_comes_late_costs_time_and_nothing_else(tmp_path: Path) -> None:
    """Links that were woken for the start sleep again before the last rank comes."""
    late_ns = 1_000_000
    job = start(tmp_path / "late", "", "prewake", *LONG["alltoall"], str(late_ns))
    always = start(tmp_path / "always", "", "always_on", *LONG["alltoall"], str(late_ns))
    assert job.result["link_power"]["total"]["wake_stall_ps"] > 0
    assert energy(job) < energy(always)
    assert job.result["collectives"]["missed"] > 0
    assert job.result["virtual_time_ps"] < 1.25 * always.result["virtual_time_ps"]
