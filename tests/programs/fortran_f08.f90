! The module mpi_f08: typed handles, a window, a persistent request and a user's operation.
program fortran_f08
    use mpi_f08
    implicit none
    type(MPI_Win) :: window
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status
    integer :: rank, ranks, left, right, round, outgoing, incoming, received
    integer, target :: cells(10)
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    right = mod(rank + 1, ranks)
    left = mod(rank + ranks - 1, ranks)
    cells = -1
    call MPI_Win_create(cells, 40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
    call MPI_Win_fence(0, window)
    call MPI_Put([rank], 1, MPI_INTEGER, right, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, window)
    call MPI_Win_fence(0, window)
    if (cells(4) /= left) call MPI_Abort(MPI_COMM_WORLD, 3)
    call MPI_Win_free(window)
    call MPI_Recv_init(incoming, 1, MPI_INTEGER, left, 2, MPI_COMM_WORLD, requests(1))
    call MPI_Send_init(outgoing, 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, requests(2))
    do round = 1, 5
        outgoing = rank * 10 + round
        call MPI_Startall(2, requests)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
        if (incoming /= left * 10 + round) call MPI_Abort(MPI_COMM_WORLD, 4)
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, right, 7, received, 1, MPI_INTEGER, left, 7, &
                      MPI_COMM_WORLD, status)
    if (received /= left .or. status%MPI_SOURCE /= left) call MPI_Abort(MPI_COMM_WORLD, 5)
    if (rank == 0) print '(a,i0)', 'fortran_f08: from ', received
    call MPI_Finalize()
end program fortran_f08
