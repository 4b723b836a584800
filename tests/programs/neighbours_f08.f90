! As neighbours.c, in the module mpi_f08.
program neighbours_f08
    use mpi_f08
    implicit none
    integer, parameter :: distances(4) = [1, 2, -1, -2]
    type(MPI_Request) :: requests(8)
    integer :: rank, ranks, rounds, round, i, outgoing(4), incoming(4)
    character(len=20) :: argument
    call get_command_argument(1, argument)
    read (argument, *) rounds
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    do round = 1, rounds
        do i = 1, 4
            call MPI_Irecv(incoming(i), 1, MPI_INTEGER, modulo(rank - distances(i), ranks), i, &
                           MPI_COMM_WORLD, requests(i))
        end do
        do i = 1, 4
            outgoing(i) = rank * 1000 + round
            call MPI_Isend(outgoing(i), 1, MPI_INTEGER, modulo(rank + distances(i), ranks), i, &
                           MPI_COMM_WORLD, requests(4 + i))
        end do
        call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE)
        do i = 1, 4
            if (incoming(i) /= modulo(rank - distances(i), ranks) * 1000 + round) &
                call MPI_Abort(MPI_COMM_WORLD, 3)
        end do
    end do
    if (rank == 0) print '(a)', 'neighbours_f08: passed'
    call MPI_Finalize()
end program neighbours_f08
