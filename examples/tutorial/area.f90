program area
    use mpi
    implicit none
    integer :: rank, ranks, i, n, error
    real(8) :: mine, total, x, begin
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    begin = MPI_Wtime()
    n = 1000000
    mine = 0
    do i = rank + 1, n, ranks
        x = (i - 0.5d0) / n
        mine = mine + 4 / (1 + x * x) / n
    end do
    call MPI_Reduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (rank == 0) print '(a, f12.9, a, f9.3, a)', 'pi is ', total, ' after ', (MPI_Wtime() - begin) * 1e6, ' µs'
    call MPI_Finalize(error)
end program
