"""What would add processes to a run is an exception, which the script can handle."""

from collections.abc import Callable

from mpi4py import MPI

world = MPI.COMM_WORLD


def error_class(call: Callable[..., object], *arguments: object) -> int:
    """Return the class of the error with which a call ends."""
    try:
        call(*arguments)
    except MPI.Exception as error:
        return error.Get_error_class()
    return MPI.SUCCESS


assert error_class(world.Spawn, "true") == MPI.ERR_SPAWN
assert error_class(world.Spawn_multiple, ["true", "false"]) == MPI.ERR_SPAWN
assert error_class(world.Accept, "port") == MPI.ERR_PORT
assert error_class(world.Connect, "port") == MPI.ERR_PORT
assert error_class(MPI.Comm.Join, 0) == MPI.ERR_UNSUPPORTED_OPERATION
assert world.allreduce(1) == world.size
if world.rank == 0:
    print("py_refused: passed")
