! As services.c with sums, in Fortran.
include 'kumihimo/hint.f90'

program services_fortran
    use kumihimo_hint
    use mpi
    implicit none
    integer, parameter :: size_bytes = 10240
    integer :: error, rank, ranks, round, i, total, code, next, previous
    character :: own(size_bytes), received(size_bytes)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    next = mod(rank + 1, ranks)
    previous = mod(rank + ranks - 1, ranks)
    call kumi_hint('NO_SUCH_KEY', '1', code)
    if (code /= kumi_hint_unknown) call MPI_Abort(MPI_COMM_WORLD, 2, error)
    do round = 1, 2
        do i = 1, 10
            call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
            if (total /= ranks * (ranks - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 3, error)
        end do
        call kumi_hint('IN_KERNEL', '1', code)
        if (code /= kumi_hint_ok) call MPI_Abort(MPI_COMM_WORLD, 4, error)
        do i = 1, 200
            own = achar(mod(rank + i, 128))
            call MPI_Sendrecv(own, size_bytes, MPI_CHARACTER, next, 7, received, size_bytes, &
                    MPI_CHARACTER, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
            if (any(received /= achar(mod(previous + i, 128)))) call MPI_Abort(MPI_COMM_WORLD, 5, error)
        end do
        call kumi_hint('IN_KERNEL', '0')
    end do
    if (rank == 0) print '(a)', 'services: all is as it must be'
    call MPI_Finalize(error)
end program
