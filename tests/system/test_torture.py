"""Some cases of the torture: random programs of every kind of MPI call (tests/torture)."""

from dataclasses import replace

import pytest
from torture import (
    ALL_KINDS,
    CHANNEL,
    POLICIES,
    VARIANTS,
    WINDOWS,
    Case,
    differences,
    draw,
    recorded_and_replayed,
    report,
)

from jobs import MPICH, OPEN_MPI, Mpi

# The last but one has a jitter of common starts. In the last one schedules wake links.
SEEDS = (1010, 1096, 1098, 2008, 1165, 3262)
NO_WINDOWS = ALL_KINDS & ~WINDOWS
# Programs like these differed once: the time of a thread that called MPI, or of one that it let
# go on.
DIFFERED_ONCE = (
    Case(2, MPICH, "calls", 4, 160, NO_WINDOWS, "torus4x4x4", ("--matching", "elan4")),
    Case(5, OPEN_MPI, "calls", 5, 160, ALL_KINDS, "dragonfly256", ("--service", "hint")),
    Case(9, MPICH, "calls", 3, 80, NO_WINDOWS, "dragonfly256", ()),
    Case(13, MPICH, "calls", 6, 20, NO_WINDOWS, "torus4x4x4", ("--matching", "connectx")),
    Case(17, OPEN_MPI, "calls", 8, 80, ALL_KINDS, "dragonfly256", ()),
    Case(18, MPICH, "calls", 6, 40, NO_WINDOWS, "fattree64", ()),
)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("case", DIFFERED_ONCE, ids=lambda case: str(case.seed))
def test_same_in_every_way(case: Case) -> None:
    problems = differences(case, VARIANTS[:4])
    assert not problems, report(case, problems)


# Open MPI agrees on a communicator in steps that send nothing, while receives are on their way.
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kinds", [1 << 17 | 1 << 22, 1 << 17 | 1 << 23])
def test_new_communicators_beside_other_messages(kinds: int) -> None:
    case = Case(2, OPEN_MPI, "calls", 4, 20, kinds, "torus4x4x4", ())
    problems = differences(case, VARIANTS[:3])
    assert not problems, report(case, problems)


# Processes compute in parallel although others put into their memory, at which they look.
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [41, 42])
def test_memory_that_others_change_while_ranks_compute(seed: int) -> None:
    kinds = WINDOWS | 1  # and messages
    case = Case(seed, MPICH, "calls", 6, 40, kinds, "torus4x4x4", (), counts=True)
    problems = differences(case)
    assert not problems, report(case, problems)


# Several techniques at once each.
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_subsets_of_the_techniques(seed: int) -> None:
    case = draw(seed)
    problems = differences(case, VARIANTS[:3])
    assert not problems, report(case, problems)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("seed", "mpi"), [(31, MPICH), (32, OPEN_MPI)])
def test_connections_are_closed_in_the_same_order(seed: int, mpi: Mpi) -> None:
    keys = '\n[mpi.service]\nconnection_cap = 1\nmessages_before = 0\nsetup_time = "1 us"\n'
    service = ("--service", "hint_evict")
    case = Case(seed, mpi, "calls", 6, 80, ALL_KINDS, "torus4x4x4", service, keys)
    problems = differences(case, VARIANTS[:3])
    assert not problems, report(case, problems)


@pytest.mark.parametrize(
    "case",
    [
        Case(1004, MPICH, "calls", 8, 80, ALL_KINDS, "fattree64", ()),
        Case(1029, OPEN_MPI, "calls", 3, 80, NO_WINDOWS, "dragonfly256", ()),
    ],
    ids=lambda case: str(case.seed),
)
def test_a_replay_has_the_errors_of_its_run(case: Case) -> None:
    approximate = replace(case, sections=CHANNEL.format(rate="1e-3"), policy=POLICIES[1])
    live, again = recorded_and_replayed(approximate)
    assert live["approximate.wrong_bits"] > 0
    assert again == live


# The first message of a partitioned send arrives while its target runs ahead with a token. It was
# answered when the target's library happened to have seen it.
@pytest.mark.parametrize(("ranks", "seed"), [(3, 8), (3, 23), (6, 8)])
def test_a_partitioned_send_meets_a_rank_that_is_ahead(ranks: int, seed: int) -> None:
    kinds = 1 << 1 | 1 << 6  # tokens, partitioned messages
    case = Case(seed, MPICH, "calls", ranks, 4, kinds, "star64", ())
    problems = differences(case, VARIANTS[:3])
    assert not problems, report(case, problems)
