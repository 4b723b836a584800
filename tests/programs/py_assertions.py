"""What a program asserts of communicators, by mpi4py: a wildcard where none was to be."""

from mpi4py import MPI

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_source", "true")
asserting = world.Dup(info)
buffer = bytearray(8)
before, after = (world.rank - 1) % world.size, (world.rank + 1) % world.size
for source in (before, MPI.ANY_SOURCE):
    asserting.Sendrecv(b"01234567", after, 0, buffer, source)
    assert buffer == b"01234567"
asserting.Free()
info.Free()
if world.rank == 0:
    print("py_assertions: passed")
