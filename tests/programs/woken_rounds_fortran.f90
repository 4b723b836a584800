! Computes and communicates by turns, as woken_rounds.cpp, with a broadcast in every round.
subroutine compute(x, iterations)
    implicit none
    double precision, intent(inout) :: x
    integer, intent(in) :: iterations
    integer :: i
    do i = 1, iterations
        x = x * 0.999d0 + 0.001d0 * mod(i, 7)
    end do
end subroutine

program woken_rounds
    use mpi
    implicit none
    integer, parameter :: rounds = 60, iterations = 60000
    integer :: ierror, rank, ranks, round
    double precision :: x, total, numbers(150)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    x = rank
    do round = 1, rounds
        call compute(x, iterations)
        numbers = x
        call MPI_Bcast(numbers, 150, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror)
        x = 0.5d0 * (x + numbers(150))
    end do
    call MPI_Allreduce(x, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    if (rank == 0) print '(a, f22.12)', 'woken_rounds:', total
    call MPI_Finalize(ierror)
end program
