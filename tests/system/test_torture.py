"""Some cases of the torture: random programs of every kind of MPI call (tests/torture)."""

import pytest
from torture import VARIANTS, differences, draw, report


# Each of these differed once: the time of a thread that called MPI, or of one that it let go on.
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [2, 5, 9, 13, 17, 18])
def test_same_in_every_way(seed: int) -> None:
    case = draw(seed)
    problems = differences(case, VARIANTS[:4])
    assert not problems, report(case, problems)
