! The Fortran 77 interface, mpif.h: ring, collectives, a non-blocking exchange and the clock.
program fortran_mpif
    implicit none
    include 'mpif.h'
    integer :: ierror, rank, ranks, left, right, total, number, i
    integer :: requests(2)
    integer :: status(MPI_STATUS_SIZE)
    double precision :: values(1000), received(1000), start
    call MPI_INIT(ierror)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
    call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierror)
    right = mod(rank + 1, ranks)
    left = mod(rank + ranks - 1, ranks)
    start = MPI_WTIME()
    do i = 1, 1000
        values(i) = rank * 1000.0d0 + i
    end do
    call MPI_IRECV(received, 1000, MPI_DOUBLE_PRECISION, left, 5, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_ISEND(values, 1000, MPI_DOUBLE_PRECISION, right, 5, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, ierror)
    if (received(1000) /= left * 1000.0d0 + 1000) call MPI_ABORT(MPI_COMM_WORLD, 3, ierror)
    call MPI_ALLREDUCE(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    if (total /= ranks * (ranks - 1) / 2) call MPI_ABORT(MPI_COMM_WORLD, 4, ierror)
    number = -1
    if (rank == 0) then
        call MPI_SEND(total, 1, MPI_INTEGER, right, 6, MPI_COMM_WORLD, ierror)
    end if
    if (rank == mod(1, ranks)) then
        call MPI_PROBE(0, 6, MPI_COMM_WORLD, status, ierror)
        call MPI_RECV(number, 1, MPI_INTEGER, 0, 6, MPI_COMM_WORLD, status, ierror)
        if (number /= total .or. status(MPI_SOURCE) /= 0) call MPI_ABORT(MPI_COMM_WORLD, 5, ierror)
    end if
    if (MPI_WTIME() < start) call MPI_ABORT(MPI_COMM_WORLD, 6, ierror)
    call MPI_BARRIER(MPI_COMM_WORLD, ierror)
    if (rank == 0) print '(a,i0)', 'fortran_mpif: total ', total
    call MPI_FINALIZE(ierror)
end program fortran_mpif
