! MPI_Alltoall of the Fortran 2008 bindings, with and without MPI_IN_PLACE and the error code.
program scheduled_f08
  use mpi_f08
  implicit none
  integer :: rank, ranks, error, i
  integer, allocatable :: sent(:), received(:)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  allocate (sent(ranks), received(ranks))
  sent = [(1000*rank + i, i=1, ranks)]
  received = -1
  call MPI_Alltoall(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, MPI_COMM_WORLD)
  call check()
  received = sent
  error = -1
  call MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INTEGER, received, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  if (error /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 4)
  call check()
  if (rank == 0) print '(a)', "scheduled_f08: all is as it must be"
  call MPI_Finalize()

contains

  subroutine check()
    do i = 1, ranks
      if (received(i) /= 1000*(i - 1) + rank + 1) call MPI_Abort(MPI_COMM_WORLD, 3)
    end do
  end subroutine
end program
