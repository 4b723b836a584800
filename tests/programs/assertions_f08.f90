! What a program asserts of communicators, by `use mpi_f08`: a wildcard where none was to be.
program assertions_f08
    use mpi_f08
    implicit none
    type(MPI_Comm) :: asserting, duplicate
    type(MPI_Info) :: info
    integer :: rank, size, value(2), ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, asserting, ierror)
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, 'mpi_assert_no_any_source', 'true', ierror)
    call MPI_Info_set(info, 'mpi_assert_exact_length', 'true', ierror)
    call MPI_Comm_set_info(asserting, info, ierror)
    call MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, duplicate, ierror)
    call shift(asserting, modulo(rank - 1, size), 1)
    call shift(asserting, MPI_ANY_SOURCE, 1)
    call shift(duplicate, modulo(rank - 1, size), 2)
    call MPI_Info_free(info, ierror)
    call MPI_Comm_free(asserting, ierror)
    call MPI_Comm_free(duplicate, ierror)
    if (rank == 0) print '(a)', 'assertions_f08: passed'
    call MPI_Finalize(ierror)
contains
    subroutine shift(comm, source, room)
        type(MPI_Comm), intent(in) :: comm
        integer, intent(in) :: source, room
        value = -1
        call MPI_Sendrecv(rank, 1, MPI_INTEGER, modulo(rank + 1, size), 0, value, room, &
                          MPI_INTEGER, source, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE, ierror)
        if (value(1) /= modulo(rank - 1, size)) call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
    end subroutine
end program
