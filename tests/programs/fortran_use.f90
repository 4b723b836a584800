! The module mpi: broadcast, gather, in-place reduction, a split communicator and a test loop.
program fortran_use
    use mpi
    implicit none
    integer :: ierror, rank, ranks, half, half_rank, request, value, i
    logical :: done
    integer, allocatable :: table(:)
    double precision :: sums(3)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    allocate (table(ranks))
    value = merge(99, -1, rank == 0)
    call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    if (value /= 99) call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
    call MPI_Allgather(rank, 1, MPI_INTEGER, table, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    if (any(table /= [(i, i=0, ranks - 1)])) call MPI_Abort(MPI_COMM_WORLD, 4, ierror)
    sums = [1.0d0, dble(rank), 2.0d0]
    call MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    if (sums(1) /= ranks .or. sums(3) /= 2 * ranks) call MPI_Abort(MPI_COMM_WORLD, 5, ierror)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierror)
    call MPI_Comm_rank(half, half_rank, ierror)
    if (half_rank /= rank / 2) call MPI_Abort(MPI_COMM_WORLD, 6, ierror)
    call MPI_Ibarrier(half, request, ierror)
    done = .false.
    do while (.not. done)
        call MPI_Test(request, done, MPI_STATUS_IGNORE, ierror)
    end do
    call MPI_Comm_free(half, ierror)
    if (rank == 0) print '(a,3(1x,f0.1))', 'fortran_use: sums', sums
    call MPI_Finalize(ierror)
end program fortran_use
