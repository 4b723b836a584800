"""From what happened to the processes to one cause."""

from __future__ import annotations

import pytest
from doubles import FakeEvent, FakeJob, FakeRun

from kumihimo.run.evidence import Evidence
from kumihimo.run.parts import STARTER


def evidence(
    *events: FakeEvent, job: FakeJob | None = None, run: FakeRun | None = None
) -> Evidence:
    found = Evidence(job or FakeJob(), run or FakeRun(), 4)
    for event in events:
        found.add(event)
    return found


@pytest.mark.parametrize(
    ("event", "phase", "code", "message"),
    [
        (FakeEvent("signalled", 2, signal=11), "initialised", 139, "rank 2 was killed by SIGSEGV"),
        (
            FakeEvent("signalled", 2, signal=6, core_dumped=True),
            "silent",
            134,
            "rank 2 was killed by SIGABRT before MPI_Init (core dumped)",
        ),
        (
            FakeEvent("exited", 1, code=7),
            "initialised",
            7,
            "rank 1 ended with exit code 7 without calling MPI_Finalize",
        ),
        (
            FakeEvent("exited", 1, code=127),
            "silent",
            127,
            "rank 1 ended with exit code 127 before MPI_Init",
        ),
        (FakeEvent("exited", 0), "initialised", 1, "rank 0 ended without calling MPI_Finalize"),
        (
            FakeEvent("pmi_abort", 3, code=256, text="x"),
            "initialised",
            1,
            "the MPI library of rank 3 gave up with code 256",
        ),
        (
            FakeEvent("pmi_violation", 3, text="sent 'x', which is not PMI-1"),
            "initialised",
            1,
            "rank 3 sent 'x', which is not PMI-1 to its process manager",
        ),
    ],
)
def test_names_rank_and_cause(event: FakeEvent, phase: str, code: int, message: str) -> None:
    ending = evidence(event, job=FakeJob(phases={event.rank: phase})).failure()
    assert ending is not None
    assert (ending.exit_code, ending.message) == (code, message)
    assert not ending.is_complete


def test_the_first_fault_is_the_cause() -> None:
    found = evidence(FakeEvent("signalled", 3, signal=11), FakeEvent("signalled", 0, signal=15))
    ending = found.failure()
    assert ending is not None
    assert ending.message == "rank 3 was killed by SIGSEGV"


def test_an_abort_explains_the_end_of_its_process() -> None:
    found = evidence(FakeEvent("pmi_abort", 3, code=5), FakeEvent("exited", 3, code=5))
    ending = found.failure()
    assert ending is not None
    assert ending.exit_code == 5
    assert "gave up" in str(ending.message)


def test_a_regular_end_is_no_failure() -> None:
    job = FakeJob(phases=dict.fromkeys(range(4), "finalised"))
    found = evidence(*(FakeEvent("exited", rank) for rank in range(4)), job=job)
    assert found.failure() is None
    outcome = found.outcome()
    assert (outcome.exit_code, outcome.message, outcome.is_complete) == (0, None, True)


def test_a_status_after_finalize_is_passed_on() -> None:
    run = FakeRun(finished=set(range(4)), phase="ended")
    ends = [FakeEvent("exited", rank, code=rank) for rank in (3, 1, 2, 0)]
    found = evidence(*ends, run=run)
    assert found.failure() is None
    outcome = found.outcome()
    assert outcome.exit_code == 1
    assert outcome.message == "rank 1 ended with exit code 1 after MPI_Finalize"
    assert outcome.is_complete


def reported_by_starter(code: int, exit_codes: dict[int, int], phase: str = "ended") -> Evidence:
    run = FakeRun(finished=set(range(4)), phase=phase, exit_codes=exit_codes)
    return evidence(FakeEvent("exited", STARTER, code=code), run=run)


def test_a_status_after_finalize_that_mpirun_reports_is_passed_on() -> None:
    # mpirun kills the others when it knows of the first.
    found = reported_by_starter(7, {0: 0, 2: 7})
    assert found.failure() is None
    outcome = found.outcome()
    assert outcome.exit_code == 7
    assert outcome.message == "rank 2 ended with exit code 7 after MPI_Finalize"
    assert outcome.is_complete
    assert not found.starter_erred


def test_mpirun_errs_if_all_ranks_ended_well() -> None:
    found = reported_by_starter(1, dict.fromkeys(range(4), 0))
    assert found.starter_erred
    assert found.failure() is None
    assert found.outcome().exit_code == 0


@pytest.mark.parametrize(
    ("code", "ends", "phase"),
    [(1, {0, 1, 2, 3}, "running"), (1, {0, 1, 2}, "ended"), (139, {0, 1, 2, 3}, "ended")],
    ids=["not finalised", "one unknown", "killed"],
)
def test_mpirun_is_believed_otherwise(code: int, ends: set[int], phase: str) -> None:
    found = reported_by_starter(code, dict.fromkeys(ends, 0), phase)
    assert not found.starter_erred
    ending = found.failure()
    assert ending is not None
    assert ending.exit_code == code


def test_a_crash_after_finalize_leaves_the_run_complete() -> None:
    run = FakeRun(finished=set(range(4)), phase="ended")
    ending = evidence(FakeEvent("signalled", 1, signal=9), run=run).failure()
    assert ending is not None
    assert ending.message == "rank 1 was killed by SIGKILL after MPI_Finalize"
    assert ending.is_complete


def test_without_mpi_there_is_nothing_to_simulate() -> None:
    job = FakeJob(phases=dict.fromkeys(range(4), "silent"))
    found = evidence(*(FakeEvent("exited", rank) for rank in range(4)), job=job)
    assert found.failure() is None
    assert found.outcome().exit_code == 1
    assert "without calling MPI_Init" in str(found.outcome().message)


def test_a_rank_without_mpi_is_a_failure_as_soon_as_another_waits() -> None:
    job = FakeJob(phases=dict.fromkeys(range(4), "silent"))
    found = evidence(FakeEvent("exited", 2), job=job)
    assert found.failure() is None
    job.phases[0] = "initialised"
    ending = found.failure()
    assert ending is not None
    assert ending.message == "rank 2 ended without calling MPI_Init; the others wait for it"


def test_stops_are_remembered_until_the_rank_goes_on() -> None:
    found = evidence(FakeEvent("stopped", 1, signal=19), FakeEvent("stopped", 2, signal=19))
    found.add(FakeEvent("continued", 1))
    assert found.stopped == {2: 19}
    assert found.failure() is None


@pytest.mark.parametrize(
    ("starter", "code", "message"),
    [
        (FakeEvent("exited", STARTER, code=139), 139, "rank 1 was killed by SIGSEGV"),
        (
            FakeEvent("exited", STARTER, code=42),
            42,
            "rank 1 ended early; mpirun's exit code is 42",
        ),
        (FakeEvent("signalled", STARTER, signal=9), 137, "mpirun was killed by SIGKILL"),
    ],
)
def test_mpirun_tells_how_the_first_rank_ended(starter: FakeEvent, code: int, message: str) -> None:
    found = evidence(FakeEvent("vanished", 1), FakeEvent("vanished", 0))
    assert found.awaits_starter
    assert found.failure() is None
    found.add(starter)
    assert not found.awaits_starter
    ending = found.failure()
    assert ending is not None
    assert (ending.exit_code, ending.message) == (code, message)


def test_no_rank_is_named_if_another_may_have_ended_unseen() -> None:
    found = evidence()
    found.watches_every_rank = False
    found.add(FakeEvent("vanished", 1))
    found.watches_every_rank = True
    found.add(FakeEvent("exited", STARTER, code=137))
    ending = found.failure()
    assert ending is not None
    assert ending.message == "a rank was killed by SIGKILL"


def test_mpirun_that_starts_nothing_is_named() -> None:
    run = FakeRun(numbers={"attached": 0})
    ending = evidence(FakeEvent("exited", STARTER, code=213), run=run).failure()
    assert ending is not None
    assert ending.message == "mpirun ended with exit code 213 before any rank had started"


def test_a_rank_that_has_finished_may_vanish() -> None:
    found = evidence(FakeEvent("vanished", 1), run=FakeRun(finished={1}))
    assert not found.awaits_starter
