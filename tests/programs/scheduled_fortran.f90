! MPI_ALLTOALL of Fortran, with and without MPI_IN_PLACE, and of columns of a matrix.
program scheduled_fortran
  use mpi
  implicit none
  integer, parameter :: count = 5
  integer :: rank, ranks, error, i, k, column
  integer(kind=MPI_ADDRESS_KIND) :: extent
  integer :: row_type, resized
  integer, allocatable :: sent(:, :), received(:, :)
  double precision, allocatable :: rows(:, :), columns(:, :)

  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, error)
  allocate (sent(count, ranks), received(count, ranks))
  do i = 1, ranks
    do k = 1, count
      sent(k, i) = 10000*rank + 10*i + k
    end do
  end do
  received = -1
  call MPI_ALLTOALL(sent, count, MPI_INTEGER, received, count, MPI_INTEGER, MPI_COMM_WORLD, error)
  if (error /= MPI_SUCCESS) call give_up("an error")
  call check()
  received = sent
  call MPI_ALLTOALL(MPI_IN_PLACE, count, MPI_INTEGER, received, count, MPI_INTEGER, &
                    MPI_COMM_WORLD, error)
  call check()

  ! Row i of a matrix goes to rank i - 1, which gets it as a column.
  allocate (rows(ranks, count), columns(count, ranks))
  do i = 1, ranks
    do k = 1, count
      rows(i, k) = 1000d0*rank + 10d0*i + k
    end do
  end do
  call MPI_TYPE_VECTOR(count, 1, ranks, MPI_DOUBLE_PRECISION, row_type, error)
  extent = 8
  call MPI_TYPE_CREATE_RESIZED(row_type, 0_MPI_ADDRESS_KIND, extent, resized, error)
  call MPI_TYPE_COMMIT(resized, error)
  columns = -1
  call MPI_ALLTOALL(rows, 1, resized, columns, count, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
  do column = 1, ranks
    do k = 1, count
      if (columns(k, column) /= 1000d0*(column - 1) + 10d0*(rank + 1) + k) call give_up("columns")
    end do
  end do
  if (rank == 0) print '(a)', "scheduled_fortran: all is as it must be"
  call MPI_FINALIZE(error)

contains

  subroutine check()
    do i = 1, ranks
      do k = 1, count
        if (received(k, i) /= 10000*(i - 1) + 10*(rank + 1) + k) call give_up("numbers")
      end do
    end do
  end subroutine

  subroutine give_up(what)
    character(*), intent(in) :: what
    print *, "rank", rank, "has wrong", what
    call MPI_ABORT(MPI_COMM_WORLD, 3, error)
  end subroutine
end program
