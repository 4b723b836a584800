! As neighbours.c, in Fortran with mpif.h.
program neighbours_mpif
    implicit none
    include 'mpif.h'
    integer, parameter :: distances(4) = [1, 2, -1, -2]
    integer :: requests(8), error
    integer :: rank, ranks, rounds, round, i, outgoing(4), incoming(4)
    character(len=20) :: argument
    call get_command_argument(1, argument)
    read (argument, *) rounds
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    do round = 1, rounds
        do i = 1, 4
            call MPI_Irecv(incoming(i), 1, MPI_INTEGER, modulo(rank - distances(i), ranks), i, &
                           MPI_COMM_WORLD, requests(i), error)
        end do
        do i = 1, 4
            outgoing(i) = rank * 1000 + round
            call MPI_Isend(outgoing(i), 1, MPI_INTEGER, modulo(rank + distances(i), ranks), i, &
                           MPI_COMM_WORLD, requests(4 + i), error)
        end do
        call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, error)
        do i = 1, 4
            if (incoming(i) /= modulo(rank - distances(i), ranks) * 1000 + round) &
                call MPI_Abort(MPI_COMM_WORLD, 3, error)
        end do
    end do
    if (rank == 0) print '(a)', 'neighbours_mpif: passed'
    call MPI_Finalize(error)
end program neighbours_mpif
