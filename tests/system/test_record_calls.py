"""A schedule of a run's calls, recorded over one platform, has the run's times over others.

What is compared is the whole of both results: instants of ranks and links, the event hash, and what
matching did.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jobs import BIN, BY_NAME, ROOT, build, command_of, run_simulated
from replayable import without_calls, without_clock_readings
from test_record import FACTS, kumihimo, replayed, result_in

_PLATFORM = """
[topology]
kind = "torus"
sizes = [4, 2, 2]
hosts_per_switch = 1
[switch]
latency = "30 ns"
[link]
bandwidth = "10 Gb/s"
latency = "100 ns"
[network]
packet_size = "2048 B"
packet_header = "8 B"
[node]
speed = "1 Gflop/s"
[mpi]
"""
_COSTS = 'send_overhead = "210 ns"\nreceive_overhead = "170 ns"\n'
PLATFORMS = {
    "free": 'eager_limit = "64 KiB"\n',
    "costly": f'eager_limit = "1 KiB"\n{_COSTS}match_cost = "13 ns"\n',
    "eager": f'eager_limit = "1 GiB"\n{_COSTS}match_cost = "3 ns"\n',
    "elan4": f'eager_limit = "512 B"\n{_COSTS}[mpi.matching]\nmodel = "elan4"\n',
    "alpu": f'eager_limit = "4 KiB"\n{_COSTS}[mpi.matching]\nmodel = "alpu"\n',
    "dimmnet2 by the host": f'{_COSTS}[mpi.matching]\nmodel = "dimmnet2"\nby = "host"\n',
    "dimmnet2 by it": f'{_COSTS}[mpi.matching]\nmodel = "dimmnet2"\nby = "interface"\n',
    "datagrams": f'{_COSTS}[mpi.service]\nkind = "ud"\n',
}


@dataclass(frozen=True)
class Case:
    """A program with its arguments and ranks, and what it is compared over.

    Attributes:
        source: A test program, or a program of the examples.
        over: Recorded over the first platform, replayed over all.
        but: Facts that differ: see docs/schedules.md.
    """

    source: str
    arguments: tuple[str, ...] = ()
    ranks: int = 4
    over: tuple[str, ...] = ("free", "costly", "dimmnet2 by it")
    but: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "-".join((Path(self.source).name, *self.arguments, str(self.ranks), self.over[0]))

    def command(self, mpi: str) -> list[str]:
        """The command line, of the program that was compiled for this MPI library."""
        if "/" not in self.source:
            return command_of(BY_NAME[mpi], self.source, *self.arguments)
        return [str(build(BY_NAME[mpi], ROOT / "examples" / self.source)), *self.arguments]


EVERYWHERE = tuple(PLATFORMS)
PLATFORMS["nothing eager"] = f'eager_limit = "0 B"\n{_COSTS}'
CASES = (
    Case("ping_pong", ranks=2, over=EVERYWHERE),
    Case("ring", ("2", "100000"), over=EVERYWHERE),
    Case("ring", ("2", "100000"), over=("dimmnet2 by it", "free", "elan4")),
    # Isend, Irecv and Waitall, eager and by rendezvous, posted and unexpected.
    Case("waiting_messages", ("20",), 2, over=EVERYWHERE),
    Case("waiting_messages", ("20",), 2, over=("dimmnet2 by it", "alpu", "eager")),
    Case("demo/heat.c", ("256", "20"), 16, but=("matching",)),
    Case("persistent"),
    Case("compute"),
    Case("derived_types"),
    Case("apps/conjugate_gradient.c", ("S",), 8, over=("free", "dimmnet2 by it")),
    Case("apps/fourier_transform.c", ("S",), 8, over=("free", "costly")),
    Case("apps/integer_sort.c", ("S",), 8, over=("elan4", "costly", "dimmnet2 by it")),
)
# Programs that may have other instants in a replay, as they poll or receive from any source.
OTHER_CASES = tuple(
    Case(program, ranks=7)
    for program in ("collectives", "communicators", "nonblocking_collectives", "ordering", "probe",
                    "send_modes", "topologies", "wildcards")
)  # fmt: skip


def write(folder: Path, name: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(_PLATFORM + PLATFORMS[name])
    return path


def recorded(folder: Path, platform: Path, mpi: str, ranks: int, command: list[str]) -> str:
    """Record the calls of a run into `run.bin`; return what was said on the terminal."""
    options = ("--of", "calls", "--mpi", mpi, "--compute", "none", "--detail", "summary")
    where = (
        "-n",
        str(ranks),
        "-p",
        platform,
        "-s",
        folder / "run.bin",
        "--out",
        folder / "recorded",
    )
    return kumihimo("record", *where, *options, "-q", "--", *command).stderr


def both(folder: Path, case: Case, mpi: str, over: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the results of the program and of its schedule over a platform."""
    platform = write(folder, over)
    live = run_simulated(
        BY_NAME[mpi], case.ranks, case.command(mpi), folder / over, platform=platform
    )
    return live.result, replayed(folder, platform, folder / "run.bin")


def assert_same(live: dict[str, Any], replay: dict[str, Any], but: tuple[str, ...] = ()) -> None:
    assert live["totals"]["messages"] > 0
    live, replay = without_clock_readings(live), without_clock_readings(replay)
    for fact in FACTS:
        if fact not in but:
            assert replay[fact] == live[fact], fact
    if "matching" not in but:
        assert without_calls(replay["matching"]) == without_calls(live["matching"])


@pytest.mark.parametrize("mpi", BY_NAME)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_recorded_calls_replay_to_the_run_over_any_platform(
    case: Case, mpi: str, tmp_path: Path
) -> None:
    told = recorded(tmp_path, write(tmp_path, case.over[0]), mpi, case.ranks, case.command(mpi))
    assert " polls" not in told or "0 polls" in told
    for over in case.over:
        live, replay = both(tmp_path, case, mpi, over)
        assert_same(live, replay, case.but)
        if over == case.over[0]:
            assert_same(live, result_in(tmp_path / "recorded"), case.but)


@pytest.mark.parametrize("mpi", BY_NAME)
@pytest.mark.parametrize("case", [*CASES, *OTHER_CASES], ids=str)
def test_ranks_that_run_ahead_leave_the_same_record(
    case: Case, mpi: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedules = []
    for mode in ("on", "off"):
        monkeypatch.setenv("KUMI_RUN_AHEAD", mode)
        folder = tmp_path / mode
        folder.mkdir()
        platform = write(folder, case.over[0])
        recorded(folder, platform, mpi, case.ranks, case.command(mpi))
        schedules.append((folder / "run.bin").read_bytes())
    assert schedules[0] == schedules[1]


@pytest.mark.parametrize("ranks", [4, 7])
def test_making_communicators_replays_to_the_run(ranks: int, tmp_path: Path) -> None:
    """Open MPI agrees on them in many steps, of which some send nothing."""
    case = Case("communicators", ranks=ranks)
    recorded(tmp_path, write(tmp_path, "free"), "openmpi", ranks, case.command("openmpi"))
    for over in ("free", "dimmnet2 by it"):
        live, replay = both(tmp_path, case, "openmpi", over)
        assert_same(live, replay, ("matching",))


@pytest.mark.parametrize("mpi", BY_NAME)
def test_collectives_replay_to_the_run_but_for_searches_in_vain(mpi: str, tmp_path: Path) -> None:
    """MPICH looks for messages that are left when it frees a communicator: a schedule does not."""
    case = Case("collectives", ranks=7)
    recorded(tmp_path, write(tmp_path, "free"), mpi, case.ranks, case.command(mpi))
    for over in ("free", "costly", "dimmnet2 by it"):
        live, replay = both(tmp_path, case, mpi, over)
        assert replay["totals"]["messages"] == live["totals"]["messages"]
        assert replay["totals"]["bytes"] == live["totals"]["bytes"]
        if mpi == "openmpi" or over == "free":
            assert_same(live, replay, ("matching",))
        difference = abs(replay["virtual_time_ps"] - live["virtual_time_ps"])
        assert difference * 1000 < live["virtual_time_ps"]


def test_sends_that_are_injected_end_with_their_ranks_below_an_eager_limit_of_512_bytes(
    tmp_path: Path,
) -> None:
    """The program does not wait for them; the last ones of the schedule are part of it."""
    case = Case("waiting_messages", ("20",), 2)
    recorded(tmp_path, write(tmp_path, "free"), "mpich", case.ranks, case.command("mpich"))
    live, replay = both(tmp_path, case, "mpich", "nothing eager")
    assert replay["event_hash"] == live["event_hash"]
    assert replay["virtual_time_ps"] - live["virtual_time_ps"] == 170_000


@pytest.mark.parametrize("program", ["polling", "wildcards"])
def test_what_may_depend_on_time_is_counted(program: str, tmp_path: Path) -> None:
    case = Case(program)
    told = recorded(tmp_path, write(tmp_path, "free"), "mpich", 4, case.command("mpich"))
    counts = {"polling": "540 polls, 0 wildcards", "wildcards": "0 polls, 64 wildcards"}
    assert f"order may depend on time: {counts[program]}" in told
    # The schedule has the same counts, and so has what is replayed or made of it.
    file, text = tmp_path / "run.bin", tmp_path / "run.goal"
    kumihimo("schedule", "convert", file, text)
    assert f"may depend on time: {counts[program]}" in kumihimo("schedule", "show", text).stdout
    options = ("-p", write(tmp_path, "free"), "-q", "--out", tmp_path / "r")
    replay = kumihimo("replay", text, *options)
    remark = (
        f"the recorded order may depend on time: {counts[program]}; over another platform the "
        "program may do otherwise"
    )
    assert replay.stderr == f"kumihimo: warning: {remark}\n"
    assert json.loads((tmp_path / "r" / "host.json").read_text())["remarks"] == [remark]
    assert remark in (tmp_path / "r" / "report.html").read_text()


def test_sleeps_of_recorded_calls_use_services(tmp_path: Path) -> None:
    """A replay says that messages use no service where these alone were recorded."""
    case = Case("sleeps", ranks=2)
    recorded(tmp_path, write(tmp_path, "free"), "mpich", case.ranks, case.command("mpich"))
    options = ("-p", write(tmp_path, "datagrams"), "-q", "--out", tmp_path / "r")
    kumihimo("replay", tmp_path / "run.bin", *options)
    remarks = json.loads((tmp_path / "r" / "host.json").read_text())["remarks"]
    assert not [remark for remark in remarks if "use no service" in remark]


@pytest.mark.parametrize(
    ("program", "what"),
    [("rma_fence", "one-sided operations"), ("cancelled_receives", "receives that are cancelled")],
)
def test_what_cannot_be_recorded_is_refused(program: str, what: str, tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.goal"
    platform = write(tmp_path, "free")
    finished = subprocess.run(
        [
            *(str(BIN / "kumihimo"), "record", "--of", "calls", "-n", "2", "-p", str(platform)),
            *("-s", str(schedule), "--", *command_of(BY_NAME["mpich"], program)),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.returncode != 0
    assert f"kumihimo record --of calls cannot record {what}" in finished.stderr
    assert "expected a program without them, or --of messages" in finished.stderr
    assert not schedule.exists()


def test_the_wire_is_not_recorded_where_the_interface_matches(tmp_path: Path) -> None:
    platform = write(tmp_path, "dimmnet2 by it")
    schedule = tmp_path / "schedule.goal"
    finished = subprocess.run(
        [
            *(str(BIN / "kumihimo"), "record", "-n", "2", "-p", str(platform)),
            *("-s", str(schedule), "--", *command_of(BY_NAME["mpich"], "ping_pong")),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.returncode != 0
    assert "kumihimo record --of calls" in finished.stderr
    assert not schedule.exists()
