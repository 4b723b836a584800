"""Some cases of the torture: random programs of every kind of MPI call (tests/torture)."""

import pytest
from torture import VARIANTS, Case, differences, draw, report

from jobs import MPICH


# Each of these differed once: the time of a thread that called MPI, or of one that it let go on.
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [2, 5, 9, 13, 17, 18])
def test_same_in_every_way(seed: int) -> None:
    case = draw(seed)
    problems = differences(case, VARIANTS[:4])
    assert not problems, report(case, problems)


# The first message of a partitioned send arrives while its target runs ahead with a token. It was
# answered when the target's library happened to have seen it.
@pytest.mark.parametrize(("ranks", "seed"), [(3, 8), (3, 23), (6, 8)])
def test_a_partitioned_send_meets_a_rank_that_is_ahead(ranks: int, seed: int) -> None:
    kinds = 1 << 1 | 1 << 6  # tokens, partitioned messages
    case = Case(seed, MPICH, "calls", ranks, 4, kinds, "star64", ())
    problems = differences(case, VARIANTS[:3])
    assert not problems, report(case, problems)
