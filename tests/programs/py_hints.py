"""As hints.c, in Python."""

import sys

from mpi4py import MPI

from kumihimo.compute import compute_seconds
from kumihimo.hint import wake, wake_all, wake_member, wake_members

what = sys.argv[1]
rank = MPI.COMM_WORLD.rank
is_second = rank >= 2
half = MPI.COMM_WORLD.Split(is_second, rank)
two_groups = half.Create_intercomm(0, MPI.COMM_WORLD, 0 if is_second else 2)
hints = {
    "nothing": lambda: None,
    "rank": lambda: wake(3),
    "all": wake_all,
    "member": lambda: wake_member(two_groups, 1),
    "members": lambda: wake_members(two_groups),
    "none": lambda: wake_members(MPI.COMM_NULL),
}
compute_seconds(1e-3)
if rank == 0:
    try:
        hints[what]()
        code = 0
    except ValueError:
        code = -1
    print(f"{what}: {code}", flush=True)
compute_seconds(1e-3)
