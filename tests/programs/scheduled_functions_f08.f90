! Collective functions that can be scheduled, of the Fortran 2008 bindings.
program scheduled_functions_f08
  use mpi_f08
  implicit none
  integer :: rank, ranks, error, i
  integer, allocatable :: all(:)
  double precision :: own(3), total(3)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  own = [1d0*rank, 2d0*rank, 1d0]
  call MPI_Allreduce(own, total, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (any(total /= [ranks*(ranks - 1)/2d0, ranks*(ranks - 1)*1d0, 1d0*ranks])) call give_up()
  total = own
  error = -1
  call MPI_Allreduce(MPI_IN_PLACE, total, 3, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
  if (error /= MPI_SUCCESS .or. any(total /= [ranks - 1d0, 2*ranks - 2d0, 1d0])) call give_up()
  do i = 0, 1
    if (rank == i) total = 42 + i
    call MPI_Bcast(total, 3, MPI_DOUBLE_PRECISION, i, MPI_COMM_WORLD)
    if (any(total /= 42 + i)) call give_up()
  end do
  allocate (all(ranks))
  call MPI_Allgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD)
  if (any(all /= [(i, i=0, ranks - 1)])) call give_up()
  all = -1
  all(rank + 1) = rank
  call MPI_Allgather(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD)
  if (any(all /= [(i, i=0, ranks - 1)])) call give_up()
  all = 0
  call MPI_Alltoallv([(rank, i=1, ranks)], [(1, i=1, ranks)], [(i, i=0, ranks - 1)], MPI_INTEGER, &
                     all, [(1, i=1, ranks)], [(ranks - i, i=1, ranks)], MPI_INTEGER, &
                     MPI_COMM_WORLD)
  if (any(all /= [(ranks - i, i=1, ranks)])) call give_up()
  all = [(i + rank, i=1, ranks)]
  call MPI_Reduce_scatter_block(MPI_IN_PLACE, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (all(1) /= ranks*(rank + 1) + ranks*(ranks - 1)/2) call give_up()
  if (rank == 0) print '(a)', "scheduled_functions_f08: all is as it must be"
  call MPI_Finalize()

contains

  subroutine give_up()
    call MPI_Abort(MPI_COMM_WORLD, 3)
  end subroutine
end program
