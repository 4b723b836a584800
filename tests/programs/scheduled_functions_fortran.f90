! Collective functions that can be scheduled, of Fortran.
program scheduled_functions_fortran
  use mpi
  implicit none
  integer :: rank, ranks, error, i
  integer, allocatable :: all(:)
  double precision :: own(3), total(3)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  own = [1d0*rank, 2d0*rank, 1d0]
  call MPI_Allreduce(own, total, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (any(total /= [ranks*(ranks - 1)/2d0, ranks*(ranks - 1)*1d0, 1d0*ranks])) call give_up()
  total = own
  error = -1
  call MPI_Allreduce(MPI_IN_PLACE, total, 3, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
  if (error /= MPI_SUCCESS .or. any(total /= [ranks - 1d0, 2*ranks - 2d0, 1d0])) call give_up()
  do i = 0, 1
    if (rank == i) total = 42 + i
    call MPI_Bcast(total, 3, MPI_DOUBLE_PRECISION, i, MPI_COMM_WORLD, error)
    if (any(total /= 42 + i)) call give_up()
  end do
  allocate (all(ranks))
  call MPI_Allgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  if (any(all /= [(i, i=0, ranks - 1)])) call give_up()
  all = -1
  all(rank + 1) = rank
  call MPI_Allgather(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  if (any(all /= [(i, i=0, ranks - 1)])) call give_up()
  all = 0
  call MPI_Alltoallv([(rank, i=1, ranks)], [(1, i=1, ranks)], [(i, i=0, ranks - 1)], MPI_INTEGER, &
                     all, [(1, i=1, ranks)], [(ranks - i, i=1, ranks)], MPI_INTEGER, &
                     MPI_COMM_WORLD, error)
  if (any(all /= [(ranks - i, i=1, ranks)])) call give_up()
  all = [(i + rank, i=1, ranks)]
  call MPI_Reduce_scatter_block(MPI_IN_PLACE, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (all(1) /= ranks*(rank + 1) + ranks*(ranks - 1)/2) call give_up()
  if (rank == 0) print '(a)', "scheduled_functions_fortran: all is as it must be"
  call MPI_Finalize(error)

contains

  subroutine give_up()
    call MPI_Abort(MPI_COMM_WORLD, 3, error)
  end subroutine
end program
