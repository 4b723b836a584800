"""Watching a run from its start to its end."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest
from doubles import FakeEvent, FakeJob, FakeRun

from kumihimo import _core
from kumihimo.errors import UserError
from kumihimo.progress.ending import Ending
from kumihimo.progress.interrupts import Interrupts
from kumihimo.run.parts import STARTER
from kumihimo.run.supervise import Supervisor


def supervise(
    job: FakeJob,
    run: FakeRun,
    *,
    interrupts: Interrupts | None = None,
    starts_ranks_itself: bool = False,
    shown: list[dict[str, Any]] | None = None,
    warnings: list[str] | None = None,
) -> Ending:
    clock_s = iter(range(10_000))
    supervisor = Supervisor(
        job,
        run,
        4,
        interrupts=interrupts or Interrupts(),
        stall_timeout_s=1000,
        compute="measured",
        starts_ranks_itself=starts_ranks_itself,
        show=(shown if shown is not None else []).append,
        gap_text=lambda source, target: f"x.xml has no route from {source} to {target}",
        warn=(warnings if warnings is not None else []).append,
        clock=lambda: next(clock_s) / 2,
    )
    return supervisor.supervise()


def all_exit() -> list[FakeEvent]:
    return [FakeEvent("exited", rank) for rank in range(4)]


def test_a_good_run_ends_well() -> None:
    shown: list[dict[str, Any]] = []
    run = FakeRun(finished=set(range(4)))
    ending = supervise(FakeJob(script=[[], [], all_exit()]), run, shown=shown)
    assert (ending.exit_code, ending.message, ending.is_complete) == (0, None, True)
    assert len(shown) == 2


def test_a_verdict_is_stronger_than_the_deaths_it_causes() -> None:
    run = FakeRun(verdict_now={"kind": "abort", "rank": 2, "code": 17, "text": ""})
    ending = supervise(FakeJob(script=[[FakeEvent("exited", 2, code=17)]]), run)
    assert ending.exit_code == 17
    assert ending.message == "rank 2 called MPI_Abort with code 17"


def test_a_message_without_a_route_names_ranks_and_hosts() -> None:
    run = FakeRun(verdict_now={"kind": "no_route", "rank": 2, "code": 0, "text": ""})
    ending = supervise(FakeJob(), run)
    assert (ending.exit_code, ending.is_complete) == (1, False)
    assert ending.message == "rank 2 sends to rank 0, but x.xml has no route from 12 to 10"


def test_a_deadlock_says_what_each_rank_waits_for() -> None:
    run = FakeRun(
        verdict_now={"kind": "deadlock", "rank": 0, "code": 0, "text": ""},
        texts={1: "waits in MPI_Recv for a message from rank 0"},
        clocks_ps={1: 2_000_000_000},
    )
    ending = supervise(FakeJob(), run)
    assert ending.exit_code == 3
    lines = str(ending.message).splitlines()
    assert lines[0].startswith("deadlock at 2 ms: every rank waits")
    assert lines[1] == "  rank 1 waits in MPI_Recv for a message from rank 0, since 2 ms"
    assert len(lines) == 5


def test_damage_names_the_process_that_was_killed_beside_it() -> None:
    class DamagedRun(FakeRun):
        def progress(self) -> dict[str, Any]:
            raise _core.StateDamagedError("the run's state is damaged: because")

    with pytest.raises(UserError) as alone:
        supervise(FakeJob(), DamagedRun())
    assert alone.value.message == "the run's state is damaged: because; there is no result"
    script = [[FakeEvent("signalled", 2, signal=11), FakeEvent("signalled", 3, signal=9)]]
    with pytest.raises(UserError) as killed:
        supervise(FakeJob(script=script), DamagedRun())
    assert killed.value.message.splitlines() == [
        "the run's state is damaged: because",
        "rank 2 was killed by SIGSEGV; there is no result",
    ]


def test_the_other_verdicts_have_their_words() -> None:
    words = {
        "time_limit": (
            4,
            "virtual time has reached its limit, 3 ns: ranks 0, 2 and 3 did not finish",
        ),
        "refused": (1, "rank 1: because"),
        "remote_access": (1, "rank 1 put to or got from memory it may not reach: because"),
        "corrupt": (1, "the run's state is damaged (corrupt), seen by rank 1: because"),
        "records": (
            1,
            "the records of the run cannot be written: No such file or directory",
        ),
    }
    for kind, expected in words.items():
        verdict = {"kind": kind, "rank": 1, "code": 2, "text": "because"}
        verdict |= {"limit_ps": 3000, "is_end_of_time": False}
        ending = supervise(FakeJob(), FakeRun(verdict_now=verdict, finished={1}))
        assert (ending.exit_code, ending.message) == expected


def test_an_abort_does_not_wait_for_a_rank_that_computes_without_end() -> None:
    run = FakeRun(numbers={"pending_abort": (1, 7), "running": [1, 3]})
    ending = supervise(FakeJob(), run)
    assert (ending.exit_code, ending.message) == (
        7,
        "rank 1 called MPI_Abort with code 7; rank 3 still computed, and may have had something "
        "earlier to do in virtual time",
    )


def test_a_signal_to_the_launcher_ends_the_run() -> None:
    for number in Interrupts.SIGNALS:
        with Interrupts() as interrupts:

            def send(number: int = number) -> None:
                os.kill(os.getpid(), number)

            ending = supervise(FakeJob(before_step=send), FakeRun(), interrupts=interrupts)
        assert ending.exit_code == 128 + number
        assert f"stopped by {signal.Signals(number).name}" in str(ending.message)


def test_signals_are_given_back() -> None:
    before = {number: signal.getsignal(number) for number in Interrupts.SIGNALS}
    with Interrupts():
        assert signal.getsignal(signal.SIGINT) != before[signal.SIGINT]
    assert {number: signal.getsignal(number) for number in Interrupts.SIGNALS} == before


def test_ranks_of_mpirun_are_watched_once_they_attach() -> None:
    run = FakeRun(pids={0: 100, 2: 102}, finished=set(range(4)))
    job = FakeJob(running=1, script=[[], [FakeEvent("exited", STARTER)]])
    ending = supervise(job, run, starts_ranks_itself=True)
    assert job.watched == {0: 100, 2: 102}
    assert ending.is_complete


def test_virtual_time_waits_until_all_ranks_of_mpirun_are_watched() -> None:
    run = FakeRun(pids={0: 100}, finished=set(range(4)))
    job = FakeJob(running=1, script=[[], [], [], [FakeEvent("exited", STARTER)]])
    steps = 0

    def before_step() -> None:
        nonlocal steps
        steps += 1
        assert run.times_noted == (steps == 4)
        if steps == 2:
            run.pids |= {rank: 100 + rank for rank in range(4)}

    job.before_step = before_step
    assert supervise(job, run, starts_ranks_itself=True).is_complete
    assert len(job.watched) == 4
    assert run.times_noted == 1


def test_mpirun_has_some_seconds_to_tell_of_a_rank() -> None:
    started = {rank: 100 + rank for rank in range(4)}
    job = FakeJob(running=1, script=[[], [], [FakeEvent("vanished", 3)]])
    ending = supervise(job, FakeRun(pids=started), starts_ranks_itself=True)
    assert ending.message == "rank 3 ended early"
    job = FakeJob(
        running=1,
        script=[[], [], [FakeEvent("vanished", 3)], [], [FakeEvent("exited", STARTER, code=139)]],
    )
    ending = supervise(job, FakeRun(pids=started), starts_ranks_itself=True)
    assert ending.message == "rank 3 was killed by SIGSEGV"


def test_an_error_of_mpirun_is_a_warning() -> None:
    everyone = range(4)
    run = FakeRun(
        pids={rank: 100 + rank for rank in everyone},
        finished=set(everyone),
        phase="ended",
        exit_codes=dict.fromkeys(everyone, 0),
    )
    job = FakeJob(running=1, script=[[], [], [FakeEvent("exited", STARTER, code=1)]])
    warnings: list[str] = []
    ending = supervise(job, run, starts_ranks_itself=True, warnings=warnings)
    assert (ending.exit_code, ending.is_complete) == (0, True)
    assert warnings == ["mpirun reports a rank that failed, but all ended with exit code 0"]


def test_a_rank_that_ends_before_all_are_watched_is_not_blamed() -> None:
    job = FakeJob(
        running=1, script=[[], [FakeEvent("vanished", 2)], [FakeEvent("exited", STARTER, code=137)]]
    )
    ending = supervise(job, FakeRun(pids={2: 102}), starts_ranks_itself=True)
    assert ending.message == "a rank was killed by SIGKILL"


def test_a_run_that_bypassed_the_network_is_no_success() -> None:
    run = FakeRun(finished=set(range(4)), numbers={"messages": 0, "posts": 0})
    ending = supervise(FakeJob(script=[all_exit()]), run)
    assert ending.exit_code == 1
    assert "no message went over the described network" in str(ending.message)


def test_a_program_may_send_nothing_itself() -> None:
    run = FakeRun(finished=set(range(4)), numbers={"messages": 0, "posts": 6})
    assert supervise(FakeJob(script=[all_exit()]), run).exit_code == 0


def test_ranks_that_did_not_attach_are_no_success() -> None:
    run = FakeRun(finished=set(range(4)), numbers={"attached": 3})
    ending = supervise(FakeJob(script=[all_exit()]), run)
    assert ending.exit_code == 1
    assert "only 3 of 4 ranks took part" in str(ending.message)
